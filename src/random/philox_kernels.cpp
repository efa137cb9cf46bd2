// Philox4x32-10 and Box-Muller in vectors.
//
// float32 normals carry the roundings of radius, angle, cosine and sine along as second, small
// float32 numbers, which is cheaper than float64 and leaves little more than the last rounding.

#include "random/philox_kernels.hpp"

#include <algorithm>
#include <array>

#include "random/pcg64.hpp"  // Uint128

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "random/philox_kernels.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After it.
#include "hwy/highway.h"
#include "random/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sigstab {
namespace HWY_NAMESPACE {

using Floats = hn::CappedTag<float, 16>;
using Doubles = hn::CappedTag<double, 8>;
using Words32 = hn::CappedTag<std::uint32_t, 16>;
using Words64 = hn::CappedTag<std::uint64_t, 8>;

#if HWY_TARGET == HWY_SCALAR
void blocks(PhiloxKey key, std::uint32_t layer, std::uint32_t role, std::uint64_t first,
            std::size_t count, std::uint32_t* HWY_RESTRICT words) {
  for (std::uint64_t block = first; block < first + count; ++block, words += 4) {
    const PhiloxBlock made = philox4x32_10(
        {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), layer, role},
        key);
    std::copy(made.begin(), made.end(), words);
  }
}
#else
// Word i of the blocks is in the low halves of 64-bit lanes; the high halves are rubbish, which
// the 32-bit products do not see.
void blocks(PhiloxKey key, std::uint32_t layer, std::uint32_t role, std::uint64_t first,
            std::size_t count, std::uint32_t* HWY_RESTRICT words) {
  constexpr std::size_t kRounds = 10;
  // Vectors at a time: one would wait for its own products.
  constexpr std::size_t kChains = 4;
  static_assert(kPhiloxBlocks % (kChains * hn::MaxLanes(Words64())) == 0);
  const Words64 d;
  const Words32 d32;
  const std::size_t lanes = hn::Lanes(d);
  auto* out = reinterpret_cast<std::uint64_t*>(words);
  // As vectors in memory: there are more of them than registers.
  alignas(64) std::uint64_t keys[kRounds][2][8];
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    hn::Store(hn::Set(d, std::uint64_t{key[0] + round * 0x9e3779b9U}), d, keys[round][0]);
    hn::Store(hn::Set(d, std::uint64_t{key[1] + round * 0xbb67ae85U}), d, keys[round][1]);
  }
  // Which block of the step a lane makes: even lanes the first half, odd lanes the second, so that
  // interleaving even and odd lanes gives blocks in order.
  alignas(64) std::uint64_t offsets[8];
  for (std::size_t i = 0; i < lanes; ++i) offsets[i] = i / 2 + (i % 2) * (lanes / 2);
  const auto offset = hn::Load(d, offsets);
  const auto multiplier0 = hn::Set(d32, 0xd2511f53U), multiplier1 = hn::Set(d32, 0xcd9e8d57U);
  using V = hn::Vec<Words64>;
  for (std::size_t i = 0; i < count; i += kChains * lanes) {
    V c0[kChains], c1[kChains], c2[kChains], c3[kChains];
    for (std::size_t j = 0; j < kChains; ++j) {
      c0[j] = hn::Add(hn::Set(d, first + i + j * lanes), offset);
      c1[j] = hn::ShiftRight<32>(c0[j]);
      c2[j] = hn::Set(d, std::uint64_t{layer});
      c3[j] = hn::Set(d, std::uint64_t{role});
    }
    for (std::size_t round = 0; round < kRounds; ++round) {
      const V key0 = hn::Load(d, keys[round][0]), key1 = hn::Load(d, keys[round][1]);
      for (std::size_t j = 0; j < kChains; ++j) {
        const V even = hn::MulEven(multiplier0, hn::BitCast(d32, c0[j]));
        const V odd = hn::MulEven(multiplier1, hn::BitCast(d32, c2[j]));
        c0[j] = hn::Xor(hn::Xor(hn::ShiftRight<32>(odd), c1[j]), key0);
        c2[j] = hn::Xor(hn::Xor(hn::ShiftRight<32>(even), c3[j]), key1);
        c1[j] = odd;
        c3[j] = even;
      }
    }
    const auto joined = [&](V low, V high) HWY_ATTR {
      return hn::BitCast(
          d, hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(high)), hn::BitCast(d32, low)));
    };
    for (std::size_t j = 0; j < kChains; ++j) {
      const V low = joined(c0[j], c1[j]), high = joined(c2[j], c3[j]);
      hn::Store(hn::InterleaveLower(d, low, high), d, out);
      hn::Store(hn::InterleaveUpper(d, low, high), d, out + lanes);
      out += 2 * lanes;
    }
  }
}
#endif

