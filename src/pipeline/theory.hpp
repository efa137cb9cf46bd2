#pragma once
// What theory says of a model of the depth experiment, before a weight is drawn.

#include <string>

#include "net/mean_field_stack.hpp"
#include "pipeline/model_config.hpp"

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

}  // namespace sigstab
