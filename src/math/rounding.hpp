#pragma once
// Number formats, and rounding to the two that no processor here computes in.
//
// A float holds every float16 and bfloat16 value, so a rounded number stays a float: arithmetic in
// these formats is float arithmetic whose results are rounded. Rounding is to nearest, ties to
// even, through subnormals (none is flushed) to infinity beyond the largest value, as PyTorch's
// casts do; NaN stays NaN. Vector code; every target gives the same bits.

#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

namespace sigstab {

// In place.
void round_to_float16(std::span<float> x);
void round_to_bfloat16(std::span<float> x);

struct NumberFormat {
  std::string_view name, help;
  int significand;                                      // bits, with the hidden one
  double largest, smallest_normal, smallest_subnormal;  // positive and finite
  void (*round)(std::span<float> x);                    // null: arithmetic of the type itself
};

template <class T>
constexpr NumberFormat native_format(std::string_view name, std::string_view help) {
  using Of = std::numeric_limits<T>;
  return {name, help, Of::digits, Of::max(), Of::min(), Of::denorm_min(), nullptr};
}

inline constexpr NumberFormat kNumberFormats[] = {
    {"float16", "11-bit significand, exponents -14 to 15", 11, 65504, 0x1p-14, 0x1p-24,
     round_to_float16},
    {"bfloat16", "8-bit significand, the exponents of float32", 8, 0x1.fep127, 0x1p-126, 0x1p-133,
     round_to_bfloat16},
    native_format<float>("float32", "24-bit significand, exponents -126 to 127"),
    native_format<double>("float64", "53-bit significand, exponents -1022 to 1023"),
};

// Rounds what is kept in that format, in place. Nothing for null, and for a native format.
template <class T>
void store_in(const NumberFormat* format, std::span<T> x) {
  if constexpr (std::is_same_v<T, float>) {
    if (format != nullptr && format->round != nullptr) format->round(x);
  }
}

}  // namespace sigstab
