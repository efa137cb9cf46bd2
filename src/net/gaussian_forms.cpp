#include "net/gaussian_forms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/special.hpp"

namespace sigstab {
namespace {

using std::numbers::pi;

// q where functions of it have reached both their limits, to all digits.
double clamped_variance(double log_q) { return std::exp(std::clamp(log_q, -200.0, 200.0)); }

GaussianMoments of_leaky(double log_q, double a) {
  const double half = (1 + a * a) / 2;
  return {log_q + std::log(half), (1 - a) / std::sqrt(pi * (1 + a * a)), std::log(half)};
}
GaussianMoments of_relu_squared(double log_q, const ParameterValues&) {
  return {2 * log_q + std::log(1.5), 0.5 / std::sqrt(1.5), std::log(2.0) + log_q};
}
GaussianMoments of_erf(double log_q, const ParameterValues&) {
  const double q = clamped_variance(log_q);
  const double per_q = 2 / pi * std::asin(2 * q / (1 + 2 * q)) / q;
  // Above the clamp E f^2 stays at its limit, below it is proportional to q.
  return {std::min(log_q, 200.0) + std::log(per_q), 0,
          std::log(4 / pi) - 0.5 * log_add(0, std::log(4.0) + log_q)};
}
GaussianMoments of_gelu(double log_q, const ParameterValues&) {
  const double q = clamped_variance(log_q), angle = std::asin(q / (1 + q));
  const double per_q = 0.25 + (2 * q / ((1 + q) * std::sqrt(1 + 2 * q)) + angle) / (2 * pi);
  const double slope =
      0.25 + (angle + q * (3 + 5 * q) / ((1 + q) * std::pow(1 + 2 * q, 1.5))) / (2 * pi);
  const double mean_per_root = std::sqrt(q / (2 * pi * (1 + q)));
  return {log_q + std::log(per_q), mean_per_root / std::sqrt(per_q), std::log(slope)};
}
GaussianMoments of_sin(double log_q, const ParameterValues&) {
  const double q = clamped_variance(log_q), per_q = -std::expm1(-2 * q) / 2 / q;
  return {std::min(log_q, 200.0) + std::log(per_q), 0, std::log((1 + std::exp(-2 * q)) / 2)};
}

GaussianMoments of_linear(double log_q, const ParameterValues&) { return {log_q, 0, 0}; }
GaussianMoments of_relu(double log_q, const ParameterValues&) { return of_leaky(log_q, 0); }
GaussianMoments of_leaky_relu(double log_q, const ParameterValues& p) {
  return of_leaky(log_q, p[0]);
}

// Slope a for negative inputs.
double leaky_pair(double c, double a) {
  const double arc = std::sqrt((1 - c) * (1 + c)) + (pi - std::acos(c)) * c;
  return ((1 - a) * (1 - a) * arc / pi + 2 * a * c) / (1 + a * a);
}
double linear_pair(double, double c, const ParameterValues&) { return c; }
double relu_pair(double, double c, const ParameterValues&) { return leaky_pair(c, 0); }
double leaky_relu_pair(double, double c, const ParameterValues& p) { return leaky_pair(c, p[0]); }
double erf_pair(double log_q, double c, const ParameterValues&) {
  const double q = clamped_variance(log_q);
  return std::asin(2 * q * c / (1 + 2 * q)) / std::asin(2 * q / (1 + 2 * q));
}

}  // namespace

const GaussianForms kLinearForms = {of_linear, linear_pair, true};
const GaussianForms kReluForms = {of_relu, relu_pair, true};
const GaussianForms kLeakyReluForms = {of_leaky_relu, leaky_relu_pair, true};
const GaussianForms kReluSquaredForms = {of_relu_squared, nullptr, true};
const GaussianForms kErfForms = {of_erf, erf_pair};
const GaussianForms kGeluForms = {of_gelu};
const GaussianForms kSinForms = {of_sin};

}  // namespace sigstab