// A number as the sum of its rounded value and a rest.
template <class V>
struct Sum {
  V high, low;
};

// a + b for |a| >= |b|, or a = 0.
template <class V>
HWY_INLINE Sum<V> exact_sum(V a, V b) {
  const V high = hn::Add(a, b);
  return {high, hn::Sub(b, hn::Sub(high, a))};
}

// sqrt(-2 ln u) for u in [2^-33, 1]. Accuracy: 3e-9 relative.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Sum<V> radius_of(D d, V u) {
  // (-2 ln(1 + t) + 2 t - t^2) / t^3 on [-1/3, 1/3], minimax.
  static constexpr float kSeries[] = {0x1.109fd0p-2F,  -0x1.1ed8fap-2F, 0x1.eeb89ap-3F,
                                      -0x1.1ebca4p-2F, 0x1.55cd10p-2F,  -0x1.99d212p-2F,
                                      0x1.fffd6ap-2F,  -0x1.555502p-1F};
  // -2 ln 2 in two parts; e high is exact.
  constexpr float kHigh = -0x1.62e4p+0F, kLow = -0x1.7f7d1cp-19F;
  const hn::RebindToSigned<D> di;
  // u = 2^e (1 + t) with 1 + t in [2/3, 4/3).
  const auto bits = hn::BitCast(di, u);
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f2aaaab)));
  const V t = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent))), hn::Set(d, 1.0F));
  const V e = hn::ConvertTo(d, exponent);
  const V square = hn::Mul(t, t);
  const V square_low = fused_minus(t, t, square);
  V rest = fused(hn::Mul(t, square), polynomial(d, t, kSeries), square_low);
  rest = fused(e, hn::Set(d, kLow), rest);
  const Sum<V> linear = exact_sum(hn::Mul(e, hn::Set(d, kHigh)), hn::Mul(t, hn::Set(d, -2.0F)));
  const Sum<V> leading = exact_sum(linear.high, square);
  rest = hn::Add(hn::Add(rest, linear.low), leading.low);
  const Sum<V> log = exact_sum(leading.high, rest);
  const V root = hn::Sqrt(log.high);
  const V residue = hn::Add(fused_negative(root, root, log.high), log.low);
  // At u = 1 both are 0.
  const V divisor = hn::Max(hn::Add(root, root), hn::Set(d, 0x1p-60F));
  return {root, hn::Div(residue, divisor)};
}

