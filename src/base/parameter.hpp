#pragma once
// A number that a table's row takes, such as leaky_relu's negative_slope: described once, beside
// the row, and read by the config parser, the lists and the docs.

#include <array>
#include <limits>
#include <span>
#include <string_view>

namespace sigstab {

struct Parameter {
  std::string_view name;
  double fallback;   // NaN: must be given
  double low, high;  // inclusive
  std::string_view help;

  constexpr bool required() const { return fallback != fallback; }
};

inline constexpr double kRequired = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kHuge = std::numeric_limits<double>::max();  // as a bound: none

// No row takes more parameters than this.
inline constexpr std::size_t kMaxParameters = 4;
using ParameterValues = std::array<double, kMaxParameters>;

}  // namespace sigstab
