// Logarithm, sine and cosine for Box-Muller, on vectors of any length; included once per Highway
// target.
//
// Every target does the same operations in the same order, and every multiply-add is fused, on the
// scalar target by std::fma: so all of them give the same bits.
// Sources: fdlibm (e_log.c, k_sin.c, k_cos.c) for the float64 coefficients; the float32 ones are
// minimax fits on the intervals named beside them.

#if defined(SIGSTAB_RANDOM_VECTOR_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGSTAB_RANDOM_VECTOR_MATH_INL_H_
#undef SIGSTAB_RANDOM_VECTOR_MATH_INL_H_
#else
#define SIGSTAB_RANDOM_VECTOR_MATH_INL_H_
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sigstab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using hn::TFromD;  // for HWY_IF_LANE_SIZE_D

// a b + c, rounded once.
template <class V>
HWY_INLINE V fused(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return V{std::fma(a.raw, b.raw, c.raw)};
#else
  return hn::MulAdd(a, b, c);
#endif
}

// c - a b, rounded once.
template <class V>
HWY_INLINE V fused_negative(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return V{std::fma(-a.raw, b.raw, c.raw)};
#else
  return hn::NegMulAdd(a, b, c);
#endif
}

// a b - c, rounded once.
template <class V>
HWY_INLINE V fused_minus(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return V{std::fma(a.raw, b.raw, -c.raw)};
#else
  return hn::MulSub(a, b, c);
#endif
}

// Horner's rule, highest power first.
template <class D, class V = hn::Vec<D>, typename T = hn::TFromD<D>, std::size_t kTerms>
HWY_INLINE V polynomial(D d, V x, const T (&coefficients)[kTerms]) {
  V sum = hn::Set(d, coefficients[0]);
  for (std::size_t i = 1; i < kTerms; ++i) sum = fused(sum, x, hn::Set(d, coefficients[i]));
  return sum;
}

// -2 ln u for u in [2^-24, 1]. Accuracy: 1.2e-7 relative, also next to 1, and no bias.
template <class D, class V = hn::Vec<D>, HWY_IF_LANE_SIZE_D(D, 4)>
HWY_INLINE V minus_two_log(D d, V u) {
  // (ln(1 + t) - t) / t^2 on [-1/3, 1/3], times -2.
  static constexpr float kSeries[] = {0x1.109fd0p-2F,  -0x1.1ed8fap-2F, 0x1.eeb89ap-3F,
                                      -0x1.1ebca4p-2F, 0x1.55cd10p-2F,  -0x1.99d212p-2F,
                                      0x1.fffd6ap-2F,  -0x1.555502p-1F, 1.0F};
  constexpr float kMinusTwoLn2 = -1.3862943611F;
  const hn::RebindToSigned<D> di;
  // u = 2^e m with m in [2/3, 4/3).
  const auto bits = hn::BitCast(di, u);
  const auto e = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f2aaaab)));
  const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(e)));
  const V t = hn::Sub(m, hn::Set(d, 1.0F));
  const V tail = fused(hn::Mul(t, t), polynomial(d, t, kSeries), hn::Mul(t, hn::Set(d, -2.0F)));
  return fused(hn::ConvertTo(d, e), hn::Set(d, kMinusTwoLn2), tail);
}

// Sixteen angles next to k pi / 8 whose cosines and sines are float32 numbers to 1e-4 of their last
// bits (Gal's accurate tables), and how far each is from k pi / 8.
constexpr float kC1 = 0x1.d9047cp-1F, kS1 = 0x1.87e90cp-2F, kD1 = 0x1.78e3dcp-15F;
constexpr float kC2 = 0x1.6a1b0cp-1F, kS2 = 0x1.69f8c0p-1F, kD2 = -0x1.84065cp-13F;
alignas(64) inline constexpr float kCosineTable[16] = {
    1.0F, kC1, kC2, kS1, 0.0F, -kS1, -kS2, -kC1, -1.0F, -kC1, -kC2, -kS1, -0.0F, kS1, kS2, kC1};
alignas(64) inline constexpr float kSineTable[16] = {
    0.0F, kS1, kS2, kC1, 1.0F, kC1, kC2, kS1, -0.0F, -kS1, -kS2, -kC1, -1.0F, -kC1, -kC2, -kS1};
