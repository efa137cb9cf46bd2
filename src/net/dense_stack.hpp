#pragma once
// Forward and backward passes through a stack, by hand, with a probe at every place worth
// measuring.
//
// Shapes: the stream X_l and its gradient are tokens x width. Layers count from 1; stream 0 is the
// input. The loss is whatever has the given gradient at the output.

#include <cstdint>
#include <vector>

#include "math/matrix.hpp"
#include "net/stack.hpp"
#include "net/weights.hpp"

namespace sigstab {

// Sees values while they exist; the views die with the call.
template <class T>
class Probe {
 public:
  virtual ~Probe() = default;
  // The stream after block `layer` (0: the input), and the loss gradient with respect to it.
  virtual void stream(std::int64_t /*layer*/, ConstView<T> /*x*/) {}
  virtual void stream_gradient(std::int64_t /*layer*/, ConstView<T> /*g*/) {}
  // After the final norm, if there is one; else the last stream again.
  virtual void output(ConstView<T> /*y*/) {}
  // A norm of this block divided by 0.
  virtual void undefined_norm(std::int64_t /*layer*/) {}
  // dW = dY^T X for matrix `matrix` of the block: X tokens x fan_in, dY tokens x fan_out.
  virtual bool wants_weight_gradients() const { return false; }
  virtual void weight_gradient(std::int64_t /*layer*/, std::size_t /*matrix*/, ConstView<T> /*x*/,
                               ConstView<T> /*dy*/) {}
};

template <class T>
class DenseStack {
 public:
  // The weights must outlive the stack and hold depth x block_matrices(spec) matrices.
  DenseStack(const StackSpec& spec, Weights<T>& weights);

  // Runs X through all blocks; with keep, holds what backward needs. Returns the output.
  Matrix<T> forward(Matrix<T> x, Probe<T>& probe, bool keep);
  // From the gradient at the output to the gradient at the input, which it returns. Needs a forward
  // pass with keep.
  Matrix<T> backward(Matrix<T> g, Probe<T>& probe);

 private:
  // Inputs of operations that their backward step reads; empty where it reads none.
  struct Kept {
    std::vector<Matrix<T>> branch;
    Matrix<T> sum;  // before the post-norm
  };

  Matrix<T> run_branch(std::int64_t layer, const Matrix<T>& x, Kept* kept, Probe<T>& probe);
  void normalise(std::int64_t layer, ConstView<T> x, View<T> y, Probe<T>& probe) const;
  Matrix<T> back_through_branch(std::int64_t layer, Matrix<T> g, Probe<T>& probe);
  std::size_t matrix_index(std::int64_t layer, std::size_t matrix) const {
    return static_cast<std::size_t>(layer - 1) * matrices_per_block_ + matrix;
  }

  const StackSpec spec_;
  Weights<T>& weights_;
  Block block_;
  std::size_t matrices_per_block_;
  std::vector<Kept> kept_;  // one a block
  Matrix<T> before_final_norm_;
};

}  // namespace sigstab
