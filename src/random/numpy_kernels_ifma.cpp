// PCG64 and the ziggurats in AVX-512 with IFMA, VBMI and VBMI2.
//
// PCG64: 128-bit products from 52-bit multiply-adds. Ziggurat: the strip's width and limit are not
// gathered but looked up byte by byte: eight planes of 256 bytes, 64 words at a time, and a
// transposition by interleaving, which is faster than two gathers (Zen 5: 3.5 times).

#include "random/numpy_kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/error.hpp"
#include "hwy/base.h"
#include "random/ziggurat_tables.hpp"

#if !defined(__clang__)
// GCC bug 105593: its own intrinsics start from what it takes for uninitialised.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

HWY_PUSH_ATTRIBUTES(
    "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt")
namespace sigstab::ifma {
namespace {

constexpr std::uint64_t kMask52 = (std::uint64_t{1} << 52) - 1;
constexpr std::size_t kLanes = PcgLanes::kLanes, kVectors = kLanes / 8;

constexpr std::array<std::uint64_t, 3> to_limbs(Uint128 x) {
  return {static_cast<std::uint64_t>(x) & kMask52, static_cast<std::uint64_t>(x >> 52) & kMask52,
          static_cast<std::uint64_t>(x >> 104)};
}

constexpr auto kMultiplier = to_limbs(Pcg64::kJump<kLanes>.multiplier);

__m512i broadcast(std::uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }

// Eight generators. Limbs 0 and 1 have rubbish above their 52 bits, limb 2 above its 24: the
// multiply-adds read 52 bits, and the product of limb 2 counts modulo 2^24.
struct State {
  __m512i limb0, limb1, limb2;
};

// x -> a x + c modulo 2^128, schoolbook.
inline State step(const State& s, const State& a, const State& c) {
  const __m512i low = _mm512_madd52lo_epu64(c.limb0, s.limb0, a.limb0);
  __m512i middle = _mm512_madd52hi_epu64(c.limb1, s.limb0, a.limb0);
  middle = _mm512_madd52lo_epu64(middle, s.limb0, a.limb1);
  middle = _mm512_madd52lo_epu64(middle, s.limb1, a.limb0);
  __m512i high = _mm512_madd52hi_epu64(c.limb2, s.limb0, a.limb1);
  high = _mm512_madd52lo_epu64(high, s.limb0, a.limb2);
  high = _mm512_madd52hi_epu64(high, s.limb1, a.limb0);
  high = _mm512_madd52lo_epu64(high, s.limb1, a.limb1);
  high = _mm512_madd52lo_epu64(high, s.limb2, a.limb0);
  middle = _mm512_add_epi64(middle, _mm512_srli_epi64(low, 52));
  high = _mm512_add_epi64(high, _mm512_srli_epi64(middle, 52));
  return {low, middle, high};
}

// XSL-RR: the halves of the state folded and rotated by its top six bits.
inline __m512i output(const State& s, __m512i mask52) {
  const __m512i upper = _mm512_shrdi_epi64(_mm512_slli_epi64(s.limb1, 12), s.limb2, 24);
  // (limb0 & mask52) ^ (limb1 << 52)
  const __m512i lower =
      _mm512_ternarylogic_epi64(s.limb0, mask52, _mm512_slli_epi64(s.limb1, 52), 0x6a);
  return _mm512_rorv_epi64(_mm512_xor_si512(upper, lower), _mm512_srli_epi64(s.limb2, 18));
}

// 256-byte tables of the bytes of an entry.
template <std::size_t kBytes>
struct Planes {
  alignas(64) std::uint8_t bytes[kBytes][256];
};

// Bytes 0 to 6 of the width, whose top byte is the same for all strips, and the top byte of the
// limit: positions whose own top byte is below it lie inside.
constexpr std::uint8_t kWidthTop = 0x3c;

Planes<8> make_planes64() {
  Planes<8> planes;
  for (std::size_t strip = 0; strip < 256; ++strip) {
    const auto width = std::bit_cast<std::uint64_t>(kZigguratWidth[strip]);
    SIGSTAB_ASSERT(width >> 56 == kWidthTop);
    for (std::size_t b = 0; b < 7; ++b) {
      planes.bytes[b][strip] = static_cast<std::uint8_t>(width >> (8 * b));
    }
    planes.bytes[7][strip] = static_cast<std::uint8_t>(kZigguratAccept[strip] >> 44);
  }
  return planes;
}

Planes<5> make_planes32() {
  Planes<5> planes;
  for (std::size_t strip = 0; strip < 256; ++strip) {
    const auto width = std::bit_cast<std::uint32_t>(kZigguratWidthFloat[strip]);
    for (std::size_t b = 0; b < 4; ++b) {
      planes.bytes[b][strip] = static_cast<std::uint8_t>(width >> (8 * b));
    }
    planes.bytes[4][strip] = static_cast<std::uint8_t>(kZigguratAcceptFloat[strip] >> 15);
  }
  return planes;
}

inline __m512i look_up(const std::uint8_t (&plane)[256], __m512i index, __mmask64 upper) {
  const __m512i low =
      _mm512_permutex2var_epi8(_mm512_load_si512(plane), index, _mm512_load_si512(plane + 64));
  const __m512i high = _mm512_permutex2var_epi8(_mm512_load_si512(plane + 128), index,
                                                _mm512_load_si512(plane + 192));
  return _mm512_mask_blend_epi8(upper, low, high);
}

// For an element of `bytes` bytes: byte i of a 128-bit lane of the packed bytes belongs to vector
// i / per_lane, the lane's element i % per_lane, per_lane = 16 / bytes. Where byte n of the
// elements in order is then found:
constexpr std::array<std::uint8_t, 64> order_of(std::size_t per_lane) {
  std::array<std::uint8_t, 64> order{};
  const std::size_t per_vector = 4 * per_lane;
  for (std::size_t n = 0; n < 64; ++n) {
    const std::size_t vector = n / per_vector, lane = n % per_vector / per_lane;
    order[n] = static_cast<std::uint8_t>(16 * lane + per_lane * vector + n % per_lane);
  }
  return order;
}
// Byte pairs of words in two vectors, as candidates64 packs them, to the order of packed bytes: the
// first byte of each pair.
constexpr std::array<std::uint8_t, 64> first_of_pairs() {
  std::array<std::uint8_t, 64> first{};
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t lane = i / 16, vector = i % 16 / 2;
    first[i] =
        static_cast<std::uint8_t>(vector / 4 * 64 + 16 * lane + 4 * (vector % 4) + 2 * (i % 2));
  }
  return first;
}
alignas(64) constexpr auto kEvens = first_of_pairs();
alignas(64) constexpr auto kOrder64 = order_of(2), kOrder32 = order_of(4);

// A bit for each byte, put in the order of the elements.
inline std::uint64_t ordered(__mmask64 bits, const std::array<std::uint8_t, 64>& order) {
  const __m512i bytes =
      _mm512_permutexvar_epi8(_mm512_load_si512(order.data()), _mm512_movm_epi8(bits));
  return _mm512_movepi8_mask(bytes);
}

}  // namespace

