#include "pipeline/story.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace sigstab {
namespace {

constexpr double kMuch = 10;    // total factor below which a size holds
constexpr double kStill = 2.5;  // factor of the second half that makes it exponential

// "1.13e+15", or "10^600" beyond a double's range.
std::string factor_text(double log_factor) {
  constexpr double kMostInDouble = 700;
  return std::fabs(log_factor) < kMostInDouble
             ? fmt::format("{:.3g}", std::exp(log_factor))
             : fmt::format("10^{:.0f}", log_factor / std::numbers::ln10);
}

std::string_view verb(double total, double second_half) {
  if (total > kMuch) return second_half > kStill ? "explodes" : "grows";
  if (total < 1 / kMuch) return second_half < 1 / kStill ? "vanishes" : "shrinks";
  return "holds";
}

}  // namespace

std::string tell_sizes(std::string_view what, std::span<const double> sizes, int first_layer,
                       int step) {
  std::size_t usable = 0;  // sizes before the first that is not a positive finite number
  while (usable < sizes.size() && std::isfinite(sizes[usable]) && sizes[usable] > 0) ++usable;
  std::string end;
  if (usable < sizes.size()) {
    const double bad = sizes[usable];
    const std::string_view fate = std::isnan(bad)   ? "is nan"
                                  : std::isinf(bad) ? "overflows"
                                                    : "is zero";
    const int layer = first_layer + static_cast<int>(usable) * step;
    end = fmt::format("{} first {}", fate,
                      layer == 0 ? "at the input" : fmt::format("at layer {}", layer));
  }
  if (usable < 2) return fmt::format("{} {}", what, end.empty() ? "has one size" : end);
  const std::size_t steps = usable - 1;
  const double log_total = std::log(sizes[steps]) - std::log(sizes[0]);
  const double second_half = std::exp(std::log(sizes[steps]) - std::log(sizes[steps / 2]));
  const double a_layer = std::exp(log_total / static_cast<double>(steps));
  std::string text = fmt::format("{} {}: x{} over {} layer{}, x{:.4g} a layer", what,
                                 verb(std::exp(log_total), second_half), factor_text(log_total),
                                 steps, steps == 1 ? "" : "s", a_layer);
  if (!end.empty()) text += "; " + end;
  return text;
}

}  // namespace sigstab
