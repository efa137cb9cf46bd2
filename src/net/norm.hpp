#pragma once
// Normalisation of each token's vector, and where in a block it sits.
//
//   layernorm  y = (x - mean) / sqrt(variance + eps)      Ba, Kiros & Hinton 2016
//   rmsnorm    y = x / sqrt(mean square + eps)            Zhang & Sennrich 2019
// A learned gain and bias, the same for all entries, follow: gain y + bias. Statistics are taken in
// double and cannot overflow where the values do not; eps 0 on a vector without spread gives NaN,
// as the formula says.

#include <span>
#include <string_view>

#include "math/matrix.hpp"
#include "math/rounding.hpp"

namespace sigstab {

struct NormRow {
  std::string_view name, help;
  bool centred;   // subtracts the mean
  bool identity;  // the row "none"
};
std::span<const NormRow> norm_table();

// f the branch, N the norm, s the skip and b the branch multiplier.
enum class Placement { none, pre, post, sandwich, reordered, sub };
struct PlacementRow {
  std::string_view name, help;
  Placement placement;
  bool needs_residual;
  bool needs_mlp;
};
std::span<const PlacementRow> placement_table();

// What became of the second moments of all tokens; the worst of them.
enum class NormState {
  defined,
  divided_by_zero,  // a moment and eps are both 0
  lost,             // a moment that is not 0 was stored as 0, or as infinite, in norm.steps
};

struct Norm {
  const NormRow* row = nullptr;
  double eps = 1e-5;
  double gain = 1, bias = 0;
  // Compute statistics in this format, every step rounded to it, as a framework does that does not
  // widen first; null: in double. Forward only: gradients are those of the exact norm.
  const NumberFormat* steps = nullptr;

  bool present() const { return row != nullptr && !row->identity; }
  // Y = N(X), row by row. Shapes: both tokens x width; Y may be X.
  NormState apply(ConstView<float> x, View<float> y) const;
  NormState apply(ConstView<double> x, View<double> y) const;
  // G (the gradient at N(X)) becomes the gradient at X.
  //   dx = (g - mean(g) - y mean(g y)) / D, with D the denominator; without mean(g) for rmsnorm.
  void backward(ConstView<float> x, View<float> g) const;
  void backward(ConstView<double> x, View<double> g) const;
};

}  // namespace sigstab
