#include "result/statistic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "math/moments.hpp"

namespace sigstab {
namespace {

double standard_error_of(std::span<const double> values) {
  return standard_deviation_of(values) / std::sqrt(static_cast<double>(values.size()));
}

// exp of the mean log: the average of quantities that multiply.
double geometric_mean_of(std::span<const double> values) {
  std::vector<double> logs(values.begin(), values.end());
  for (double& v : logs) v = std::log(v);
  return std::exp(mean(std::span<const double>(logs)));
}

double root_mean_square_of(std::span<const double> values) { return root_mean_square(values); }

// Linear between order statistics, as NumPy's percentile.
template <int kPercent>
double percentile_of(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double at = static_cast<double>(sorted.size() - 1) * kPercent / 100.0;
  const auto below = static_cast<std::size_t>(at);
  const double share = at - static_cast<double>(below);
  if (share == 0) return sorted[below];
  return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

double nonfinite_of(std::span<const double> values) {
  return static_cast<double>(
      std::ranges::count_if(values, [](double v) { return !std::isfinite(v); }));
}

constexpr StatisticRow kTable[] = {
    {"mean", "arithmetic mean over seeds", mean_of},
    {"standard_deviation", "spread over seeds, n - 1 in the denominator", standard_deviation_of},
    {"standard_error", "standard_deviation / sqrt(n)", standard_error_of},
    {"geometric_mean", "exp of the mean log, for quantities that multiply", geometric_mean_of},
    {"root_mean_square", "root of the mean square, which theory predicts exactly for gains",
     root_mean_square_of},
    {"median", "the middle value", percentile_of<50>},
    {"p5", "the 5th percentile", percentile_of<5>},
    {"p25", "the 25th percentile", percentile_of<25>},
    {"p75", "the 75th percentile", percentile_of<75>},
    {"p95", "the 95th percentile", percentile_of<95>},
    {"nonfinite", "how many values are not finite", nonfinite_of, true},
};

}  // namespace

std::span<const StatisticRow> statistic_table() { return kTable; }

double mean_of(std::span<const double> values) { return mean(values); }

double standard_deviation_of(std::span<const double> values) {
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double centre = mean(values);
  std::vector<double> centred(values.begin(), values.end());
  for (double& v : centred) v -= centre;
  return euclidean_norm(std::span<const double>(centred)) /
         std::sqrt(static_cast<double>(values.size() - 1));
}

}  // namespace sigstab