// cos and sin of `turns` 2^-24 turns, turns in [0, 2^24). Accuracy: 4e-9 relative.
template <class D, class DI, class V = hn::Vec<D>>
HWY_INLINE void direction_of(D d, DI di, hn::Vec<DI> turns, Sum<V>& cosine, Sum<V>& sine) {
  // 2 pi 2^-24 in two parts.
  constexpr float kStepHigh = 0x1.921fb6p-22F, kStepLow = -0x1.777a5cp-47F;
  const auto k = hn::ShiftRight<20>(hn::Add(turns, hn::Set(di, 1 << 19)));
  const V steps = hn::ConvertTo(d, hn::Sub(turns, hn::ShiftLeft<20>(k)));
  V table_cosine, table_sine, offset;
  look_up_sixteenths(d, di, k, table_cosine, table_sine, offset);
  // The angle from the table's: r + r_low. Where the product is smaller than the offset, neither
  // cosine nor sine is small and r_low may be wrong.
  const V product = hn::Mul(steps, hn::Set(d, kStepHigh));
  V r_low = fused_minus(steps, hn::Set(d, kStepHigh), product);
  r_low = fused(steps, hn::Set(d, kStepLow), r_low);
  const V r = hn::Sub(product, offset);
  r_low = hn::Add(hn::Sub(hn::Sub(product, r), offset), r_low);
  const V r2 = hn::Mul(r, r);
  const V c = cosine_less_one(d, r2);
  const V s_low = fused(hn::Mul(r, r2), sine_series(d, r2), r_low);
  // from (1 + c) + by (r + s_low).
  const auto rotated = [&](V from, V by) HWY_ATTR {
    const V moved = hn::Mul(by, r);
    const V moved_low = fused_minus(by, r, moved);
    const Sum<V> sum = exact_sum(from, moved);
    return Sum<V>{sum.high, hn::Add(fused(from, c, fused(by, s_low, moved_low)), sum.low)};
  };
  cosine = rotated(table_cosine, hn::Neg(table_sine));
  sine = rotated(table_sine, table_cosine);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V product_of(D /*d*/, const Sum<V>& a, const Sum<V>& b) {
  return fused(a.high, b.high, fused(a.high, b.low, hn::Mul(a.low, b.high)));
}

// One vector of pairs.
template <class V32, class V>
HWY_INLINE void pairs_of(V32 radius, V32 angle, V& first, V& second) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  // The conversion of 32 bits to float32, rounded once: both 16-bit halves are exact.
  const auto high = hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<16>(radius)));
  const auto low = hn::ConvertTo(
      d, hn::BitCast(di, hn::And(radius, hn::Set(hn::RebindToUnsigned<Floats>(), 0xffffU))));
  const V word = fused(high, hn::Set(d, 65536.0F), low);
  const V u = hn::Mul(hn::Add(word, hn::Set(d, 0.5F)), hn::Set(d, 0x1p-32F));
  const Sum<V> r = radius_of(d, u);
  Sum<V> cosine, sine;
  direction_of(d, di, hn::BitCast(di, hn::ShiftRight<8>(angle)), cosine, sine);
  first = product_of(d, r, cosine);
  second = product_of(d, r, sine);
}

void normals32(const std::uint32_t* HWY_RESTRICT words, std::size_t pairs,
               float* HWY_RESTRICT out) {
  const Floats d;
  const Words32 d32;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < 2 * pairs; i += 2) {
    hn::Vec<Floats> first, second;
    pairs_of(hn::Set(d32, words[i]), hn::Set(d32, words[i + 1]), first, second);
    out[i] = first.raw;
    out[i + 1] = second.raw;
  }
  (void)d;
#else
  const Words64 d64;
  // Low halves of the 64-bit lanes from a, high halves from b.
  const auto blend = [&](auto a, auto b)
                         HWY_ATTR { return hn::OddEven(hn::BitCast(d32, b), hn::BitCast(d32, a)); };
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < 2 * pairs; i += 2 * lanes) {
    // Even lanes take the pairs of a, odd lanes those of b.
    const auto a = hn::BitCast(d64, hn::Load(d32, words + i));
    const auto b = hn::BitCast(d64, hn::Load(d32, words + i + lanes));
    hn::Vec<Floats> first, second;
    pairs_of(blend(a, hn::ShiftLeft<32>(b)), blend(hn::ShiftRight<32>(a), b), first, second);
    const auto c = hn::BitCast(d64, first), s = hn::BitCast(d64, second);
    hn::StoreU(hn::BitCast(d, blend(c, hn::ShiftLeft<32>(s))), d, out + i);
    hn::StoreU(hn::BitCast(d, blend(hn::ShiftRight<32>(c), s)), d, out + i + lanes);
  }
#endif
}