alignas(64) inline constexpr float kOffsetTable[16] = {0.0F, kD1, kD2, -kD1, 0.0F, kD1, kD2, -kD1,
                                                       0.0F, kD1, kD2, -kD1, 0.0F, kD1, kD2, -kD1};

// The three tables at k mod 16. The second half of the first two is the negated first.
template <class D, class DI, class V = hn::Vec<D>>
HWY_INLINE void look_up_sixteenths(D d, DI di, hn::Vec<DI> k, V& cosine, V& sine, V& offset) {
#if HWY_TARGET == HWY_SCALAR
  cosine = V{kCosineTable[k.raw & 15]};
  sine = V{kSineTable[k.raw & 15]};
  offset = V{kOffsetTable[k.raw & 15]};
  (void)d, (void)di;
#else
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  if constexpr (kLanes >= 16) {
    const auto index = hn::IndicesFromVec(d, hn::And(k, hn::Set(di, 15)));
    cosine = hn::TableLookupLanes(hn::Load(d, kCosineTable), index);
    sine = hn::TableLookupLanes(hn::Load(d, kSineTable), index);
    offset = hn::TableLookupLanes(hn::Load(d, kOffsetTable), index);
  } else if constexpr (kLanes == 8) {
    const auto index = hn::IndicesFromVec(d, hn::And(k, hn::Set(di, 7)));
    const V sign = hn::BitCast(d, hn::ShiftLeft<31>(hn::ShiftRight<3>(k)));
    cosine = hn::Xor(hn::TableLookupLanes(hn::Load(d, kCosineTable), index), sign);
    sine = hn::Xor(hn::TableLookupLanes(hn::Load(d, kSineTable), index), sign);
    offset = hn::TableLookupLanes(hn::Load(d, kOffsetTable), index);
  } else {
    const auto index = hn::And(k, hn::Set(di, 15));
    cosine = hn::GatherIndex(d, kCosineTable, index);
    sine = hn::GatherIndex(d, kSineTable, index);
    offset = hn::GatherIndex(d, kOffsetTable, index);
  }
#endif
}

// (sin r - r) / r^3 and cos r - 1 for |r| <= 0.1967 from r^2. Minimax: 5e-10 and 3e-9 in sin and
// cos.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sine_series(D d, V r2) {
  return fused(r2, hn::Set(d, 0x1.10b784p-7F), hn::Set(d, -0x1.555544p-3F));
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V cosine_less_one(D d, V r2) {
  return hn::Mul(r2, fused(r2, hn::Set(d, 0x1.54b8a4p-5F), hn::Set(d, -0x1.ffffc4p-2F)));
}

// cos and sin of theta in [0, 6.2831855]. Accuracy: 5e-8 absolute, also relative where either is
// near 0.
template <class D, class V = hn::Vec<D>, HWY_IF_LANE_SIZE_D(D, 4)>
HWY_INLINE void cosine_sine(D d, V theta, V& cosine, V& sine) {
  constexpr float kEightOverPi = 2.5464790895F;
  // pi / 8 in two parts; theta - k high is exact.
  constexpr float kStepHigh = 0x1.921fb6p-2F, kStepLow = -0x1.777a5cp-27F;
  // To round to an integer and to have it in the low bits.
  constexpr float kMagic = 0x1.8p23F;
  const hn::RebindToSigned<D> di;
  const V shifted = fused(theta, hn::Set(d, kEightOverPi), hn::Set(d, kMagic));
  const V k = hn::Sub(shifted, hn::Set(d, kMagic));
  V table_cosine, table_sine, offset;
  look_up_sixteenths(d, di, hn::BitCast(di, shifted), table_cosine, table_sine, offset);
  V r = fused_negative(k, hn::Set(d, kStepHigh), theta);
  r = hn::Sub(fused_negative(k, hn::Set(d, kStepLow), r), offset);
  const V r2 = hn::Mul(r, r);
  const V s = fused(hn::Mul(r, r2), sine_series(d, r2), r);
  const V c = cosine_less_one(d, r2);
  cosine = fused(table_cosine, c, fused_negative(table_sine, s, table_cosine));
  sine = fused(table_sine, c, fused(table_cosine, s, table_sine));
}

