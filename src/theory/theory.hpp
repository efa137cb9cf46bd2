#pragma once
// What theory says of a model of the depth experiment, before a weight is drawn.

#include <mutex>
#include <optional>
#include <string>

#include "model/model_config.hpp"
#include "theory/mean_field_stack.hpp"

namespace sigstab {

struct Theory {
  MeanFieldPrediction prediction;
  MeanFieldBands bands;
};

// Why there is nothing to predict; empty if there is. Takes no time.
std::string theory_refusal(const ModelConfig& model);
// Whether gradients are predicted: there are some, of a known size at the output.
bool predicts_gradients(const ModelConfig& model);
// Sampling the bands takes most of the time, and may be left out.
Theory predict(const ModelConfig& model, bool with_bands);

// The theory of one model, computed when it is first asked for, by whichever thread asks.
class CaseTheory {
 public:
  // The model must outlive this.
  explicit CaseTheory(const ModelConfig& model) : model_(model) {}

  const ModelConfig& model() const { return model_; }
  std::string refusal() const { return theory_refusal(model_); }
  bool predicts_gradients() const { return sigstab::predicts_gradients(model_); }
  const Theory& of(bool with_bands) const;

 private:
  const ModelConfig& model_;
  mutable std::mutex mutex_;
  mutable std::optional<Theory> theory_;
  mutable bool has_bands_ = false;
};

}  // namespace sigstab
