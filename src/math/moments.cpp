#include "math/moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sigstab {
namespace {

// Eight running sums: independent additions, and an error that grows with n/8 only.
constexpr std::size_t kLanes = 8;

template <class T, class Term>
double sum_of(std::span<const T> x, Term term) {
  std::array<double, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= x.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += term(static_cast<double>(x[i + lane]));
    }
  }
  for (; i < x.size(); ++i) sums[i % kLanes] += term(static_cast<double>(x[i]));
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

// A sum of squares of doubles is taken as it is within these bounds: above the lower one, what
// underflowed is below 2^-53 of it for any length in use; the upper one leaves room for the sum
// itself.
constexpr double kSmallestDirect = 1e-250, kLargestDirect = 1e300;

// The sum of squares as mantissa * 4^exponent.
struct ScaledSum {
  double mantissa;
  int exponent;
};

template <class T>
ScaledSum sum_of_squares(std::span<const T> x) {
  const double direct = sum_of(x, [](double v) { return v * v; });
  if (direct >= kSmallestDirect && direct <= kLargestDirect) return {direct, 0};
  double largest = 0;
  for (T v : x) {
    const double magnitude = std::fabs(static_cast<double>(v));
    if (std::isnan(magnitude)) return {magnitude, 0};
    largest = std::max(largest, magnitude);
  }
  if (largest == 0 || std::isinf(largest)) return {largest, 0};
  const int exponent = std::ilogb(largest);
  const double sum = sum_of(x, [exponent](double v) {
    const double scaled = std::ldexp(v, -exponent);
    return scaled * scaled;
  });
  return {sum, exponent};
}

template <class T>
double norm_of(std::span<const T> x, double divisor) {
  const ScaledSum sum = sum_of_squares(x);
  return std::ldexp(std::sqrt(sum.mantissa / divisor), sum.exponent);
}

// Taken from the first entry on, so that the mean of equal entries is exactly that entry.
template <class T>
double mean_of(std::span<const T> x) {
  const double n = static_cast<double>(x.size());
  const double origin = x.empty() ? 0 : static_cast<double>(x.front());
  const double shifted = origin + sum_of(x, [origin](double v) { return v - origin; }) / n;
  if (std::isfinite(shifted)) return shifted;
  return sum_of(x, [n](double v) { return v / n; });
}

}  // namespace

double root_mean_square(std::span<const float> x) {
  return norm_of(x, static_cast<double>(x.size()));
}
double root_mean_square(std::span<const double> x) {
  return norm_of(x, static_cast<double>(x.size()));
}
double euclidean_norm(std::span<const float> x) { return norm_of(x, 1.0); }
double euclidean_norm(std::span<const double> x) { return norm_of(x, 1.0); }
double mean(std::span<const float> x) { return mean_of(x); }
double mean(std::span<const double> x) { return mean_of(x); }

}  // namespace sigstab