// -2 ln u for u in [2^-65, 1]. Accuracy: 1 ulp. fdlibm's logarithm, doubled at the end.
template <class D, class V = hn::Vec<D>, HWY_IF_LANE_SIZE_D(D, 8)>
HWY_INLINE V minus_two_log(D d, V u) {
  static constexpr double kOdd[] = {1.479819860511658591e-01, 1.818357216161805012e-01,
                                    2.857142874366239149e-01, 6.666666666666735130e-01};
  static constexpr double kEven[] = {1.531383769920937332e-01, 2.222219843214978396e-01,
                                     3.999999999940941908e-01};
  // ln 2 in two parts; k high is exact.
  constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
  const hn::RebindToSigned<D> di;
  // u = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
  const auto bits = hn::BitCast(di, u);
  const auto k = hn::ShiftRight<52>(hn::Sub(bits, hn::Set(di, 0x3fe6a09e667f3bcd)));
  const V f = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<52>(k))), hn::Set(d, 1.0));
  const V kf = hn::ConvertTo(d, k);
  const V s = hn::Div(f, hn::Add(hn::Set(d, 2.0), f));
  const V z = hn::Mul(s, s), w = hn::Mul(z, z);
  const V series = fused(z, polynomial(d, w, kOdd), hn::Mul(w, polynomial(d, w, kEven)));
  const V half_square = hn::Mul(hn::Mul(f, f), hn::Set(d, 0.5));
  const V low = fused(s, hn::Add(half_square, series), hn::Mul(kf, hn::Set(d, kLn2Low)));
  const V log = fused(kf, hn::Set(d, kLn2High), hn::Sub(f, hn::Sub(half_square, low)));
  return hn::Mul(log, hn::Set(d, -2.0));
}

// cos and sin of r + quarters pi / 2 for |r| <= pi / 4, quarters in the low two bits of `quarters`.
// Accuracy: 1 ulp. fdlibm's kernels.
template <class D, class DI, class V = hn::Vec<D>>
HWY_INLINE void cosine_sine_from(D d, DI di, V r, hn::Vec<DI> quarters, V& cosine, V& sine) {
  static constexpr double kSine[] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                                     2.75573137070700676789e-06, -1.98412698298579493134e-04,
                                     8.33333333332248946124e-03, -1.66666666666666324348e-01};
  static constexpr double kCosine[] = {-1.13596475577881948265e-11,
                                       2.08757232129817482790e-09,
                                       -2.75573143513906633035e-07,
                                       2.48015872894767294178e-05,
                                       -1.38888888888741095749e-03,
                                       4.16666666666666019037e-02,
                                       -0.5};
  const V r2 = hn::Mul(r, r);
  const V s = fused(hn::Mul(r, r2), polynomial(d, r2, kSine), r);
  const V c = fused(r2, polynomial(d, r2, kCosine), hn::Set(d, 1.0));
  const auto swap =
      hn::MaskFromVec(hn::BitCast(d, hn::Sub(hn::Zero(di), hn::And(quarters, hn::Set(di, 1)))));
  const auto two = hn::Set(di, 2);
  const auto cosine_sign = hn::ShiftLeft<62>(hn::And(hn::Add(quarters, hn::Set(di, 1)), two));
  const auto sine_sign = hn::ShiftLeft<62>(hn::And(quarters, two));
  cosine = hn::Xor(hn::IfThenElse(swap, s, c), hn::BitCast(d, cosine_sign));
  sine = hn::Xor(hn::IfThenElse(swap, c, s), hn::BitCast(d, sine_sign));
}

// cos and sin of theta in [0, 2 pi] in float64. Accuracy: 1.5 ulp, also where either is near 0.
template <class D, class V = hn::Vec<D>, HWY_IF_LANE_SIZE_D(D, 8)>
HWY_INLINE void cosine_sine(D d, V theta, V& cosine, V& sine) {
  // pi / 2 in two parts; theta - k high is exact.
  constexpr double kHalfPiHigh = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54;
  constexpr double kMagic = 0x1.8p52;
  const hn::RebindToSigned<D> di;
  const V shifted = fused(theta, hn::Set(d, 0.63661977236758134), hn::Set(d, kMagic));
  const V k = hn::Sub(shifted, hn::Set(d, kMagic));
  V r = fused_negative(k, hn::Set(d, kHalfPiHigh), theta);
  r = fused_negative(k, hn::Set(d, kHalfPiLow), r);
  cosine_sine_from(d, di, r, hn::BitCast(di, shifted), cosine, sine);
}

}  // namespace HWY_NAMESPACE
}  // namespace sigstab
HWY_AFTER_NAMESPACE();

#endif  // SIGSTAB_RANDOM_VECTOR_MATH_INL_H_