void pcg_start(PcgLanes& lanes) {
  // Four generators, each four steps at a time: one would wait for its own products.
  constexpr std::size_t kChains = 4;
  constexpr auto kJump = Pcg64::kJump<kChains>;
  const Uint128 increment = kJump.increment * lanes.increment;
  std::array<Uint128, kChains> states;
  Uint128 state = lanes.state;
  for (Uint128& s : states) s = state = state * Pcg64::kMultiplier + lanes.increment;
  for (std::size_t i = 0; i < kLanes; i += kChains) {
    for (std::size_t j = 0; j < kChains; ++j) {
      const auto limbs = to_limbs(states[j]);
      for (std::size_t k = 0; k < 3; ++k) lanes.limbs[k][i + j] = limbs[k];
      states[j] = states[j] * kJump.multiplier + increment;
    }
  }
  const auto limbs = to_limbs(Pcg64::kJump<kLanes>.increment * lanes.increment);
  std::memcpy(lanes.increment_limbs, limbs.data(), sizeof limbs);
  lanes.has_limbs = true;
}

void pcg_words(PcgLanes& lanes, std::uint64_t* words, std::size_t count) {
  const State a = {broadcast(kMultiplier[0]), broadcast(kMultiplier[1]), broadcast(kMultiplier[2])};
  const State c = {broadcast(lanes.increment_limbs[0]), broadcast(lanes.increment_limbs[1]),
                   broadcast(lanes.increment_limbs[2])};
  const __m512i mask52 = broadcast(kMask52);
  State states[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    states[v] = {_mm512_load_si512(&lanes.limbs[0][8 * v]),
                 _mm512_load_si512(&lanes.limbs[1][8 * v]),
                 _mm512_load_si512(&lanes.limbs[2][8 * v])};
  }
  for (std::size_t i = 0; i < count; i += kLanes) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) {
      _mm512_store_si512(words + i + 8 * v, output(states[v], mask52));
      states[v] = step(states[v], a, c);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    _mm512_store_si512(&lanes.limbs[0][8 * v], states[v].limb0);
    _mm512_store_si512(&lanes.limbs[1][8 * v], states[v].limb1);
    _mm512_store_si512(&lanes.limbs[2][8 * v], states[v].limb2);
  }
}

