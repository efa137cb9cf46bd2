// Mersenne Twister and PyTorch's Box-Muller in vectors.

#include "random/torch_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "random/torch_kernels.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After it.
#include "hwy/highway.h"
#include "random/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sigstab {
namespace HWY_NAMESPACE {

// Vectors of at most 64 bytes, so that a block is a whole number of them or they of it.
using Words = hn::CappedTag<std::uint32_t, 16>;
using Floats = hn::CappedTag<float, 16>;
using Doubles = hn::CappedTag<double, 8>;
using Words64 = hn::CappedTag<std::uint64_t, 8>;

constexpr std::size_t kMiddle = 397;

// The recurrence for one vector of words: the top bit of each and the rest of its successor, times
// the matrix A, onto the word 397 places on.
HWY_INLINE hn::Vec<Words> recur(Words d, const std::uint32_t* state, const std::uint32_t* far) {
  const auto next = hn::LoadU(d, state + 1);
  const auto upper = hn::Set(d, 0x80000000U);
  const auto y = hn::Or(hn::And(hn::LoadU(d, state), upper), hn::AndNot(upper, next));
  const auto odd = hn::Sub(hn::Zero(d), hn::And(next, hn::Set(d, 1U)));
  const auto matrix = hn::And(odd, hn::Set(d, 0x9908b0dfU));
  return hn::Xor(hn::Xor(hn::LoadU(d, far), hn::ShiftRight<1>(y)), matrix);
}

void twist(std::uint32_t* HWY_RESTRICT state) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  // The new first words, seen behind the old last ones: the state as one sequence.
  const auto first = recur(d, state, state + kMiddle);
  hn::StoreU(first, d, state + kMtWords);
  hn::StoreU(first, d, state);
  std::size_t i = lanes;
  for (; i < kMtWords - kMiddle; i += lanes) {
    hn::StoreU(recur(d, state + i, state + i + kMiddle), d, state + i);
  }
  for (; i < kMtWords; i += lanes) {
    hn::StoreU(recur(d, state + i, state + i + kMiddle - kMtWords), d, state + i);
  }
}

HWY_INLINE hn::Vec<Words> temper(Words d, const std::uint32_t* words) {
  auto y = hn::LoadU(d, words);
  y = hn::Xor(y, hn::ShiftRight<11>(y));
  y = hn::Xor(y, hn::And(hn::ShiftLeft<7>(y), hn::Set(d, 0x9d2c5680U)));
  y = hn::Xor(y, hn::And(hn::ShiftLeft<15>(y), hn::Set(d, 0xefc60000U)));
  return hn::Xor(y, hn::ShiftRight<18>(y));
}

void uniforms32(const std::uint32_t* HWY_RESTRICT words, std::size_t count, float range,
                float start, float* HWY_RESTRICT out) {
  const Words d;
  const Floats df;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  // 2^-24 is exact in either factor, and so is its product with a range that is not subnormal.
  const auto unit = [&](std::size_t at) HWY_ATTR {
    const auto low = hn::And(temper(d, words + at), hn::Set(d, 0xffffffU));
    return hn::Mul(hn::ConvertTo(df, hn::BitCast(hn::RebindToSigned<Words>(), low)),
                   hn::Set(df, 0x1p-24F));
  };
  const bool is_unit = range == 1 && start == 0;  // what normals are made of
  for (; is_unit && i + lanes <= count; i += lanes) hn::StoreU(unit(i), df, out + i);
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(fused(unit(i), hn::Set(df, range), hn::Set(df, start)), df, out + i);
  }
  for (; i < count; ++i) {
    out[i] = std::fma(static_cast<float>(mt_temper(words[i]) & 0xffffffU) * 0x1p-24F, range, start);
  }
}

