#pragma once
// The number formats of stored tensors, and their conversion to float and double.
//
// Names are those of safetensors. A float holds every value of the formats of up to 32 bits, so
// that these conversions are exact, subnormals, infinities and NaN included; only float64 rounds on
// its way to a float. Bytes are little-endian. Vector code; every target gives the same bits.
// Source: IEEE 754; OCP 8-bit Floating Point Specification 1.0, table 1.

#include <cstddef>
#include <span>
#include <string_view>

namespace sigstab {

struct StoredFormat {
  std::string_view name, help;
  std::size_t bits;
  // As many numbers as there are bytes for; null for what has no sizes worth the name.
  void (*to_float)(std::span<const std::byte> bytes, std::span<float> x);
  void (*to_double)(std::span<const std::byte> bytes, std::span<double> x);

  bool is_real() const { return to_float != nullptr; }
};
std::span<const StoredFormat> stored_format_table();

inline void decode(const StoredFormat& format, std::span<const std::byte> bytes,
                   std::span<float> x) {
  format.to_float(bytes, x);
}
inline void decode(const StoredFormat& format, std::span<const std::byte> bytes,
                   std::span<double> x) {
  format.to_double(bytes, x);
}

}  // namespace sigstab