void candidates64(const std::uint64_t* words, std::size_t count, double* values,
                  std::uint64_t* unsure) {
  static const Planes<8> planes = make_planes64();
  const __m512i first_pairs = _mm512_set1_epi32(0x09080100);  // bytes 0, 1, 8, 9 of a 128-bit lane
  const __m512i last_bytes = _mm512_set1_epi16(0x0f07);
  const __m512i evens = _mm512_load_si512(kEvens.data());
  const __m512i odds = _mm512_add_epi8(evens, _mm512_set1_epi8(1));
  // Bits 9 to 60, the position, to the bottom, and its top eight bits once more to the top.
  const __m512i bit_offsets = broadcast(0x3539312921191109);
  const __m512i mask52 = broadcast(kMask52);
  const __m512d two52 = _mm512_set1_pd(0x1p52);
  for (std::size_t group = 0; group < count / kGroup; ++group, words += kGroup, values += kGroup) {
    __m512i pairs_of_words[2] = {}, tops = {}, positions[8];
#pragma GCC unroll 8
    for (unsigned v = 0; v < 8; ++v) {
      const __m512i word = _mm512_load_si512(words + 8 * v);
      positions[v] = _mm512_multishift_epi64_epi8(bit_offsets, word);
      tops =
          _mm512_mask_shuffle_epi8(tops, 0x0003000300030003U << (2 * v), positions[v], last_bytes);
      pairs_of_words[v / 4] = _mm512_mask_shuffle_epi8(
          pairs_of_words[v / 4], 0x000f000f000f000fU << (4 * (v % 4)), word, first_pairs);
    }
    const __m512i strips = _mm512_permutex2var_epi8(pairs_of_words[0], evens, pairs_of_words[1]);
    const __m512i signs = _mm512_permutex2var_epi8(pairs_of_words[0], odds, pairs_of_words[1]);
    // The width's top byte with the sign of the draw: (signs << 7 & 0x80) | kWidthTop.
    const __m512i top_bytes = _mm512_ternarylogic_epi64(
        _mm512_slli_epi16(signs, 7), _mm512_set1_epi8(-128), _mm512_set1_epi8(kWidthTop), 0xea);
    const __mmask64 upper = _mm512_movepi8_mask(strips);
    const __m512i limit = look_up(planes.bytes[7], strips, upper);
    unsure[group] = ordered(_mm512_cmpge_epu8_mask(tops, limit), kOrder64);
    // Bytes 2 k and 2 k + 1 of the width beside each other, then four, then eight.
    __m512i pairs[2][4], fours[4][2], widths[8];
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; ++k) {
      const __m512i even = look_up(planes.bytes[2 * k], strips, upper);
      const __m512i odd = k == 3 ? top_bytes : look_up(planes.bytes[2 * k + 1], strips, upper);
      pairs[0][k] = _mm512_unpacklo_epi8(even, odd);
      pairs[1][k] = _mm512_unpackhi_epi8(even, odd);
    }
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; ++k) {
      const auto& p = pairs[k / 2];
      const unsigned half = 2 * (k % 2);
      fours[2 * (k / 2)][k % 2] = _mm512_unpacklo_epi16(p[half], p[half + 1]);
      fours[2 * (k / 2) + 1][k % 2] = _mm512_unpackhi_epi16(p[half], p[half + 1]);
    }
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; ++k) {
      widths[2 * k] = _mm512_unpacklo_epi32(fours[k][0], fours[k][1]);
      widths[2 * k + 1] = _mm512_unpackhi_epi32(fours[k][0], fours[k][1]);
    }
