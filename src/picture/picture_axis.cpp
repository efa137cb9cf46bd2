#include "picture/picture_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.hpp"

namespace sigstab {
namespace {

constexpr double kMostTicks = 8;
// So that differences are finite, and shares of the least one no subnormals.
constexpr double kFurthest = 1e300, kLeastSpan = 1e-300;

constexpr std::int64_t kPlain = 3;  // powers of ten that are written out

// "0.02", "500", "1e-30": mantissa times a power of ten.
std::string number_text(double mantissa, std::int64_t exponent) {
  if (std::abs(exponent) <= kPlain) {
    return fmt::format("{:.4g}", mantissa * std::pow(10.0, static_cast<double>(exponent)));
  }
  return fmt::format("{:.3g}e{:+03d}", mantissa, exponent);
}

// The smallest of 1, 2, 5, 10, 20, ... times `unit` that needs at most so many ticks.
double step_for(double span, double unit, double most) {
  for (double decade = unit;; decade *= 10) {
    for (double step : {decade, 2 * decade, 5 * decade}) {
      if (span / step <= most) return step;
    }
  }
}

void add_linear_ticks(PictureAxis& axis) {
  const double span = axis.high - axis.low;
  const double unit = std::pow(10.0, std::floor(std::log10(span / kMostTicks)));
  const double step = step_for(span, unit, kMostTicks);
  for (double k = std::ceil(axis.low / step); k * step <= axis.high; ++k) {
    axis.ticks.push_back({k * step, k == 0 ? "0" : fmt::format("{:.4g}", k * step)});
  }
}

// One way of writing for all of an axis, but for 1.
void add_decade_ticks(PictureAxis& axis) {
  const double step = step_for(axis.high - axis.low, 1, kMostTicks);
  const bool plain = axis.low > -kPlain - 1 && axis.high < kPlain + 1;
  for (double k = std::ceil(axis.low / step); k * step <= axis.high; ++k) {
    const std::int64_t exponent = std::llround(k * step);
    axis.ticks.push_back({k * step, plain || exponent == 0 ? number_text(1, exponent)
                                                           : fmt::format("1e{:+03d}", exponent)});
  }
}

void add_ticks_within_decades(PictureAxis& axis, std::span<const double> mantissas) {
  for (double decade = std::floor(axis.low); decade <= axis.high; ++decade) {
    for (double mantissa : mantissas) {
      const double at = decade + std::log10(mantissa);
      if (at < axis.low || at > axis.high) continue;
      axis.ticks.push_back({at, number_text(mantissa, std::llround(decade))});
    }
  }
}

void add_logarithmic_ticks(PictureAxis& axis) {
  constexpr double kFew[] = {1, 2, 5}, kMany[] = {1, 1.5, 2, 3, 4, 5, 7};
  constexpr double kSome[] = {1, 3};
  const double span = axis.high - axis.low;
  if (span > 4) return add_decade_ticks(axis);
  if (span > 2) return add_ticks_within_decades(axis, kSome);
  if (span > 1) return add_ticks_within_decades(axis, kFew);
  add_ticks_within_decades(axis, kMany);
}

void add_regular_ticks(PictureAxis& axis) {
  if (axis.logarithmic)
    add_logarithmic_ticks(axis);
  else
    add_linear_ticks(axis);
}

void widen(PictureAxis& axis, double share) {
  const double margin = share * (axis.high - axis.low);
  axis.low -= margin;
  axis.high += margin;
}

// The largest gap between neighbours over the smallest.
double unevenness(std::span<const double> sorted) {
  double largest = 0, smallest = HUGE_VAL;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    largest = std::max(largest, sorted[i] - sorted[i - 1]);
    smallest = std::min(smallest, sorted[i] - sorted[i - 1]);
  }
  return largest / smallest;
}

}  // namespace

PictureAxis value_axis(bool logarithmic, std::span<const double> positions) {
  constexpr double kLeastDecades = 0.36, kLeastShare = 1e-3;
  PictureAxis axis{"", logarithmic, HUGE_VAL, -HUGE_VAL, {}};
  for (double p : positions) {
    if (!std::isfinite(p)) continue;
    axis.low = std::min(axis.low, std::max(p, -kFurthest));
    axis.high = std::max(axis.high, std::min(p, kFurthest));
  }
  if (axis.low > axis.high) axis.low = axis.high = 0;  // there is nothing to see
  const double largest = std::max(std::fabs(axis.low), std::fabs(axis.high));
  const double least = logarithmic    ? kLeastDecades
                       : largest == 0 ? 1
                                      : std::max(kLeastShare * largest, kLeastSpan);
  if (axis.high - axis.low < least) {
    const double middle = (axis.low + axis.high) / 2;
    axis.low = middle - least / 2;
    axis.high = middle + least / 2;
  }
  widen(axis, 0.05);
  add_regular_ticks(axis);
  return axis;
}

PictureAxis row_axis(const std::string& row_name, std::int64_t first, std::int64_t last) {
  PictureAxis axis{row_name, false, static_cast<double>(first), static_cast<double>(last), {}};
  if (first == 0) axis.ticks.push_back({0, "input"});
  const double step = step_for(std::max(axis.high, 1.0), 1, 6);
  // The first tick would run into "input" if it stood at less than a step.
  for (double at = step; at <= axis.high; at += step) {
    if (at >= axis.low) axis.ticks.push_back({at, fmt::format("{}", std::llround(at))});
  }
  if (axis.low == axis.high) axis.high += 1;
  widen(axis, 0.02);
  return axis;
}

double position(const PictureAxis& axis, double value) {
  return axis.logarithmic ? std::log10(value) : value;
}

PictureAxis key_axis(const std::string& key, std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::erase_if(sorted, [](double v) { return !(std::fabs(v) <= kFurthest); });
  if (sorted.empty()) return {key, false, 0, 1, {}};
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  PictureAxis axis{key, false, 0, 0, {}};
  if (sorted.front() > 0) {
    std::vector<double> logs = sorted;
    for (double& v : logs) v = std::log10(v);
    axis.logarithmic = unevenness(logs) < unevenness(sorted);
  }
  axis.low = position(axis, sorted.front());
  axis.high = position(axis, sorted.back());
  if (sorted.size() == 1) axis.high += 1;  // a part of a sweep
  axis.high = std::max(axis.high, axis.low + kLeastSpan);
  const double room = (axis.high - axis.low) / kMostTicks;
  for (double value : sorted) {
    const double at = position(axis, value);
    if (!axis.ticks.empty() && at - axis.ticks.back().at < room) continue;
    axis.ticks.push_back({at, fmt::format("{:.4g}", value)});
  }
  widen(axis, 0.04);
  if (axis.ticks.size() * 2 >= sorted.size()) return axis;
  axis.ticks.clear();  // too crowded to tell which they are
  add_regular_ticks(axis);
  return axis;
}

}  // namespace sigstab