void uniforms64(const std::uint32_t* HWY_RESTRICT words, std::size_t count, double range,
                double start, double* HWY_RESTRICT out) {
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 53) - 1;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const Words d;
  const Words64 d64;
  const Doubles df;
  const std::size_t lanes = hn::Lanes(df);
  for (; i + lanes <= count; i += lanes) {
    const auto swapped = hn::BitCast(d64, temper(d, words + 2 * i));
    const auto low = hn::And(hn::RotateRight<32>(swapped), hn::Set(d64, kMantissa));
    const auto u = hn::Mul(hn::ConvertTo(df, hn::BitCast(hn::RebindToSigned<Words64>(), low)),
                           hn::Set(df, 0x1p-53));
    hn::StoreU(fused(u, hn::Set(df, range), hn::Set(df, start)), df, out + i);
  }
#endif
  for (; i < count; ++i) {
    const std::uint64_t high = mt_temper(words[2 * i]);
    const std::uint64_t word = high << 32 | mt_temper(words[2 * i + 1]);
    out[i] = std::fma(static_cast<double>(word & kMantissa) * 0x1p-53, range, start);
  }
}

// One vector of pairs. PyTorch rounds the angle to the dtype, which in float32 is an error of up to
// 2.4e-7 that must be repeated.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void transform(D d, V u1, V u2, V& first, V& second) {
  using T = hn::TFromD<D>;
  const V radius = hn::Sqrt(minus_two_log(d, hn::Sub(hn::Set(d, T{1}), u1)));
  V cosine, sine;
  cosine_sine(d, hn::Mul(u2, hn::Set(d, static_cast<T>(6.283185307179586))), cosine, sine);
  first = hn::Mul(radius, cosine);
  second = hn::Mul(radius, sine);
}

constexpr std::size_t kBlock = 16, kPairs = kBlock / 2;

template <class D, typename T>
HWY_INLINE void one_block(D d, T* HWY_RESTRICT values) {
  for (std::size_t j = 0; j < kPairs; j += hn::Lanes(d)) {
    hn::Vec<D> first, second;
    transform(d, hn::LoadU(d, values + j), hn::LoadU(d, values + j + kPairs), first, second);
    hn::StoreU(first, d, values + j);
    hn::StoreU(second, d, values + j + kPairs);
  }
}

void blocks32(float* HWY_RESTRICT values, std::size_t count) {
  const float* const end = values + count;
#if HWY_TARGET <= HWY_AVX3
  // A vector is as long as a block: two blocks a step, halves joined to whole vectors.
  const Floats d;
  for (; values + 2 * kBlock <= end; values += 2 * kBlock) {
    const auto a = hn::LoadU(d, values), b = hn::LoadU(d, values + kBlock);
    hn::Vec<Floats> first, second;
    transform(d, hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a), first, second);
    hn::StoreU(hn::ConcatLowerLower(d, second, first), d, values);
    hn::StoreU(hn::ConcatUpperUpper(d, second, first), d, values + kBlock);
  }
#endif
  for (; values < end; values += kBlock) one_block(hn::CappedTag<float, kPairs>(), values);
}

void blocks64(double* HWY_RESTRICT values, std::size_t count) {
  const double* const end = values + count;
  for (; values < end; values += kBlock) one_block(Doubles(), values);
}

}  // namespace HWY_NAMESPACE
}  // namespace sigstab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sigstab {

HWY_EXPORT(twist);
HWY_EXPORT(uniforms32);
HWY_EXPORT(uniforms64);
HWY_EXPORT(blocks32);
HWY_EXPORT(blocks64);

void mt_twist(std::uint32_t* state) { HWY_DYNAMIC_DISPATCH(twist)(state); }

void mt_uniforms(const std::uint32_t* words, std::size_t count, float range, float start,
                 float* out) {
  HWY_DYNAMIC_DISPATCH(uniforms32)(words, count, range, start, out);
}

void mt_uniforms(const std::uint32_t* words, std::size_t count, double range, double start,
                 double* out) {
  HWY_DYNAMIC_DISPATCH(uniforms64)(words, count, range, start, out);
}

void box_muller_blocks(float* values, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(blocks32)(values, count);
}

void box_muller_blocks(double* values, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(blocks64)(values, count);
}

}  // namespace sigstab
#endif  // HWY_ONCE
