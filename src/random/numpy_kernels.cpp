// PCG64 and the ziggurats on Highway's vectors.
//
// Highway has no 128-bit products: without IFMA the words come from four scalar generators in turn.

#include "random/numpy_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "random/vector_targets.hpp"
#include "random/ziggurat_tables.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "random/numpy_kernels.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After it.
#include "hwy/highway.h"
#include "random/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sigstab {
namespace HWY_NAMESPACE {

using Words64 = hn::CappedTag<std::uint64_t, 8>;
using Words32 = hn::CappedTag<std::uint32_t, 16>;

// Bit i of the result is lane i of the mask.
template <class D>
HWY_INLINE std::uint64_t bits_of(D d, hn::Mask<D> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

void candidates64(const std::uint64_t* HWY_RESTRICT words, std::size_t count,
                  double* HWY_RESTRICT values, std::uint64_t* HWY_RESTRICT unsure) {
#if HWY_TARGET == HWY_AVX3
  if (has_avx512_ifma()) return ifma::candidates64(words, count, values, unsure);
#endif
  const Words64 d;
  const hn::RebindToSigned<Words64> di;
  const hn::RebindToFloat<Words64> df;
  static_assert(sizeof(kZigguratAccept[0]) == sizeof(std::int64_t));
  const auto* const accept = reinterpret_cast<const std::int64_t*>(kZigguratAccept.data());
  for (std::size_t i = 0; i < count; i += kGroup) {
    std::uint64_t inside = 0;
    for (std::size_t j = 0; j < kGroup; j += hn::Lanes(d)) {
      const auto word = hn::Load(d, words + i + j);
      const auto strip = hn::BitCast(di, hn::And(word, hn::Set(d, 0xffU)));
      const auto position = hn::BitCast(di, hn::ShiftRight<12>(hn::ShiftLeft<3>(word)));
      const auto magnitude =
          hn::Mul(hn::ConvertTo(df, position), hn::GatherIndex(df, kZigguratWidth.data(), strip));
      const auto sign = hn::And(hn::ShiftLeft<55>(word), hn::Set(d, std::uint64_t{1} << 63));
      hn::Store(hn::Xor(magnitude, hn::BitCast(df, sign)), df, values + i + j);
      inside |= bits_of(di, hn::Lt(position, hn::GatherIndex(di, accept, strip))) << j;
    }
    unsure[i / kGroup] = ~inside;
  }
}

void candidates32(const std::uint64_t* HWY_RESTRICT words, std::size_t count,
                  float* HWY_RESTRICT values, std::uint64_t* HWY_RESTRICT unsure) {
#if HWY_TARGET == HWY_AVX3
  if (has_avx512_ifma()) return ifma::candidates32(words, count, values, unsure);
#endif
  const Words32 d;
  const hn::RebindToSigned<Words32> di;
  const hn::RebindToFloat<Words32> df;
  const auto* const halves = reinterpret_cast<const std::uint32_t*>(words);
  const auto* const accept = reinterpret_cast<const std::int32_t*>(kZigguratAcceptFloat.data());
  for (std::size_t i = 0; i < count; i += kGroup) {
    std::uint64_t inside = 0;
    for (std::size_t j = 0; j < kGroup; j += hn::Lanes(d)) {
      const auto word = hn::Load(d, halves + i + j);
      const auto strip = hn::BitCast(di, hn::And(word, hn::Set(d, 0xffU)));
      const auto position = hn::BitCast(di, hn::ShiftRight<9>(word));
      const auto magnitude = hn::Mul(hn::ConvertTo(df, position),
                                     hn::GatherIndex(df, kZigguratWidthFloat.data(), strip));
      const auto sign = hn::And(hn::ShiftLeft<23>(word), hn::Set(d, 0x80000000U));
      hn::Store(hn::Xor(magnitude, hn::BitCast(df, sign)), df, values + i + j);
      inside |= bits_of(di, hn::Lt(position, hn::GatherIndex(di, accept, strip))) << j;
    }
    unsure[i / kGroup] = ~inside;
  }
}

std::size_t list(const std::uint64_t* HWY_RESTRICT masks, std::size_t groups,
                 std::uint32_t* HWY_RESTRICT out) {
  std::size_t listed = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    std::uint64_t rest = masks[group];
    const auto ones = static_cast<std::size_t>(std::popcount(rest));
    const auto append = [&](std::size_t at) HWY_ATTR {
      out[listed + at] = static_cast<std::uint32_t>(group * kGroup) +
                         static_cast<std::uint32_t>(std::countr_zero(rest));
      rest &= rest - 1;
    };
    // One on average, hardly ever more than four: always writing four avoids a branch that cannot
    // be predicted.
    for (std::size_t at = 0; at < kListSlack; ++at) append(at);
    for (std::size_t at = kListSlack; at < ones; ++at) append(at);
    listed += ones;
  }
  return listed;
}

void wedges(const double* HWY_RESTRICT xs, const double* HWY_RESTRICT heights, std::size_t count,
            std::uint8_t* HWY_RESTRICT accepted) {
  // Taylor's series of exp on [-ln 2 / 2, ln 2 / 2], 7e-12.
  static constexpr double kExp[] = {1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                                    1.0 / 24,     1.0 / 6,     0.5,        1.0,       1.0};
  // An error that this exp cannot reach.
  constexpr double kMargin = 1e-10;
  constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453, kMagic = 0x1.8p52;
  const hn::CappedTag<double, 8> d;
  const hn::RebindToSigned<decltype(d)> di;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, xs + i), height = hn::LoadU(d, heights + i);
    const auto y = hn::Mul(hn::Mul(hn::Set(d, -0.5), x), x);
    const auto shifted = fused(y, hn::Set(d, kLog2E), hn::Set(d, kMagic));
    const auto k = hn::Sub(shifted, hn::Set(d, kMagic));
    const auto r = fused_negative(k, hn::Set(d, kLn2), y);
    const auto scale =
        hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(hn::BitCast(di, shifted), hn::Set(di, 1023))));
    const auto exp = hn::Mul(polynomial(d, r, kExp), scale);
    const auto difference = hn::Sub(exp, height);
    const auto margin = hn::Mul(exp, hn::Set(d, kMargin));
    const std::uint64_t above = bits_of(d, hn::Gt(difference, margin));
    const std::uint64_t close = bits_of(d, hn::Le(hn::Abs(difference), margin));
    for (std::size_t j = 0; j < hn::Lanes(d); ++j) accepted[i + j] = above >> j & 1;
    for (std::uint64_t rest = close; rest != 0; rest &= rest - 1) {
      const std::size_t j = i + static_cast<std::size_t>(std::countr_zero(rest));
      if (j < count) accepted[j] = heights[j] < std::exp(-0.5 * xs[j] * xs[j]);
    }
  }
}

