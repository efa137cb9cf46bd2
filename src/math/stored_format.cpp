#include "math/stored_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/stored_format.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sigstab::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A format of a sign, kExponent and kMantissa bits. With kFinite its only non-number is the NaN
// whose bits are all 1; else the highest exponent means what it does in IEEE 754.
template <class CodeType, int kExponent, int kMantissa, bool kFinite>
struct Small {
  using Code = CodeType;
  static constexpr int kShift = 23 - kMantissa;  // from its mantissa to a float's
  static constexpr std::uint32_t kBias = (1U << (kExponent - 1)) - 1;
  static constexpr std::uint32_t kRebias = (127 - kBias) << 23;
  static constexpr std::uint32_t kMagnitude = (1U << (kExponent + kMantissa)) - 1;
  static constexpr std::uint32_t kInfinity = kMagnitude >> kMantissa << kMantissa;

  template <class DU, class VU>
  static HWY_INLINE VU bits(DU du, VU code) {
    const hn::RebindToFloat<DU> df;
    const VU magnitude = hn::And(code, hn::Set(du, kMagnitude));
    const VU sign = hn::ShiftLeft<31 - kExponent - kMantissa>(hn::Xor(code, magnitude));
    const VU shifted = hn::ShiftLeft<kShift>(magnitude);
    VU value = hn::Add(shifted, hn::Set(du, kRebias));
    // Below the smallest normal number 2^(1 - bias), numbers lie as far apart as those above it.
    const VU smallest = hn::Set(du, kRebias + (1U << 23));
    const auto subnormal =
        hn::Sub(hn::BitCast(df, hn::Add(shifted, smallest)), hn::BitCast(df, smallest));
    value = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 1U << kMantissa)),
                           hn::BitCast(du, subnormal), value);
    if constexpr (kFinite) {
      value = hn::IfThenElse(hn::Eq(magnitude, hn::Set(du, kMagnitude)), hn::Set(du, 0x7fc00000U),
                             value);
    } else {
      value = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, kInfinity)), value,
                             hn::Or(shifted, hn::Set(du, 0x7f800000U)));
    }
    return hn::Or(value, sign);
  }
};
using Float16 = Small<std::uint16_t, 5, 10, false>;
using Float8E5M2 = Small<std::uint8_t, 5, 2, false>;
using Float8E4M3 = Small<std::uint8_t, 4, 3, true>;

struct Bfloat16 {
  using Code = std::uint16_t;
  template <class DU, class VU>
  static HWY_INLINE VU bits(DU /*du*/, VU code) {
    return hn::ShiftLeft<16>(code);
  }
};

template <class Format, class D>
HWY_INLINE void decode_vector(D d, const typename Format::Code* codes, float* x) {
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<typename Format::Code, D> dc;
  const auto code = hn::PromoteTo(du, hn::LoadU(dc, codes));
  hn::StoreU(hn::BitCast(d, Format::bits(du, code)), d, x);
}

template <class Format>
void decode_all(const std::byte* bytes, std::size_t count, float* x) {
  const auto* codes = reinterpret_cast<const typename Format::Code*>(bytes);
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) decode_vector<Format>(d, codes + i, x + i);
  for (; i < count; ++i) decode_vector<Format>(one, codes + i, x + i);
}

void DecodeFloat16(const std::byte* bytes, std::size_t n, float* x) {
  decode_all<Float16>(bytes, n, x);
}
void DecodeBfloat16(const std::byte* bytes, std::size_t n, float* x) {
  decode_all<Bfloat16>(bytes, n, x);
}
void DecodeE5M2(const std::byte* bytes, std::size_t n, float* x) {
  decode_all<Float8E5M2>(bytes, n, x);
}
void DecodeE4M3(const std::byte* bytes, std::size_t n, float* x) {
  decode_all<Float8E4M3>(bytes, n, x);
}

}  // namespace sigstab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sigstab {

HWY_EXPORT(DecodeFloat16);
HWY_EXPORT(DecodeBfloat16);
HWY_EXPORT(DecodeE5M2);
HWY_EXPORT(DecodeE4M3);

namespace {

static_assert(std::endian::native == std::endian::little);

using Bytes = std::span<const std::byte>;

void float16(Bytes bytes, std::span<float> x) {
  HWY_DYNAMIC_DISPATCH(DecodeFloat16)(bytes.data(), x.size(), x.data());
}
void bfloat16(Bytes bytes, std::span<float> x) {
  HWY_DYNAMIC_DISPATCH(DecodeBfloat16)(bytes.data(), x.size(), x.data());
}
void e5m2(Bytes bytes, std::span<float> x) {
  HWY_DYNAMIC_DISPATCH(DecodeE5M2)(bytes.data(), x.size(), x.data());
}
void e4m3(Bytes bytes, std::span<float> x) {
  HWY_DYNAMIC_DISPATCH(DecodeE4M3)(bytes.data(), x.size(), x.data());
}
void float32(Bytes bytes, std::span<float> x) {
  std::memcpy(x.data(), bytes.data(), x.size_bytes());
}
void float64(Bytes bytes, std::span<double> x) {
  std::memcpy(x.data(), bytes.data(), x.size_bytes());
}

// Through the type that holds the format's numbers, some at a time.
template <class Through, void (*read)(Bytes, std::span<Through>), std::size_t bytes_each, class T>
void converted(Bytes bytes, std::span<T> x) {
  std::array<Through, 1024> part;
  for (std::size_t done = 0; done < x.size(); done += part.size()) {
    const std::size_t count = std::min(part.size(), x.size() - done);
    read(bytes.subspan(done * bytes_each, count * bytes_each), std::span(part).first(count));
    std::transform(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count),
                   x.begin() + static_cast<std::ptrdiff_t>(done),
                   [](Through v) { return static_cast<T>(v); });
  }
}

template <void (*read)(Bytes, std::span<float>), std::size_t bytes_each>
constexpr StoredFormat real(std::string_view name, std::string_view help) {
  return {name, help, 8 * bytes_each, read, converted<float, read, bytes_each, double>};
}
constexpr StoredFormat listed(std::string_view name, std::string_view help, std::size_t bits) {
  return {name, help, bits, nullptr, nullptr};
}

constexpr StoredFormat kFormats[] = {
    real<float16, 2>("F16", "float16"),
    real<bfloat16, 2>("BF16", "bfloat16"),
    real<float32, 4>("F32", "float32"),
    {"F64", "float64", 64, converted<double, float64, 8, float>, float64},
    real<e4m3, 1>("F8_E4M3", "float8, largest 448, no infinities"),
    real<e5m2, 1>("F8_E5M2", "float8, largest 57344"),
    listed("BOOL", "true or false", 8),
    listed("U8", "integer", 8),
    listed("I8", "integer", 8),
    listed("I16", "integer", 16),
    listed("U16", "integer", 16),
    listed("I32", "integer", 32),
    listed("U32", "integer", 32),
    listed("I64", "integer", 64),
    listed("U64", "integer", 64),
    listed("C64", "complex", 64),
    listed("F8_E8M0", "a power of two, for blocks of others", 8),
    listed("F6_E2M3", "float6, of a block with a common factor", 6),
    listed("F6_E3M2", "float6, of a block with a common factor", 6),
    listed("F4", "float4, of a block with a common factor", 4),
};

}  // namespace

std::span<const StoredFormat> stored_format_table() { return kFormats; }

}  // namespace sigstab
#endif  // HWY_ONCE
