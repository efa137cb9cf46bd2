#include "theory/gains.hpp"

#include <cmath>
#include <string_view>

#include "base/named_table.hpp"
#include "math/root.hpp"
#include "math/special.hpp"
#include "theory/mean_field.hpp"

namespace sigstab {
namespace {

constexpr double kFar = 1000;     // of ln q, how far an output gain is searched for
constexpr double kNoise = 1e-12;  // of logarithms of moments

}  // namespace

// The signs of z apart: where they nearly cancel, their sum has no digits to converge to.
double mean_output(const Activation& f, double size) {
  constexpr double kRounding = 1e-15;
  const double spread = std::sqrt(size);
  const double above = gaussian_mean([&](double z) { return z > 0 ? f.value(z) : 0; }, spread);
  const double below = gaussian_mean([&](double z) { return z < 0 ? f.value(z) : 0; }, spread);
  const double mean = above + below;
  return std::fabs(mean) > kRounding * std::fabs(above) ? mean : 0;
}

double preactivation_gain(const SizeMap& map, double size) {
  return std::exp((std::log(size) - map.at(std::log(size)).second) / 2);
}

std::optional<double> output_gain(const SizeMap& map, double size) {
  const double start = std::log(size);
  const auto excess = [&](double log_q) { return map.at(log_q).second - start; };
  if (excess(start) == 0) return 1.0;
  // E f^2 grows with q: outwards from `start` until the excess has the other sign. What tends to
  // the size without passing it does not count.
  const bool too_large = excess(start) > 0;
  double near = start;
  for (double step = 0.5; step < kFar; step *= 2) {
    const double far = too_large ? start - step : start + step;
    const double beyond = too_large ? -excess(far) : excess(far);
    if (beyond > kNoise) return std::exp((root_between(excess, near, far) - start) / 2);
    if (beyond < 0) near = far;
  }
  return std::nullopt;
}

double backward_gain(const SizeMap& map, double size) {
  return std::exp(-map.at(std::log(size)).slope_second / 2);
}

std::optional<double> torch_gain(const Activation& f) {
  if (f.row->torch_gain == nullptr) return std::nullopt;
  return f.row->torch_gain(f.parameters);
}

namespace {

// ln Q, of the mean square that leaves the layer below.
double log_preactivation(const LayerVariances& layer, double log_square) {
  return log_add(std::log(layer.weights) + log_square, std::log(layer.biases));
}

// Calls see(ln mean square, ln mean-square multiplier of the gradient so far) after every layer.
template <class See>
void pass(const SizeMap& map, const LayerVariances& layer, double size, std::int64_t depth,
          const See& see) {
  double log_square = std::log(size), log_gradient = 0;
  for (std::int64_t l = 0; l < depth; ++l) {
    const LogMoments& m = map.at(log_preactivation(layer, log_square));
    log_square = m.second;
    log_gradient += std::log(layer.weights) + m.slope_second;
    see(log_square, log_gradient);
  }
}

}  // namespace

PassSizes sizes_after(const SizeMap& map, const LayerVariances& layer, double size,
                      std::int64_t depth) {
  PassSizes sizes{};
  pass(map, layer, size, depth, [&](double log_square, double log_gradient) {
    sizes = {log_square / 2, log_gradient / 2};
  });
  return sizes;
}

std::vector<double> gradients_after(const SizeMap& map, const LayerVariances& layer, double size,
                                    std::int64_t depth) {
  std::vector<double> gradients;
  pass(map, layer, size, depth,
       [&](double, double log_gradient) { gradients.push_back(log_gradient / 2); });
  return gradients;
}

}  // namespace sigstab