// Copies the stretches between what is dropped.
template <typename T>
HWY_INLINE std::size_t compact_runs(const T* HWY_RESTRICT values, const std::uint64_t* keep,
                                    std::size_t count, T* HWY_RESTRICT out, std::size_t room) {
  std::size_t kept = 0, start = 0;
  const auto copy_until = [&](std::size_t end) {
    const std::size_t length = std::min(end - start, room - kept);
    std::copy_n(values + start, length, out + kept);
    kept += length;
    start = end + 1;
  };
  for (std::size_t i = 0; i < count && kept < room; i += kGroup) {
    for (std::uint64_t dropped = ~keep[i / kGroup]; dropped != 0; dropped &= dropped - 1) {
      copy_until(i + static_cast<std::size_t>(std::countr_zero(dropped)));
    }
  }
  if (start < count) copy_until(count);
  return kept;
}

std::size_t compact64(const double* values, const std::uint64_t* keep, std::size_t count,
                      double* out, std::size_t room) {
#if HWY_TARGET == HWY_AVX3
  if (has_avx512_ifma()) return ifma::compact64(values, keep, count, out, room);
#endif
  return compact_runs(values, keep, count, out, room);
}

std::size_t compact32(const float* values, const std::uint64_t* keep, std::size_t count, float* out,
                      std::size_t room) {
#if HWY_TARGET == HWY_AVX3
  if (has_avx512_ifma()) return ifma::compact32(values, keep, count, out, room);
#endif
  return compact_runs(values, keep, count, out, room);
}

void uniforms64(const std::uint64_t* HWY_RESTRICT words, std::size_t count, double low,
                double range, double* HWY_RESTRICT out) {
  const Words64 d;
  const hn::RebindToFloat<Words64> df;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto top =
        hn::BitCast(hn::RebindToSigned<Words64>(), hn::ShiftRight<11>(hn::Load(d, words + i)));
    const auto u = hn::Mul(hn::ConvertTo(df, top), hn::Set(df, 0x1p-53));
    hn::StoreU(hn::Add(hn::Set(df, low), hn::Mul(hn::Set(df, range), u)), df, out + i);
  }
  for (; i < count; ++i) out[i] = low + range * (static_cast<double>(words[i] >> 11) * 0x1p-53);
}

