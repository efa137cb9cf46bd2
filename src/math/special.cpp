#include "math/special.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sigstab {

double erf_inverse(double y) {
  if (std::fabs(y) > 1 || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(y) == 1) return std::copysign(std::numeric_limits<double>::infinity(), y);
  // Start: Winitzki's formula, within 2e-3; Halley's iteration then triples the digits each time.
  constexpr double kA = 0.147;
  const double log_term = std::log1p(-y * y);
  const double t = 2 / (std::numbers::pi * kA) + log_term / 2;
  double x = std::copysign(std::sqrt(std::sqrt(t * t - log_term / kA) - t), y);
  for (int step = 0; step < 2; ++step) {
    // In the tails erfc keeps the digits that erf - y loses.
    const double sign = y < 0 ? -1 : 1;
    const double error = std::fabs(y) > 0.5 ? sign * ((1 - std::fabs(y)) - std::erfc(std::fabs(x)))
                                            : std::erf(x) - y;
    const double slope = 2 * std::numbers::inv_sqrtpi * std::exp(-x * x);
    const double newton = error / slope;
    x -= newton / (1 + x * newton);
  }
  return x;
}

double log_add(double a, double b) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double high = std::max(a, b), low = std::min(a, b);
  return low == -kInfinity ? high : high + std::log1p(std::exp(low - high));
}

}  // namespace sigstab
