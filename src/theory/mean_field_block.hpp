#pragma once
// One block of a stack in the limit of infinite width: what it makes of the sizes of a signal and
// of a gradient, averaged over weights that are drawn anew in every block.
//
// Each operation of the block (net/stack.hpp) has a rule. With q = E z^2 over a vector's entries:
//   product     q' = fan_in v q + E bias^2; back: fan_out v
//   activation  q' = E f(z)^2, z ~ N(0, q) and the bias; back: E f'(z)^2
//   gate        q' = E f(zg)^2 E z1^2, independent; back: both paths
//   norm        q' = gain^2 m / (m + eps) + bias^2, m the variance (layernorm) or the mean square;
//               back: gain^2 / (m + eps) (1 - 1/d [1 - 2/d] + (eps / (m + eps))^2 / d)
//   sum         q' = s^2 q + b^2 q_f + 2 s b mean(x) mean(f); back: s^2 + b^2 J
// The stream's mean is followed, since layernorm removes it and a dense branch has one. At finite
// width each rule is off by a random factor; `Noise` draws it, and without one the rules are exact
// means. Sizes are natural logarithms of mean squares.
// Source: Poole et al. 2016; Schoenholz et al. 2017; Hanin & Nica 2018 (fluctuations).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "net/init.hpp"
#include "net/stack.hpp"
#include "theory/preactivation.hpp"

namespace sigstab {

struct MeanFieldModel {
  StackSpec stack;
  std::vector<Init> inits;  // one for each matrix of a block
  Bias bias;
  // Of the input: ln of its mean square, its mean over the root of that, the cosine of each pair.
  double log_input = 0, input_mean_share = 0, input_cosine = 0;
  bool input_drawn = true;  // and so of a random size
  bool pairs = false;       // whether the cosine of two tokens is followed
  bool roughly = false;     // that cosine to a tenth, in no time
  bool gradient = true;     // whether a gradient of entries N(0, 1) comes back
};

// A vector's sizes.
struct Signal {
  double log_square;  // ln of the mean square
  double mean_share;  // mean over its root
  double cosine;      // of two tokens, their mean product over the mean square
};

// Gradients have mean 0. Two directions may have more or less than the others: that of ones, which
// layernorm removes and the mean of a dense branch lets grow, and that of the stream, which norms
// remove. Shares are of the size along any other.
struct BackSignal {
  double log_square;
  double along_ones = 1, along_stream = 1;
};

// Moments of the stack's activation by ln of the weights' part of the preactivation's variance.
struct SiteLaw {
  ActivationLaw law;
  SquareSpread spread;
};
class ActivationLaws {
 public:
  virtual ~ActivationLaws() = default;
  virtual const SiteLaw& at(double log_variance) = 0;
};

// Standard normals, one after another: the fluctuations of one chain of finite width.
class Noise {
 public:
  explicit Noise(std::span<const double> normals) : normals_(normals) {}
  double next() { return normals_[used_++]; }

 private:
  std::span<const double> normals_;
  std::size_t used_ = 0;
};

// ln of a positive factor with mean 1 and that relative variance, from a standard normal.
double log_factor(double variance, double normal);

// What the forward pass leaves for the way back, and for whoever reports.
struct BlockTrace {
  static constexpr std::size_t kMostOperations = 8;
  struct Step {
    double log_input = 0;                     // of a product: its input
    std::array<double, 2> log_back = {0, 0};  // multipliers of the gradient; of a gate two paths
    double back_variance = 0;                 // relative, of a gradient's size at finite width
    double kept = 0;                          // of a norm: what a gradient along its input keeps
    // An activation's slopes fluctuate with its values: the normal drawn, the correlation.
    double drawn = 0, correlation = 0, slope_variance = 0;
  };
  std::array<Step, kMostOperations> steps;
  double log_preactivation = 0;
  double log_branch = 0;   // before its multiplier
  Step after_sum;          // the norm there
  double skip_of_sum = 0;  // of the sum's square, the skip's part
  // Of a dense branch on the bare stream, E W^T D W x of a unit x, and that stream's mean share.
  double drift = 0, stream_mean_share = 0;
};

// The branch's noise takes at most so many normals in each direction.
inline constexpr std::size_t kNormalsPerBlock = 8;

class MeanFieldBlock {
 public:
  // The model and the laws must outlive the block.
  MeanFieldBlock(const MeanFieldModel& model, ActivationLaws& laws);

  Signal forward(std::int64_t layer, const Signal& x, BlockTrace& trace, Noise* noise) const;
  // `gradients` (may be null) takes ln of the mean square of each matrix's gradient.
  // `branch_gradient` (may be null) that at the branch's end.
  BackSignal backward(std::int64_t layer, const BackSignal& g, const BlockTrace& trace,
                      Noise* noise, std::vector<double>* gradients, double* branch_gradient) const;
  // The norm after the last block.
  Signal final_norm(const Signal& x, BlockTrace::Step& step) const;
  BackSignal back_through_final_norm(const BackSignal& g, const BlockTrace::Step& step) const;

 private:
  Signal product(std::size_t op, std::int64_t layer, const Signal& x, BlockTrace& trace,
                 Noise* noise) const;
  Signal activation(std::size_t op, std::int64_t layer, const Signal& x, BlockTrace& trace,
                    Noise* noise) const;
  Signal gate(std::size_t op, std::int64_t layer, const Signal& x, BlockTrace& trace,
              Noise* noise) const;
  Signal normalise(const Signal& x, BlockTrace::Step& step) const;
  Signal sum(const BlockFactors& factors, const Signal& x, const Signal& f, BlockTrace& trace,
             Noise* noise) const;
  BackSignal back_through_sum(const BlockFactors& factors, const BackSignal& g, double log_branch,
                              const BlockTrace& trace, Noise* noise) const;
  double log_norm_back(const BlockTrace::Step& step, double dimension, const BackSignal& g) const;
  double drift(std::int64_t layer, const Signal& x) const;
  double log_variance(std::int64_t layer, std::size_t matrix) const;
  // Of the relative variance of a size, what is left when the tokens' squares are averaged.
  double share_of_tokens(double cosine) const;

  const MeanFieldModel& model_;
  ActivationLaws& laws_;
  Block block_;
  std::vector<MatrixSpec> matrices_;
  std::vector<BlockFactors> factors_;  // by layer, from 0 for layer 1
  std::vector<double> log_weights_;    // ln variance of each matrix's weights, before factors
};

}  // namespace sigstab