#pragma GCC unroll 8
    for (unsigned v = 0; v < 8; ++v) {
      // 2^52 + position: (positions & mask52) | two52.
      const __m512i raised =
          _mm512_ternarylogic_epi64(positions[v], mask52, _mm512_castpd_si512(two52), 0xea);
      const __m512d position = _mm512_sub_pd(_mm512_castsi512_pd(raised), two52);
      _mm512_store_pd(values + 8 * v, _mm512_mul_pd(position, _mm512_castsi512_pd(widths[v])));
    }
  }
}

void candidates32(const std::uint64_t* words, std::size_t count, float* values,
                  std::uint64_t* unsure) {
  static const Planes<5> planes = make_planes32();
  const __m512i first_bytes = _mm512_set1_epi32(0x0c080400);
  const __m512i last_bytes = _mm512_set1_epi32(0x0f0b0703);
  const __m512i sign = _mm512_set1_epi32(static_cast<int>(0x80000000U));
  for (std::size_t group = 0; group < count / kGroup; ++group) {
    __m512i halves[4], strips = _mm512_setzero_si512(), tops = strips;
#pragma GCC unroll 4
    for (unsigned v = 0; v < 4; ++v) {
      halves[v] = _mm512_load_si512(words + group * (kGroup / 2) + 8 * v);
      const __mmask64 place = 0x000f000f000f000fU << (4 * v);
      strips = _mm512_mask_shuffle_epi8(strips, place, halves[v], first_bytes);
      tops = _mm512_mask_shuffle_epi8(tops, place, halves[v], last_bytes);
    }
    const __mmask64 upper = _mm512_movepi8_mask(strips);
    const __m512i limit = look_up(planes.bytes[4], strips, upper);
    unsure[group] = ordered(_mm512_cmpge_epu8_mask(tops, limit), kOrder32);
    const __m512i byte0 = look_up(planes.bytes[0], strips, upper);
    const __m512i byte1 = look_up(planes.bytes[1], strips, upper);
    const __m512i byte2 = look_up(planes.bytes[2], strips, upper);
    const __m512i byte3 = look_up(planes.bytes[3], strips, upper);
    const __m512i low01 = _mm512_unpacklo_epi8(byte0, byte1);
    const __m512i high01 = _mm512_unpackhi_epi8(byte0, byte1);
    const __m512i low23 = _mm512_unpacklo_epi8(byte2, byte3);
    const __m512i high23 = _mm512_unpackhi_epi8(byte2, byte3);
    const __m512i widths[4] = {
        _mm512_unpacklo_epi16(low01, low23), _mm512_unpackhi_epi16(low01, low23),
        _mm512_unpacklo_epi16(high01, high23), _mm512_unpackhi_epi16(high01, high23)};
#pragma GCC unroll 4
    for (unsigned v = 0; v < 4; ++v) {
      const __m512 magnitude = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_srli_epi32(halves[v], 9)),
                                             _mm512_castsi512_ps(widths[v]));
      const __m512i value = _mm512_ternarylogic_epi32(_mm512_castps_si512(magnitude),
                                                      _mm512_slli_epi32(halves[v], 23), sign, 0x78);
      _mm512_store_si512(values + group * kGroup + 16 * v, value);
    }
  }
}

