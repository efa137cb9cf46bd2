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

// Where norms sit in a block. In the help, f is the branch, N the norm, s the skip and b the branch
// multiplier.
struct PlacementRow {
  std::string_view name, help;
  bool before_branch = false;  // at the branch's input
  bool inside_branch = false;  // before the last matrix of an mlp
  bool after_branch = false;   // at the branch's output, before the sum with the skip
  bool after_sum = false;      // at the block's output
  bool needs_residual = false;
  bool needs_mlp = false;

  // Whether a block of this placement has a norm at all.
  bool normalises() const { return before_branch || inside_branch || after_branch || after_sum; }
};
std::span<const PlacementRow> placement_table();
// Where a norm sits that names no placement: before the branch of a residual, else after the block.
const PlacementRow& default_placement(bool has_norm, bool has_residual);

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
