#pragma once
// Draws what a model needs, in the order that its config gives, on one stream.
//
// Weights are not stored: they are drawn while they are multiplied, so the forward pass runs when
// their turn comes, or after all draws if the input comes later. What is shared is drawn once,
// before the first case; every later use draws it again from a copy of the generator saved at its
// start.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/team.hpp"
#include "math/matrix.hpp"
#include "model/model_config.hpp"
#include "net/drawn_weights.hpp"
#include "random/generators.hpp"

namespace sigstab {

// One case's tensors. Shapes: input and upstream tokens x width, head width x classes, a target a
// token; what is not drawn is empty.
template <class T>
struct Drawn {
  Matrix<T> input, upstream, head;
  std::vector<std::int64_t> targets;
  std::unique_ptr<DrawnWeights<T>> weights;
};

// Whether the weights of both are the same draws entry by entry, up to their spreads: what a matrix
// of one is before it is scaled is that of the other. Both must share their weights.
bool have_same_draws(const ModelConfig& a, const ModelConfig& b);

class DrawSource {
 public:
  // Starts the stream of one unit; name and grid point of the case enter a counter-based key. The
  // generator, the seed and the team must outlive the source and what it draws.
  DrawSource(const Generator& generator, const Seed& seed, std::string_view case_name,
             std::string_view point, Team& team, double keep_bytes);

  // Back to the start of a fresh stream.
  void restart(std::string_view case_name, std::string_view point);
  // Draws what the unit shares, for a model of each case's shapes.
  template <class T>
  void draw_shared(const ModelConfig& model);
  // Draws the next case's tensors and calls `forward` once in between, when the input and the
  // weights can be used. Other tensors are there only after this returns.
  template <class T>
  void draw(const ModelConfig& model, Drawn<T>& drawn, const std::function<void()>& forward);

 private:
  const Generator& generator_;
  const Seed& seed_;
  Team& team_;
  double keep_bytes_;
  std::unique_ptr<Stream> stream_;
  std::array<std::unique_ptr<Stream>, std::size(kDrawItems)> starts_;  // of what is shared
};

}  // namespace sigstab
