#include "kinds/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sigstab {

Spectrum spectrum_of(const std::vector<double>& log_values) {
  const double top = log_values.front(), count = static_cast<double>(log_values.size());
  Spectrum spectrum{top, 0, 0, 0};
  double squares = 0, sum = 0, weighted = 0;  // of s / largest
  for (double log_s : log_values) {
    spectrum.mean_log += log_s / count;
    if (!std::isfinite(log_s)) continue;
    ++spectrum.rank;
    const double s = std::exp(log_s - top);
    squares += s * s;
    sum += s;
    weighted += s * (log_s - top);
  }
  if (spectrum.rank == 0) return spectrum;
  spectrum.log_rms = top + std::log(squares / count) / 2;
  // -sum p ln p with p = s / sum.
  spectrum.effective_rank = std::exp(std::log(sum) - weighted / sum);
  return spectrum;
}

std::vector<std::string> histogram_lines(const std::vector<double>& log_values,
                                         const std::string& where) {
  constexpr int kMostBins = 12, kLongestBar = 40;
  constexpr double kSteps[] = {0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4};
  std::vector<double> decades;  // of what is not 0
  for (double log_s : log_values) {
    if (std::isfinite(log_s)) decades.push_back(log_s / std::numbers::ln10);
  }
  const std::size_t zeros = log_values.size() - decades.size();
  std::vector<std::string> lines = {fmt::format("log10 of the singular values after {}:", where)};
  if (zeros > 0) lines.push_back(fmt::format("{:>14} {:>5}", "zero", zeros));
  if (decades.empty()) return lines;

  const auto [least, most] = std::ranges::minmax(decades);
  // What rounding leaves beside a round number belongs to it.
  constexpr double kRounding = 1e-9;
  double step = 0, first = 0;
  std::size_t bins = 0;
  for (double candidate : kSteps) {
    step = candidate;
    first = std::floor(least / step + kRounding);
    bins = static_cast<std::size_t>(std::floor(most / step + kRounding) - first) + 1;
    if (bins <= kMostBins) break;
  }
  std::vector<std::size_t> counts(bins);
  for (double x : decades) {
    const double bin = std::floor(x / step + kRounding) - first;
    ++counts[std::min(bins - 1, static_cast<std::size_t>(std::fmax(bin, 0)))];
  }
  const std::size_t highest = std::ranges::max(counts);
  for (std::size_t i = 0; i < bins; ++i) {
    const double low = (first + static_cast<double>(i)) * step;
    const std::string bar(counts[i] * kLongestBar / highest, '#');
    std::string line =
        fmt::format("{:>14} {:>5}  {}",
                    fmt::format("{:.4g} to {:.4g}", low + 0.0, low + step + 0.0), counts[i], bar);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace sigstab
