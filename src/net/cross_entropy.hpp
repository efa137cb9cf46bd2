#pragma once
// The loss on top of a stack: mean cross-entropy of logits = Y H against integer targets.

#include <cstdint>
#include <span>

#include "math/matrix.hpp"

namespace sigstab {

template <class T>
struct LossAndGradient {
  double loss;
  Matrix<T> gradient;  // with respect to Y
};

// Shapes: Y tokens x width, H width x classes, one target in [0, classes) a token. The loss is the
// mean over tokens of log sum exp(logits) - logit[target].
LossAndGradient<float> cross_entropy(ConstView<float> y, ConstView<float> head,
                                     std::span<const std::int64_t> targets);
LossAndGradient<double> cross_entropy(ConstView<double> y, ConstView<double> head,
                                      std::span<const std::int64_t> targets);

}  // namespace sigstab
