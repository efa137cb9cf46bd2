#pragma once
// Gains: what to multiply 1/sqrt(fan_in) by, and what a stack of plain layers does with a gain.
//
// For an activation that is not homogeneous there are two gains that keep the forward pass, and
// they differ:
//   preactivation gain  sqrt(q / E f(z)^2), z ~ N(0, q): keeps the preactivation's mean square at q
//   output gain         sigma with E f(sigma z)^2 = q, z ~ N(0, q): keeps the layer's output there
// Source: He et al. 2015, arXiv 1502.01852; Klambauer et al. 2017, arXiv 1706.02515.

#include <cstdint>
#include <optional>
#include <vector>

#include "theory/fixed_point.hpp"

namespace sigstab {

// E f(z), z ~ N(0, size). Accuracy: 1e-13 of E |f(z)|; of an odd function exactly 0.
double mean_output(const Activation& f, double size);
double preactivation_gain(const SizeMap& map, double size);
// None where no spread gives the output that size, as tanh's never reaches 1.
std::optional<double> output_gain(const SizeMap& map, double size);
// 1 / sqrt(E f'(z)^2), z ~ N(0, size): keeps the gradient's mean square.
double backward_gain(const SizeMap& map, double size);
// torch.nn.init.calculate_gain, for what it knows.
std::optional<double> torch_gain(const Activation& f);

// ln RMS after `depth` layers x -> f(W x + b), of an input of mean square `size`; and that of the
// gradient at the input, of one of RMS 1 at the top. At infinite width.
struct PassSizes {
  double log_forward, log_input_gradient;
};
PassSizes sizes_after(const SizeMap& map, const LayerVariances& layer, double size,
                      std::int64_t depth);
// The same of the gradient alone, of stacks of 1, 2, ... depth layers.
std::vector<double> gradients_after(const SizeMap& map, const LayerVariances& layer, double size,
                                    std::int64_t depth);

}  // namespace sigstab
