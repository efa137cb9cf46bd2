#include "result/size_verdict.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace sigstab {
namespace {

const double kExtreme = std::log(10.0);   // from which an exponential change explodes or vanishes
const double kOtherStep = std::log(2.0);  // by which the step at the input differs from the others
constexpr double kSteepest = 1.5;         // no stream grows like a steeper power: that is noise
constexpr std::size_t kFewLayers = 8;     // too few to tell a power from a factor a layer

bool usable(double size) { return std::isfinite(size) && size > 0; }

std::string fate_text(double size, std::size_t layer) {
  const std::string_view fate = std::isnan(size)   ? "is nan"
                                : std::isinf(size) ? "overflows"
                                                   : "is zero";
  return fmt::format("{} first {}", fate,
                     layer == 0 ? "at the input" : fmt::format("at layer {}", layer));
}

// The layers first..last, first <= last, that a signal reaches before it is lost, and what befalls
// it.
struct Reach {
  std::size_t first, last;
  std::string end;
};

Reach reach_of(std::span<const double> sizes, Direction direction) {
  const std::size_t depth = sizes.size() - 1;
  if (direction == Direction::forward) {
    if (!usable(sizes[0])) return {1, 0, fate_text(sizes[0], 0)};
    for (std::size_t layer = 1; layer <= depth; ++layer) {
      if (!usable(sizes[layer])) return {1, layer - 1, fate_text(sizes[layer], layer)};
    }
    return {1, depth, ""};
  }
  for (std::size_t layer = depth + 1; layer-- > 0;) {
    if (!usable(sizes[layer])) return {layer + 1, depth, fate_text(sizes[layer], layer)};
  }
  return {1, depth, ""};
}

struct Growth {
  double total;     // log factor in the direction of travel
  bool is_power;    // of the layer's number; else a factor a layer
  double exponent;  // of the power
};

Growth growth_of(std::span<const double> sizes, const Reach& reach, Direction direction) {
  const auto log_size = [&](std::size_t layer) { return std::log(sizes[layer]); };
  const std::size_t count = reach.last - reach.first;
  const std::size_t middle = reach.first + count / 2, quarter = reach.first + count / 4;
  const double late = log_size(reach.last) - log_size(middle);
  const double early = log_size(middle) - log_size(quarter);
  Growth growth;
  growth.total = log_size(reach.last) - log_size(reach.first);
  if (direction == Direction::backward) growth.total = -growth.total;
  // Per doubling of the layer a power changes by the same factor, an exponential by its square.
  const auto slope = [](double change, std::size_t from, std::size_t to) {
    return change / std::log(static_cast<double>(to) / static_cast<double>(from));
  };
  growth.is_power = count >= kFewLayers && std::fabs(late) < 1.5 * std::fabs(early) &&
                    std::fabs(slope(late, middle, reach.last)) < kSteepest;
  // What is told beside it is the whole change.
  growth.exponent = slope(log_size(reach.last) - log_size(reach.first), reach.first, reach.last);
  return growth;
}

}  // namespace

std::string_view change_verb(double log_factor, double holding) {
  if (std::fabs(log_factor) <= std::log(holding)) return "holds";
  const bool extreme = std::fabs(log_factor) > kExtreme;
  if (log_factor > 0) return extreme ? "explodes" : "grows";
  return extreme ? "vanishes" : "shrinks";
}

std::string factor_text(double log_factor, std::string_view spec) {
  constexpr double kMostInDouble = 700;
  if (std::fabs(log_factor) >= kMostInDouble) {
    return fmt::format("x10^{:.0f}", log_factor / std::numbers::ln10);
  }
  return fmt::format(fmt::runtime("x{" + std::string(spec) + "}"), std::exp(log_factor));
}

std::string tell_sizes(std::string_view what, std::span<const double> sizes, Direction direction) {
  const bool forward = direction == Direction::forward;
  const Reach reach = reach_of(sizes, direction);
  if (reach.first > reach.last) return fmt::format("{} {}", what, reach.end);
  std::string text(what);
  double a_layer = 0;
  if (reach.last > reach.first) {
    const Growth growth = growth_of(sizes, reach, direction);
    if (std::fabs(growth.total) <= std::log(kHoldingFactors.verdict)) {
      text += " holds:";
    } else if (growth.is_power) {
      text += fmt::format(" {}{} like layer^{:.2f}:", growth.total > 0 ? "grows" : "shrinks",
                          forward ? "" : " towards the input", growth.exponent);
    } else {
      a_layer = growth.total / static_cast<double>(reach.last - reach.first);
      text += fmt::format(" {} by {} a layer:", change_verb(growth.total, kHoldingFactors.verdict),
                          factor_text(a_layer, ":.4g"));
    }
    text += fmt::format(" {} over layers {} to {}", factor_text(growth.total),
                        forward ? reach.first : reach.last, forward ? reach.last : reach.first);
  } else {
    text += fmt::format(" reaches layer {} only", forward ? reach.last : reach.first);
  }
  if (reach.first == 1 && usable(sizes[0])) {
    const double step = (forward ? 1 : -1) * (std::log(sizes[1]) - std::log(sizes[0]));
    const bool alone = sizes.size() == 2;
    if (alone) return fmt::format("{} changes by {} in its one layer", what, factor_text(step));
    if (std::fabs(step - a_layer) > kOtherStep) {
      text += fmt::format("; {} {}", forward ? "layer 1 itself" : "from layer 1 to the input",
                          factor_text(step));
    }
  }
  if (!reach.end.empty()) text += "; " + reach.end;
  return text;
}

std::optional<std::string> tell_limit(std::string_view what, std::span<const double> sizes,
                                      const NumberFormat& format, Direction direction) {
  for (std::size_t step = 0; step < sizes.size(); ++step) {
    const std::size_t layer = direction == Direction::forward ? step : sizes.size() - 1 - step;
    if (sizes[layer] > 0 && sizes[layer] < format.smallest_normal) {
      return fmt::format("{} is below {}'s normal numbers ({:.2g}) {}", what, format.name,
                         format.smallest_normal,
                         layer == 0 ? "at the input" : fmt::format("from layer {}", layer));
    }
  }
  return std::nullopt;
}

std::vector<std::string> tell_lines(std::string_view what, std::span<const double> sizes,
                                    const NumberFormat& format, Direction direction) {
  std::vector<std::string> lines = {tell_sizes(what, sizes, direction)};
  if (const auto limit = tell_limit(what, sizes, format, direction)) lines.push_back(*limit);
  return lines;
}

}  // namespace sigstab
