#pragma once
// What a stack's sizes are before a weight is drawn: the mean field of every layer, and what one
// draw of finite width may show instead.
//
// Sizes are natural logarithms of RMS, so that a stack of 100,000 layers has one. The mean field
// is the limit of infinite width: the root of the mean over draws of the mean square. One draw's
// ln RMS scatters about a smaller value (the band), by about sqrt(depth / width).
// Where an assumption fails there is no number: `refusal` says why, or a note does.

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "theory/mean_field_block.hpp"

namespace sigstab {

// How ln RMS is distributed over draws.
struct Band {
  static constexpr std::array<double, 5> kLevels = {0.025, 0.16, 0.5, 0.84, 0.975};
  double mean = 0, deviation = 0;
  std::array<double, 5> quantiles{};
};

inline constexpr double kNoPrediction = std::numeric_limits<double>::quiet_NaN();

struct LayerPrediction {
  double forward = kNoPrediction, gradient = kNoPrediction;  // of the stream after the block
  double preactivation = kNoPrediction;
  double branch = kNoPrediction, branch_gradient = kNoPrediction;
  std::vector<double> weight_gradients;  // of each matrix
  double cosine = kNoPrediction;         // of pairs of tokens; no logarithm
};

struct MeanFieldPrediction {
  std::string refusal;  // why there is no prediction at all; empty: there is one
  std::vector<std::string> notes;
  std::vector<LayerPrediction> layers;  // 0 is the input
  double output = kNoPrediction;        // after the final norm
  // Of the last block: the multiplier of a gradient's mean square (chi_1 of a plain stack), and the
  // factor by which it changes a small relative error of the signal's mean square.
  double last_multiplier = kNoPrediction, size_slope = kNoPrediction;
};

// Why no prediction can be made of that model; empty if one can.
std::string mean_field_refusal(const MeanFieldModel& model);
MeanFieldPrediction predict_mean_field(const MeanFieldModel& model);

// Bands of ln RMS at the input and after every layer. Empty where there are none.
struct MeanFieldBands {
  std::string refusal;  // why there are none
  std::vector<Band> forward, gradient;
};
// From `chains` (fewer above 500 layers) draws of the sizes alone, layer by layer: given the sizes
// before it, a layer's sums over units are drawn as log-normals of their exact means and variances.
// Deterministic: a stream of its own. Accuracy: exact in its first two moments layer by layer;
// where units are few (below 16) tails are not.
MeanFieldBands sample_bands(const MeanFieldModel& model, int chains = 2000);

// The exact law of a stack of linear layers without residual or norm: the mean and deviation of
// ln |x_L| / |x_0|, and of gradients. Source: sums of ln chi^2_d / d, Hanin & Nica 2018.
Band linear_stack_law(std::int64_t width, std::int64_t depth);

}  // namespace sigstab
