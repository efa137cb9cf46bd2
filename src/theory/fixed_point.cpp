#include "theory/fixed_point.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "math/root.hpp"
#include "math/special.hpp"
#include "theory/mean_field.hpp"

namespace sigstab {
namespace {

constexpr double kEnd = 300;         // of ln q: a fourth power of sqrt(q) is still a double
constexpr double kOscillating = 14;  // the same for sin, whose waves are then 10^3 in a spread
constexpr double kSearch = 80, kStep = 0.5;
constexpr double kNoise = 1e-12;  // of logarithms of moments

bool oscillates(const Activation& f) {
  bool rises = false, falls = false;
  for (int i = 0; i < 64; ++i) {
    const double slope = f.slope(1000 + 0.7 * i);
    rises |= slope > 0;
    falls |= slope < 0;
  }
  return rises && falls;
}

// Roots of g between `from` and `to`, ascending. What is within the noise of 0 has no sign, so that
// a function that is 0 in a whole stretch has no roots there.
std::vector<double> roots(const std::function<double(double)>& g, double from, double to) {
  std::vector<double> found;
  std::optional<double> low;  // the last point with a sign
  bool positive = false;
  for (double x = from;; x = std::fmin(x + kStep, to)) {
    const double y = g(x);
    if (std::fabs(y) > kNoise) {
      if (low && positive != (y > 0)) found.push_back(root_between(g, *low, x));
      low = x;
      positive = y > 0;
    }
    if (x >= to) return found;
  }
}

bool is_zero_everywhere(const std::function<double(double)>& g, double to) {
  for (double x = -kSearch; x <= to; x += kStep) {
    if (!(std::fabs(g(x)) <= kNoise)) return false;
  }
  return true;
}

}  // namespace

SizeMap::SizeMap(const Activation& f)
    : f_(f), low_end_(-kEnd), high_end_(oscillates(f) ? kOscillating : kEnd) {}

double SizeMap::search_end() const { return std::fmin(kSearch, high_end_); }

const LogMoments& SizeMap::at(double log_q) const {
  const auto known = known_.find(log_q);
  if (known != known_.end()) return known->second;
  return known_.emplace(log_q, compute(log_q)).first->second;
}

LogMoments SizeMap::compute(double log_q) const {
  const double end = std::clamp(log_q, low_end_, high_end_);
  if (log_q != end) {
    const LogMoments& outer = at(end);
    const LogMoments& inner = at(end / 2);
    const double way = (log_q - end) / (end / 2);
    return {outer.second + way * (outer.second - inner.second),
            outer.slope_second + way * (outer.slope_second - inner.slope_second)};
  }
  const double spread = std::exp(log_q / 2);
  const auto log_mean_square = [&](double (Activation::*g)(double) const) {
    return std::log(gaussian_mean(
        [&](double z) {
          const double y = (f_.*g)(z);
          return y * y;
        },
        spread));
  };
  return {log_mean_square(&Activation::value), log_mean_square(&Activation::slope)};
}

// By differences, since E z f f' / E f^2 loses digits where f(0) is not 0. ln E f^2 is analytic in
// ln q; ten points so near leave rounding alone.
double SizeMap::growth(double log_q) const {
  constexpr double kH = 1.0 / 32;
  constexpr double kWeights[] = {5.0 / 6, -5.0 / 21, 5.0 / 84, -5.0 / 504, 1.0 / 1260};
  double sum = 0;
  for (std::size_t k = 0; k < std::size(kWeights); ++k) {
    const double way = kH * static_cast<double>(k + 1);
    sum += kWeights[k] * (compute(log_q + way).second - compute(log_q - way).second);
  }
  return sum > kNoise * kH ? sum / kH : 0;  // E f^2 grows with q, or has stopped to
}

double log_growth(const SizeMap& map, const LayerVariances& layer, double log_q) {
  return log_add(std::log(layer.weights) + map.at(log_q).second, std::log(layer.biases)) - log_q;
}

double size_slope(const SizeMap& map, const LayerVariances& layer, double log_q) {
  const double share = std::exp(std::log(layer.weights) + map.at(log_q).second - log_q -
                                log_growth(map, layer, log_q));
  return map.growth(log_q) * share;
}

double chi_1(const SizeMap& map, const LayerVariances& layer, double log_q) {
  return layer.weights * std::exp(map.at(log_q).slope_second);
}

FixedPoints fixed_points(const SizeMap& map, const LayerVariances& layer) {
  FixedPoints found;
  const auto growth = [&](double log_q) { return log_growth(map, layer, log_q); };
  if (layer.biases == 0) {
    const LogMoments& tiny = map.at(-kEnd);
    found.zero = tiny.second < -kEnd / 2;  // f(0) = 0: E f^2 goes with a power of q
    if (found.zero) found.zero_slope = std::exp(std::log(layer.weights) + tiny.second + kEnd);
    if (is_zero_everywhere(growth, map.search_end())) {
      found.every = true;
      return found;
    }
  }
  for (double log_q : roots(growth, -kSearch, map.search_end())) {
    found.points.push_back(fixed_point_at(map, layer, std::exp(log_q)));
  }
  return found;
}

FixedPoint fixed_point_at(const SizeMap& map, const LayerVariances& layer, double q) {
  const double log_q = std::clamp(std::log(q), -kEnd, kEnd);
  return {q, chi_1(map, layer, log_q), size_slope(map, layer, log_q)};
}

Limit limit_from(const SizeMap& map, const LayerVariances& layer, double log_q) {
  const double growth = log_growth(map, layer, log_q);
  if (std::fabs(growth) <= kNoise) return {Fate::stays, std::exp(log_q)};
  const FixedPoints all = fixed_points(map, layer);
  const double q = std::exp(log_q);
  if (growth > 0) {
    for (const FixedPoint& point : all.points) {
      if (point.q > q) return {Fate::fixed_point, point.q};
    }
    return {Fate::grows, std::numeric_limits<double>::infinity()};
  }
  for (auto point = all.points.rbegin(); point != all.points.rend(); ++point) {
    if (point->q < q) return {Fate::fixed_point, point->q};
  }
  return {Fate::vanishes, 0};
}

double depth_scale(double slope) { return 1 / std::fabs(std::log(slope)); }

Edge edge_of_chaos(const SizeMap& map, double biases) {
  Edge edge;
  const auto weights_at = [&](double log_q) { return std::exp(-map.at(log_q).slope_second); };
  // 1 - (sw2 E f^2 + sb2) / q with that sw2.
  const auto gap = [&](double log_q) {
    const LogMoments& m = map.at(log_q);
    return -std::expm1(m.second - m.slope_second - log_q) - biases * std::exp(-log_q);
  };
  if (biases == 0) {
    if (is_zero_everywhere(gap, map.search_end())) {
      edge.every = true;
      edge.weights = weights_at(0);
      return edge;
    }
    const LogMoments& tiny = map.at(-kEnd);
    if (tiny.second < -kEnd / 2 && std::fabs(gap(-kEnd)) <= kNoise) {
      edge.points.push_back({0, weights_at(-kEnd), 0, map.growth(-kEnd)});
    }
  }
  for (double log_q : roots(gap, -kSearch, map.search_end())) {
    const LayerVariances layer{weights_at(log_q), biases};
    edge.points.push_back({biases, layer.weights, std::exp(log_q), size_slope(map, layer, log_q)});
  }
  return edge;
}

}  // namespace sigstab