template <class V64, class V>
HWY_INLINE void pairs_of64(V64 radius, V64 angle, V& first, V& second) {
  const Doubles d;
  const Words64 d64;
  const hn::RebindToSigned<Doubles> di;
  // The conversion of 64 bits to float64, rounded once: both 32-bit halves are exact.
  const auto high = hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<32>(radius)));
  const auto low =
      hn::ConvertTo(d, hn::BitCast(di, hn::And(radius, hn::Set(d64, std::uint64_t{0xffffffff}))));
  const V word = fused(high, hn::Set(d, 0x1p32), low);
  const V u = hn::Mul(hn::Add(word, hn::Set(d, 0.5)), hn::Set(d, 0x1p-64));
  const V r = hn::Sqrt(minus_two_log(d, u));
  // The nearest quarter turn comes off exactly; what is left is rounded only when it is multiplied,
  // which keeps cosines and sines near 0 accurate to their own last bits.
  const auto turns = hn::BitCast(di, hn::ShiftRight<11>(angle));
  const auto quarters = hn::BitCast(
      di, hn::ShiftRight<51>(hn::BitCast(d64, hn::Add(turns, hn::Set(di, std::int64_t{1} << 50)))));
  const V rest = hn::ConvertTo(d, hn::Sub(turns, hn::ShiftLeft<51>(quarters)));
  V cosine, sine;
  cosine_sine_from(d, di, hn::Mul(rest, hn::Set(d, 0x1.921fb54442d18p-51)), quarters, cosine, sine);
  first = hn::Mul(r, cosine);
  second = hn::Mul(r, sine);
}

void normals64(const std::uint64_t* HWY_RESTRICT words, std::size_t pairs,
               double* HWY_RESTRICT out) {
  const Doubles d;
  const Words64 d64;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < 2 * pairs; i += 2) {
    hn::Vec<Doubles> first, second;
    pairs_of64(hn::Set(d64, words[i]), hn::Set(d64, words[i + 1]), first, second);
    out[i] = first.raw;
    out[i + 1] = second.raw;
  }
  (void)d;
#else
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < 2 * pairs; i += 2 * lanes) {
    const auto a = hn::Load(d64, words + i), b = hn::Load(d64, words + i + lanes);
    hn::Vec<Doubles> first, second;
    pairs_of64(hn::InterleaveLower(d64, a, b), hn::InterleaveUpper(d64, a, b), first, second);
    hn::StoreU(hn::InterleaveLower(d, first, second), d, out + i);
    hn::StoreU(hn::InterleaveUpper(d, first, second), d, out + i + lanes);
  }
#endif
}

void scaled(const std::uint64_t* HWY_RESTRICT words, std::size_t count, std::uint32_t bound,
            std::int64_t* HWY_RESTRICT out) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Words64 d;
  const Words32 d32;
  const hn::RebindToSigned<Words64> di;
  const auto factor = hn::BitCast(d32, hn::Set(d, std::uint64_t{bound}));
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto word = hn::Load(d, words + i);
    const auto low = hn::MulEven(hn::BitCast(d32, word), factor);
    const auto high = hn::MulEven(hn::BitCast(d32, hn::ShiftRight<32>(word)), factor);
    const auto product = hn::Add(high, hn::ShiftRight<32>(low));
    hn::StoreU(hn::BitCast(di, hn::ShiftRight<32>(product)), di, out + i);
  }
#endif
  for (; i < count; ++i) out[i] = static_cast<std::int64_t>((Uint128{words[i]} * bound) >> 64);
}

}  // namespace HWY_NAMESPACE
}  // namespace sigstab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sigstab {

HWY_EXPORT(blocks);
HWY_EXPORT(normals32);
HWY_EXPORT(normals64);
HWY_EXPORT(scaled);

void philox_blocks(PhiloxKey key, std::uint32_t layer, std::uint32_t role, std::uint64_t first,
                   std::size_t count, std::uint32_t* words) {
  HWY_DYNAMIC_DISPATCH(blocks)(key, layer, role, first, count, words);
}

void box_muller_pairs(const std::uint32_t* words, std::size_t pairs, float* out) {
  HWY_DYNAMIC_DISPATCH(normals32)(words, pairs, out);
}

void box_muller_pairs(const std::uint64_t* words, std::size_t pairs, double* out) {
  HWY_DYNAMIC_DISPATCH(normals64)(words, pairs, out);
}

void scale_words(const std::uint64_t* words, std::size_t count, std::uint32_t bound,
                 std::int64_t* out) {
  HWY_DYNAMIC_DISPATCH(scaled)(words, count, bound, out);
}

}  // namespace sigstab
#endif  // HWY_ONCE
