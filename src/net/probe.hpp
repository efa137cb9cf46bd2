#pragma once
// The places of a pass where something can be measured, and who looks.
//
// Shapes: tokens x width unless said otherwise. Layers count from 1; layer 0 of the stream is the
// input.

#include <cstdint>

#include "math/matrix.hpp"
#include "net/activation.hpp"
#include "net/norm.hpp"

namespace sigstab {

enum class Site {
  stream,           // X_l, after block l
  preactivation,    // Z, what the activation is given (tokens x its width)
  activation,       // A = f(Z); beside: Z
  branch,           // F, what the block adds, before its multiplier; beside: the stream it joins
  output,           // after the final norm, if there is one; else the last stream again
  stream_gradient,  // the loss gradient at X_l
  branch_gradient,  // the loss gradient at F
  weight_gradient,  // of one matrix: X, tokens x fan_in; beside: dY, tokens x fan_out; dW = dY^T X
};

// The views die with the call.
template <class T>
struct Seen {
  std::int64_t layer;
  ConstView<T> value, beside;
  std::size_t matrix = 0;                  // of a weight gradient: index into block_matrices
  double skip = 1, multiplier = 1;         // of a branch: skip x + multiplier F
  const Activation* activation = nullptr;  // of a preactivation
  double steepest_slope = 0;               // of that activation
};

template <class T>
class Probe {
 public:
  virtual ~Probe() = default;
  // Sites that nobody wants cost nothing.
  virtual bool wants(Site /*site*/) const { return false; }
  virtual void see(Site /*site*/, const Seen<T>& /*seen*/) {}
  // A norm of this block is not what its formula says.
  virtual void norm_state(std::int64_t /*layer*/, NormState /*state*/) {}
};

}  // namespace sigstab
