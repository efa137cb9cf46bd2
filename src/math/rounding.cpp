#include "math/rounding.hpp"

#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/rounding.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sigstab::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Magnitudes, as bits: they are ordered as the numbers are, and one past a format's last bit
// carries into the exponent, which is what rounding up asks for.
constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kInfinity = 0x7f800000U;
constexpr std::uint32_t kQuiet = 0x00400000U;

// The nearest multiple of 2^kDropped among the bit patterns, ties to even.
template <int kDropped, class DU, class VU>
HWY_INLINE VU round_bits(DU du, VU bits) {
  constexpr std::uint32_t kBelowHalf = (1U << (kDropped - 1)) - 1, kKept = ~((1U << kDropped) - 1);
  const VU odd = hn::And(hn::ShiftRight<kDropped>(bits), hn::Set(du, 1U));
  return hn::And(hn::Add(bits, hn::Add(odd, hn::Set(du, kBelowHalf))), hn::Set(du, kKept));
}

struct ToBfloat16 {
  template <class DU, class VU>
  static HWY_INLINE VU magnitude(DU du, VU bits) {
    return round_bits<16>(du, bits);
  }
};

struct ToFloat16 {
  template <class DU, class VU>
  static HWY_INLINE VU magnitude(DU du, VU bits) {
    const hn::RebindToFloat<DU> df;
    const VU normal = round_bits<13>(du, bits);
    const VU limited = hn::IfThenElse(hn::Gt(normal, hn::Set(du, 0x477fe000U)),  // 65504
                                      hn::Set(du, kInfinity), normal);
    // Below 2^-14 the format's numbers are 2^-24 apart, as are the floats from 1/2 to 1.
    const auto half = hn::Set(df, 0.5F);
    const VU subnormal = hn::BitCast(du, hn::Sub(hn::Add(hn::BitCast(df, bits), half), half));
    return hn::IfThenElse(hn::Lt(bits, hn::Set(du, 0x38800000U)), subnormal, limited);  // 2^-14
  }
};

template <class Format, class D>
HWY_INLINE void round_vector(D d, float* x) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, hn::LoadU(d, x));
  const auto sign = hn::And(bits, hn::Set(du, kSign));
  const auto magnitude = hn::Xor(bits, sign);
  const auto is_nan = hn::Gt(magnitude, hn::Set(du, kInfinity));
  const auto rounded =
      hn::IfThenElse(is_nan, hn::Set(du, kInfinity | kQuiet), Format::magnitude(du, magnitude));
  hn::StoreU(hn::BitCast(d, hn::Or(rounded, sign)), d, x);
}

template <class Format>
void round_all(float* x, std::size_t count) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) round_vector<Format>(d, x + i);
  for (; i < count; ++i) round_vector<Format>(one, x + i);
}

void RoundToFloat16(float* x, std::size_t count) { round_all<ToFloat16>(x, count); }
void RoundToBfloat16(float* x, std::size_t count) { round_all<ToBfloat16>(x, count); }

}  // namespace sigstab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sigstab {

HWY_EXPORT(RoundToFloat16);
HWY_EXPORT(RoundToBfloat16);

void round_to_float16(std::span<float> x) {
  HWY_DYNAMIC_DISPATCH(RoundToFloat16)(x.data(), x.size());
}
void round_to_bfloat16(std::span<float> x) {
  HWY_DYNAMIC_DISPATCH(RoundToBfloat16)(x.data(), x.size());
}

}  // namespace sigstab
#endif  // HWY_ONCE