void uniforms32(const std::uint64_t* HWY_RESTRICT words, std::size_t count, float low, float range,
                float* HWY_RESTRICT out) {
  const Words32 d;
  const hn::RebindToFloat<Words32> df;
  const auto* const halves = reinterpret_cast<const std::uint32_t*>(words);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto top =
        hn::BitCast(hn::RebindToSigned<Words32>(), hn::ShiftRight<8>(hn::Load(d, halves + i)));
    const auto u = hn::Mul(hn::ConvertTo(df, top), hn::Set(df, 0x1p-24F));
    hn::StoreU(hn::Add(hn::Set(df, low), hn::Mul(hn::Set(df, range), u)), df, out + i);
  }
  for (; i < count; ++i) out[i] = low + range * (static_cast<float>(halves[i] >> 8) * 0x1p-24F);
}

}  // namespace HWY_NAMESPACE
}  // namespace sigstab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sigstab {
namespace {

// Four generators, each four steps at a time: one would wait for its own products.
void words_in_chains(PcgLanes& lanes, std::uint64_t* words, std::size_t count) {
  constexpr std::size_t kChains = 4;
  constexpr auto kJump = Pcg64::kJump<kChains>;
  const Uint128 increment = kJump.increment * lanes.increment;
  std::array<Uint128, kChains> states;
  Uint128 state = lanes.state;
  for (Uint128& s : states) s = state = state * Pcg64::kMultiplier + lanes.increment;
  for (std::size_t i = 0; i < count; i += kChains) {
    lanes.state = states.back();
    for (std::size_t j = 0; j < kChains; ++j) {
      words[i + j] = Pcg64::output(states[j]);
      states[j] = states[j] * kJump.multiplier + increment;
    }
  }
}

}  // namespace

PcgLanes pcg_start(const Pcg64& bits) {
  PcgLanes lanes;
  lanes.state = bits.state();
  lanes.increment = bits.increment();
  lanes.has_limbs = false;
  if (has_avx512_ifma()) ifma::pcg_start(lanes);
  return lanes;
}

HWY_EXPORT(candidates64);
HWY_EXPORT(candidates32);
HWY_EXPORT(list);
HWY_EXPORT(wedges);
HWY_EXPORT(compact64);
HWY_EXPORT(compact32);
HWY_EXPORT(uniforms64);
HWY_EXPORT(uniforms32);

void pcg_words(PcgLanes& lanes, std::uint64_t* words, std::size_t count) {
  // Lanes that started with one kind of state go on with it.
  if (!lanes.has_limbs) return words_in_chains(lanes, words, count);
  ifma::pcg_words(lanes, words, count);
}

void ziggurat_candidates(const std::uint64_t* words, std::size_t count, double* values,
                         std::uint64_t* unsure) {
  HWY_DYNAMIC_DISPATCH(candidates64)(words, count, values, unsure);
}

void ziggurat_candidates(const std::uint64_t* words, std::size_t count, float* values,
                         std::uint64_t* unsure) {
  HWY_DYNAMIC_DISPATCH(candidates32)(words, count, values, unsure);
}

std::size_t list_bits(const std::uint64_t* masks, std::size_t groups, std::uint32_t* list) {
  return HWY_DYNAMIC_DISPATCH(list)(masks, groups, list);
}

void decide_wedges(const double* xs, const double* heights, std::size_t count,
                   std::uint8_t* accepted) {
  HWY_DYNAMIC_DISPATCH(wedges)(xs, heights, count, accepted);
}

std::size_t compact(const double* values, const std::uint64_t* keep, std::size_t count, double* out,
                    std::size_t room) {
  return HWY_DYNAMIC_DISPATCH(compact64)(values, keep, count, out, room);
}

std::size_t compact(const float* values, const std::uint64_t* keep, std::size_t count, float* out,
                    std::size_t room) {
  return HWY_DYNAMIC_DISPATCH(compact32)(values, keep, count, out, room);
}

void uniforms_of_words(const std::uint64_t* words, std::size_t count, double low, double range,
                       double* out) {
  HWY_DYNAMIC_DISPATCH(uniforms64)(words, count, low, range, out);
}

void uniforms_of_words(const std::uint64_t* words, std::size_t count, float low, float range,
                       float* out) {
  HWY_DYNAMIC_DISPATCH(uniforms32)(words, count, low, range, out);
}

}  // namespace sigstab
#endif  // HWY_ONCE
