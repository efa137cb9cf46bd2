#pragma once
// Activations under a Gaussian preactivation, as in the limit of infinite width.
//
// Notation: z ~ N(0, q), q the preactivation's mean square. A layer with fan_in inputs of mean
// square p and weights of variance v has q = fan_in v p; its output has mean square E f(z)^2, and
// the gradient's mean square is multiplied by fan_out v E f'(z)^2.
// Source: He et al. 2015; Poole et al. 2016; Schoenholz et al. 2017.

#include <functional>

#include "net/activation.hpp"

namespace sigstab {

// E g(z) for z ~ N(0, spread^2). Accuracy: 12 digits for functions whose features near z have at
// least the size of 1e-7 and of a quarter of z; kinks may lie anywhere, those at 0, 1, 3 and 6 are
// fastest.
double gaussian_mean(const std::function<double(double)>& g, double spread);

struct ActivationMoments {
  double mean;                 // E f(z)
  double second_moment;        // E f(z)^2
  double slope_second_moment;  // E f'(z)^2
};
ActivationMoments activation_moments(const Activation& f, double spread);

}  // namespace sigstab
