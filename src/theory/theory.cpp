#include "theory/theory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/moments.hpp"

namespace sigstab {
namespace {

double square(double v) { return v * v; }

// Given tokens must be alike, since a layer's size is one number. Empty if they are.
std::string read_values(const ModelConfig& config, MeanFieldModel& model) {
  constexpr double kAlike = 1e-9;
  const auto width = static_cast<std::size_t>(config.stack.width);
  const std::span<const double> values = config.input_values;
  for (std::size_t from = 0; from < values.size(); from += width) {
    const std::span<const double> token = values.subspan(from, width);
    const double size = root_mean_square(token);
    const double log_square = 2 * std::log(size), share = size == 0 ? 0 : mean(token) / size;
    if (from == 0) {
      model.log_input = log_square;
      model.input_mean_share = share;
    } else if (!(std::fabs(log_square - model.log_input) < kAlike) ||
               !(std::fabs(share - model.input_mean_share) < kAlike)) {
      return "the given tokens differ in size or mean";
    }
  }
  if (values.size() != 2 * width || model.log_input == -HUGE_VAL) return "";
  double product = 0;
  for (std::size_t i = 0; i < width; ++i) product += values[i] * values[width + i];
  model.input_cosine = product / static_cast<double>(width) / std::exp(model.log_input);
  model.pairs = true;
  return "";
}

// Empty, or why the model has no theory.
std::string make_model(const ModelConfig& config, MeanFieldModel& model) {
  model.stack = config.stack;
  model.inits = config.inits;
  model.bias = config.bias;
  model.gradient = predicts_gradients(config);
  if (!config.input_values.empty()) {
    model.input_drawn = false;
    return read_values(config, model);
  }
  model.log_input = std::log(square(config.input_spread));
  model.input_cosine = config.input_cosine.value_or(0);
  model.pairs = config.input_cosine.has_value();
  return "";
}

}  // namespace

bool predicts_gradients(const ModelConfig& config) {
  return config.has_gradient() && config.upstream == Upstream::normal;
}

std::string theory_refusal(const ModelConfig& config) {
  MeanFieldModel model;
  std::string why = make_model(config, model);
  return why.empty() ? mean_field_refusal(model) : why;
}

Theory predict(const ModelConfig& config, bool with_bands) {
  MeanFieldModel model;
  Theory theory;
  theory.prediction.refusal = theory.bands.refusal = make_model(config, model);
  if (!theory.prediction.refusal.empty()) return theory;
  theory.prediction = predict_mean_field(model);
  if (config.has_gradient() && !model.gradient && theory.prediction.refusal.empty()) {
    theory.prediction.notes.emplace_back(
        "no gradients: the size of cross-entropy's gradient at the output is not predicted");
  }
  if (with_bands) theory.bands = sample_bands(model);
  return theory;
}

const Theory& CaseTheory::of(bool with_bands) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!theory_ || (with_bands && !has_bands_)) {
    theory_ = predict(model_, with_bands);
    has_bands_ = with_bands;
  }
  return *theory_;
}

}  // namespace sigstab
