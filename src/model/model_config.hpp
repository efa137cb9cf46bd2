#pragma once
// A model and how it is drawn: the resolved values of its keys.
//
// Shared by every kind of experiment that runs or predicts a stack. What a key means, its default
// and its range stand in model_fields.cpp.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model_fields.hpp"
#include "random/generators.hpp"

namespace sigstab {

struct RandomSpec {
  const Generator* generator = nullptr;
  Seed seed;
  bool own_seed = false;               // the config names random.seed
  std::vector<DrawItem> shared, each;  // resolved: only what is really drawn
  bool reseed = false;
  Layout layout = Layout::out_in;
};

struct ModelConfig {
  StackSpec stack;
  std::vector<Init> inits;  // one for each matrix of a block
  Bias bias;
  double input_spread = 1;
  std::optional<double> input_cosine;  // of each pair of tokens
  std::vector<double> input_values;    // tokens x width; empty: drawn
  Upstream upstream = Upstream::normal;
  std::int64_t classes = 0;
  Init head_init;
  const DTypeRow* dtype = nullptr;
  RandomSpec random;

  // Whether anything is propagated back: an upstream gradient exists and is drawn.
  bool has_gradient() const;
  bool draws(DrawItem item) const;
};

}  // namespace sigstab
