#pragma once
// Activations: one row of one table each, with its value and its slope.
//
// A row's functions take the preactivation z elementwise and the row's parameters. NaN stays NaN.
// At kinks and infinities value and slope are PyTorch's: relu'(0) = 0.

#include <array>
#include <span>
#include <string_view>

#include "base/parameter.hpp"
#include "net/gaussian_forms.hpp"

namespace sigstab {

struct ActivationRow {
  std::string_view name, help, source;
  std::string_view aliases;  // separated by spaces, for did-you-mean
  std::span<const Parameter> parameters;
  // The gate of a gated mlp: value and slope are those of the gate's own nonlinearity.
  bool gated;
  const GaussianForms* forms;  // closed forms of its Gaussian integrals; null: there are none
  // PyTorch's calculate_gain; null where it has none.
  double (*torch_gain)(const ParameterValues&);

  double (*value)(double z, const ParameterValues&);
  double (*slope)(double z, const ParameterValues&);
  // a = f(z); a may be z.
  void (*apply_float)(std::span<const float> z, std::span<float> a, const ParameterValues&);
  void (*apply_double)(std::span<const double> z, std::span<double> a, const ParameterValues&);
  // g *= f'(z): the gradient at a becomes the gradient at z.
  void (*backward_float)(std::span<const float> z, std::span<float> g, const ParameterValues&);
  void (*backward_double)(std::span<const double> z, std::span<double> g, const ParameterValues&);
};

std::span<const ActivationRow> activation_table();

// A row with the values of its parameters.
struct Activation {
  const ActivationRow* row = nullptr;
  ParameterValues parameters{};

  double value(double z) const { return row->value(z, parameters); }
  double slope(double z) const { return row->slope(z, parameters); }
  void apply(std::span<const float> z, std::span<float> a) const {
    row->apply_float(z, a, parameters);
  }
  void apply(std::span<const double> z, std::span<double> a) const {
    row->apply_double(z, a, parameters);
  }
  void backward(std::span<const float> z, std::span<float> g) const {
    row->backward_float(z, g, parameters);
  }
  void backward(std::span<const double> z, std::span<double> g) const {
    row->backward_double(z, g, parameters);
  }
};

// sup |f'| over all z, infinite where it grows without end: a search, about 10^4 slopes.
// Accuracy: 1e-12 relative, for functions whose slopes are flat between neighbours of a grid of
// 2^(1/16), or have one peak there.
double steepest_slope(const Activation& f);

}  // namespace sigstab
