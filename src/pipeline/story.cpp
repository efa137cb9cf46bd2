#include "pipeline/story.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sigstab {
namespace {

constexpr double kMuch = 10;    // total factor below which a size holds
constexpr double kStill = 2.5;  // factor of the second half that makes it exponential

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
  const double total = std::exp(std::log(sizes[steps]) - std::log(sizes[0]));
  const double second_half = std::exp(std::log(sizes[steps]) - std::log(sizes[steps / 2]));
  const double a_layer =
      std::exp((std::log(sizes[steps]) - std::log(sizes[0])) / static_cast<double>(steps));
  std::string text =
      fmt::format("{} {}: x{:.3g} over {} layer{}, x{:.4g} a layer", what, verb(total, second_half),
                  total, steps, steps == 1 ? "" : "s", a_layer);
  if (!end.empty()) text += "; " + end;
  return text;
}

}  // namespace sigstab