namespace {

// For each byte of mask bits the positions of its ones, in order, a byte each. A permutation by
// these is twice as fast as vpcompress on Zen 5.
constexpr std::array<std::uint64_t, 256> make_packings() {
  std::array<std::uint64_t, 256> packings{};
  for (std::uint64_t mask = 0; mask < 256; ++mask) {
    unsigned ones = 0;
    for (std::uint64_t i = 0; i < 8; ++i) {
      if ((mask >> i & 1) != 0) packings[mask] |= i << (8 * ones++);
    }
  }
  return packings;
}
constexpr auto kPackings = make_packings();

inline __m128i packing_of(std::uint8_t mask) {
  return _mm_cvtsi64_si128(static_cast<long long>(kPackings[mask]));
}

inline __m512d pack(const double* values, std::uint8_t mask) {
  return _mm512_permutexvar_pd(_mm512_cvtepu8_epi64(packing_of(mask)), _mm512_load_pd(values));
}

inline __m256 pack(const float* values, std::uint8_t mask) {
  return _mm256_permutexvar_ps(_mm256_cvtepu8_epi32(packing_of(mask)), _mm256_load_ps(values));
}

inline void store(double* out, __m512d packed) { _mm512_storeu_pd(out, packed); }
inline void store(float* out, __m256 packed) { _mm256_storeu_ps(out, packed); }

inline void store_first(double* out, __m512d packed, unsigned count) {
  _mm512_mask_storeu_pd(out, static_cast<__mmask8>(_bzhi_u32(~0U, count)), packed);
}
inline void store_first(float* out, __m256 packed, unsigned count) {
  _mm256_mask_storeu_ps(out, static_cast<__mmask8>(_bzhi_u32(~0U, count)), packed);
}

template <typename Real>
inline std::size_t pack_all(const Real* values, const std::uint64_t* keep, std::size_t count,
                            Real* out, std::size_t room) {
  std::size_t kept = 0, i = 0;
  // Whole vectors are stored, so what follows the last value must be ours too.
  for (; i < count && kept + kGroup <= room; i += kGroup) {
    std::uint64_t bits = keep[i / kGroup];
#pragma GCC unroll 8
    for (unsigned v = 0; v < 8; ++v, bits >>= 8) {
      store(out + kept, pack(values + i + 8 * v, static_cast<std::uint8_t>(bits)));
      kept += static_cast<std::size_t>(_mm_popcnt_u64(bits & 0xff));
    }
  }
  for (; i < count && kept < room; i += 8) {
    const auto bits = static_cast<std::uint8_t>(keep[i / kGroup] >> (i % kGroup));
    const auto fit = std::min(room - kept, static_cast<std::size_t>(_mm_popcnt_u64(bits)));
    store_first(out + kept, pack(values + i, bits), static_cast<unsigned>(fit));
    kept += fit;
  }
  return kept;
}

}  // namespace

std::size_t compact64(const double* values, const std::uint64_t* keep, std::size_t count,
                      double* out, std::size_t room) {
  return pack_all(values, keep, count, out, room);
}

std::size_t compact32(const float* values, const std::uint64_t* keep, std::size_t count, float* out,
                      std::size_t room) {
  return pack_all(values, keep, count, out, room);
}

}  // namespace sigstab::ifma

HWY_POP_ATTRIBUTES

#else  // never called

namespace sigstab::ifma {
void pcg_start(PcgLanes&) {}
void pcg_words(PcgLanes&, std::uint64_t*, std::size_t) {}
void candidates64(const std::uint64_t*, std::size_t, double*, std::uint64_t*) {}
void candidates32(const std::uint64_t*, std::size_t, float*, std::uint64_t*) {}
std::size_t compact64(const double*, const std::uint64_t*, std::size_t, double*, std::size_t) {
  return 0;
}
std::size_t compact32(const float*, const std::uint64_t*, std::size_t, float*, std::size_t) {
  return 0;
}
}  // namespace sigstab::ifma
#endif
