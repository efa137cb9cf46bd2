#pragma once
// Draws what a model needs, in the order that its config gives, on one stream.
//
// What is shared is drawn once, before the first case; every later use draws it again from a copy
// of the generator saved at its start, so that nothing but one case's tensors is kept.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "math/matrix.hpp"
#include "net/weights.hpp"
#include "pipeline/model_config.hpp"
#include "random/generators.hpp"

namespace sigstab {

// One case's tensors. Shapes: input and upstream tokens x width, head width x classes, a target a
// token; what is not drawn is empty.
template <class T>
struct Drawn {
  explicit Drawn(Layout layout) : weights(layout) {}
  Matrix<T> input, upstream, head;
  std::vector<std::int64_t> targets;
  StoredWeights<T> weights;
};

class DrawSource {
 public:
  // Starts the stream of one unit; name and grid point of the case enter a counter-based key. The
  // generator and the seed must outlive the source.
  DrawSource(const Generator& generator, const Seed& seed, std::string_view case_name,
             std::string_view point);

  // Back to the start of a fresh stream.
  void restart(std::string_view case_name, std::string_view point);
  // Draws what the unit shares, for a model of each case's shapes, in the type of the last
  // argument.
  void draw_shared(const ModelConfig& model, float);
  void draw_shared(const ModelConfig& model, double);
  // The next case's tensors.
  Drawn<float> draw(const ModelConfig& model, float);
  Drawn<double> draw(const ModelConfig& model, double);

 private:
  template <class T>
  void share(const ModelConfig& model);
  template <class T>
  Drawn<T> next(const ModelConfig& model);

  const Generator& generator_;
  const Seed& seed_;
  std::unique_ptr<Stream> stream_;
  std::array<std::unique_ptr<Stream>, std::size(kDrawItems)> starts_;  // of what is shared
};

}  // namespace sigstab
