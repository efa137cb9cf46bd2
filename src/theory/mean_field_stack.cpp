#include "theory/mean_field_stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace sigstab {
namespace {

constexpr double kFewUnits = 32;

// Exact moments, the last ones kept: deep stacks come to rest, and are asked for them again.
class ExactLaws final : public ActivationLaws {
 public:
  ExactLaws(const MeanFieldModel& model, std::int64_t fan_in) : model_(model), fan_in_(fan_in) {}
  const SiteLaw& at(double log_variance) override {
    if (log_variance == asked_) return last_;
    asked_ = log_variance;
    last_.law = activation_law(model_.stack.activation,
                               preactivation_law(log_variance, model_.bias, fan_in_));
    return last_;
  }

 private:
  const MeanFieldModel& model_;
  std::int64_t fan_in_;
  double asked_ = kNoPrediction;
  SiteLaw last_{};
};

double root(double log_square) { return log_square / 2; }

double largest_weight_factor(const StackSpec& stack, bool last) {
  double largest = 0;
  for (std::int64_t layer : {std::int64_t{1}, stack.depth}) {
    const BlockFactors f = stack.residual.factors(layer);
    largest = std::max(largest, std::fabs(last ? f.last_weights : f.other_weights));
  }
  return largest;
}

// Beyond this share of the size along one direction, by which the mean of a dense branch makes the
// gradient outgrow the mean over all, the expansion in 1/width has ended.
constexpr double kOutgrown = 0.05;

void drop_gradients(std::size_t layer, MeanFieldPrediction& prediction) {
  prediction.notes.push_back(
      fmt::format("no gradients below layer {}: the branches have a mean, and along it the "
                  "gradient has outgrown that along all other directions",
                  layer + 1));
  for (std::size_t i = 0; i <= layer; ++i) {
    LayerPrediction& here = prediction.layers[i];
    here.gradient = here.branch_gradient = kNoPrediction;
    std::ranges::fill(here.weight_gradients, kNoPrediction);
  }
}

void add_notes(const MeanFieldModel& model, MeanFieldPrediction& prediction) {
  const StackSpec& s = model.stack;
  const auto note = [&](std::string text) { prediction.notes.push_back(std::move(text)); };
  const double narrowest =
      static_cast<double>(s.layer == LayerKind::mlp ? std::min(s.width, s.hidden) : s.width);
  if (narrowest < kFewUnits) {
    note(
        fmt::format("{:.0f} units: the limit of infinite width is off by a share of 1/{:.0f} and "
                    "more a layer",
                    narrowest, narrowest));
  }
  if (s.storage != nullptr) {
    note(fmt::format("rounding to {} is no part of it", s.storage->name));
  }
  for (const LayerPrediction& layer : prediction.layers) {
    if (std::isnan(layer.forward)) {
      note("a norm divides 0 by 0: no spread, and eps is 0");
      break;
    }
  }
}

std::string matrix_refusal(const MeanFieldModel& model, std::size_t i, const MatrixSpec& m) {
  const Init& init = model.inits[i];
  const bool drawn_as_zero =
      init.spread(m.fan_in, m.fan_out) * largest_weight_factor(model.stack, m.last) == 0;
  if (drawn_as_zero) return "";
  switch (init.row->distribution) {
    case Distribution::identity:
    case Distribution::constant:
    case Distribution::stored:
      return fmt::format("{}'s weights are not random ({}), so that preactivations are not normal",
                         m.name, distribution_name(init.row->distribution));
    case Distribution::sparse: {
      const double left =
          static_cast<double>(m.fan_in) *
          (1 - static_cast<double>(init.zeros(m.fan_out)) / static_cast<double>(m.fan_out));
      if (left >= kFewUnits) break;
      return fmt::format("{} has {:.3g} weights a unit that are not 0, too few for a normal sum",
                         m.name, left);
    }
    default:
      break;
  }
  return "";
}

}  // namespace

std::string mean_field_refusal(const MeanFieldModel& model) {
  const std::vector<MatrixSpec> matrices = block_matrices(model.stack);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    if (std::string why = matrix_refusal(model, i, matrices[i]); !why.empty()) return why;
  }
  if (model.stack.width < 2) return "a width of 1 is no average over units";
  return "";
}

MeanFieldPrediction predict_mean_field(const MeanFieldModel& model) {
  MeanFieldPrediction prediction;
  prediction.refusal = mean_field_refusal(model);
  if (!prediction.refusal.empty()) return prediction;
  const StackSpec& stack = model.stack;
  const std::size_t matrices = block_matrices(stack).size();
  ExactLaws laws(model, stack.width);
  const MeanFieldBlock block(model, laws);
  const auto depth = static_cast<std::size_t>(stack.depth);
  prediction.layers.resize(depth + 1);
  std::vector<BlockTrace> traces(depth + 1);
  Signal x{model.log_input, model.input_mean_share, model.input_cosine};
  for (std::size_t layer = 0; layer <= depth; ++layer) {
    LayerPrediction& here = prediction.layers[layer];
    if (layer > 0) {
      const auto number = static_cast<std::int64_t>(layer);
      if (layer == depth) {
        // A central difference of logarithms.
        constexpr double kStep = 1e-4;
        BlockTrace unused;
        Signal above = x, below = x;
        above.log_square += kStep;
        below.log_square -= kStep;
        prediction.size_slope = (block.forward(number, above, unused, nullptr).log_square -
                                 block.forward(number, below, unused, nullptr).log_square) /
                                (2 * kStep);
      }
      BlockTrace& trace = traces[layer];
      x = block.forward(number, x, trace, nullptr);
      here.preactivation = root(trace.log_preactivation);
      here.branch = root(trace.log_branch);
    }
    here.forward = root(x.log_square);
    if (model.pairs) here.cosine = x.cosine;
  }
  BackSignal g{0, 1, 1};
  prediction.output = root(x.log_square);
  BlockTrace::Step final_step;
  if (stack.final_norm) {
    prediction.output = root(block.final_norm(x, final_step).log_square);
    g = block.back_through_final_norm(g, final_step);
  }
  if (model.gradient) {
    for (std::size_t layer = depth;; --layer) {
      LayerPrediction& here = prediction.layers[layer];
      here.weight_gradients.resize(layer == 0 ? 0 : matrices);
      if (g.along_ones > std::max(2.0, kOutgrown * static_cast<double>(stack.width))) {
        for (std::size_t i = 1; i <= layer; ++i) {
          prediction.layers[i].weight_gradients.resize(matrices);
        }
        drop_gradients(layer, prediction);
        break;
      }
      here.gradient = root(g.log_square);
      if (layer == 0) break;
      const double before = g.log_square;
      g = block.backward(static_cast<std::int64_t>(layer), g, traces[layer], nullptr,
                         &here.weight_gradients, &here.branch_gradient);
      for (double& square : here.weight_gradients) square = root(square);
      here.branch_gradient = root(here.branch_gradient);
      if (layer == depth) prediction.last_multiplier = std::exp(g.log_square - before);
    }
  }
  add_notes(model, prediction);
  return prediction;
}

}  // namespace sigstab
