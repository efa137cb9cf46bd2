#include "theory/mean_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "math/quadrature.hpp"

namespace sigstab {
namespace {

constexpr double kCut = 12;  // spreads; what lies beyond has weight 4e-33

double density(double z) {
  return std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

// Where panels of the positive half end, in spreads: at the scales of the density, and at those of
// functions whose features have sizes from 1e-7 up, however small or large the spread.
std::vector<double> panel_ends(double spread) {
  std::vector<double> ends = {0.5, 1, 2, 4, 8};
  for (double x : {1.0, 3.0, 6.0}) ends.push_back(x / spread);
  for (double x = 0x1p-24; x < kCut * spread; x *= 4) ends.push_back(x / spread);
  std::erase_if(ends, [](double z) { return z >= kCut; });
  ends.push_back(kCut);
  ends.push_back(0);
  std::ranges::sort(ends);
  return ends;
}

}  // namespace

double gaussian_mean(const std::function<double(double)>& g, double spread) {
  if (spread == 0) return g(0);
  const std::vector<double> ends = panel_ends(spread);
  // Both signs at once, so that the mean of an odd function is exactly 0.
  return integrate([&](double z) { return (g(spread * z) + g(-spread * z)) * density(z); }, ends);
}

ActivationMoments activation_moments(const Activation& f, double spread) {
  const auto square = [](double v) { return v * v; };
  return {gaussian_mean([&](double z) { return f.value(z); }, spread),
          gaussian_mean([&](double z) { return square(f.value(z)); }, spread),
          gaussian_mean([&](double z) { return square(f.slope(z)); }, spread)};
}

}  // namespace sigstab
