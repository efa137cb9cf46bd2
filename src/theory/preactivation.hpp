#pragma once
// What an activation makes of a preactivation, at any size: 10^-3000 is a size like any other.
//
// Sizes are natural logarithms of mean squares, -infinity for 0. Everything else is a ratio.
//   quadrature     within 1e-50 to 1e50 spreads, 12 digits (net/mean_field.hpp)
//   closed forms   linear, relu, leaky_relu, relu_squared, erf, gelu, sin: at every size
//   beyond 1e+-50  f is c z^k on either side of 0, to 30 digits for every function of the table;
//                  a slope that vanishes at both ends has a mean square that falls like 1/spread
// Source: Poole et al. 2016; Schoenholz et al. 2017; Williams 1997 (erf); gelu's forms follow from
// E Phi and its derivatives, and are checked against 30-digit quadrature.

#include <functional>

#include "net/activation.hpp"
#include "net/bias.hpp"

namespace sigstab {

// z = shift + N(0, variance) + U(-limit, limit): Gaussian weights on a given input, and the bias.
struct PreactivationLaw {
  double log_variance = 0;  // of the normal part, a normal bias included
  double shift = 0, limit = 0;

  double log_square() const;  // ln E z^2
  double mean() const { return shift; }
};
// The law of W x + bias, where the products' variance is e^log_variance.
PreactivationLaw preactivation_law(double log_variance, const Bias& bias, std::int64_t fan_in);

// E g(z). Accuracy: 12 digits, for sizes between 1e-50 and 1e50, as gaussian_mean.
double law_mean(const std::function<double(double)>& g, const PreactivationLaw& law);

using ActivationLaw = GaussianMoments;
ActivationLaw activation_law(const Activation& f, const PreactivationLaw& law);

// How much the squares vary from unit to unit, relative to their means: Var f^2 / (E f^2)^2, the
// same of f'^2, and their covariance over both means. For sizes beyond 1e+-50, that at 1e+-50.
struct SquareSpread {
  double value = 0, slope = 0, both = 0;
};
SquareSpread square_spread(const Activation& f, const PreactivationLaw& law);

// E f(z1) f(z2) / E f^2 of two tokens whose normal parts have that correlation and whose biases
// are one. Accuracy: 8 digits.
double pair_share(const Activation& f, const PreactivationLaw& law, double correlation);

}  // namespace sigstab
