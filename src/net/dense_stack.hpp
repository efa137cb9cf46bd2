#pragma once
// Forward and backward passes through a stack, by hand, with a probe at every place worth
// measuring.
//
// Shapes: the stream X_l and its gradient are tokens x width. The loss is whatever has the given
// gradient at the output.

#include <cstdint>
#include <span>
#include <vector>

#include "math/matrix.hpp"
#include "net/probe.hpp"
#include "net/stack.hpp"
#include "net/weights.hpp"

namespace sigstab {

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

  // The same passes in steps, for stacks that run side by side: start, every block in order (from
  // the last in the backward pass), end.
  void start_forward(Matrix<T> x, Probe<T>& probe, bool keep);
  void forward_block(std::int64_t layer, Probe<T>& probe);
  Matrix<T> end_forward(Probe<T>& probe);
  void start_backward(Matrix<T> g);
  void backward_block(std::int64_t layer, Probe<T>& probe);
  Matrix<T> end_backward(Probe<T>& probe);
  // Through one block alone, which has run with keep and not gone back yet: from a gradient at its
  // output to the one at its input.
  Matrix<T> back_through_block(std::int64_t layer, Matrix<T> g, Probe<T>& probe);

 private:
  // Inputs of operations that their backward step reads; empty where it reads none.
  struct Kept {
    std::vector<Matrix<T>> branch;
    Matrix<T> sum;  // before the post-norm
  };

  Matrix<T> run_branch(std::int64_t layer, const Matrix<T>& x, Kept* kept, Probe<T>& probe);
  void run(const Operation& op, std::int64_t layer, ConstView<T> in, View<T> out, Probe<T>& probe);
  void multiply(const Operation& op, std::int64_t layer, ConstView<T> in, View<T> out);
  void see_stream(Site site, std::int64_t layer, Probe<T>& probe) const;
  void normalise(std::int64_t layer, ConstView<T> x, View<T> y, Probe<T>& probe) const;
  Matrix<T> back_through_branch(std::int64_t layer, Matrix<T> g, Probe<T>& probe);
  // From the gradient at an operation's output to the one at its input.
  Matrix<T> back(const Operation& op, std::int64_t layer, const Matrix<T>& input, Matrix<T> g,
                 Probe<T>& probe);
  Matrix<T> back_through_product(const Operation& op, std::int64_t layer, const Matrix<T>& input,
                                 Matrix<T> g, Probe<T>& probe);
  // Rounds to the storage format.
  void store(std::span<T> x) const;
  void scale(double factor, std::span<T> x) const;
  void add_scaled(double s, std::span<const T> x, double b, std::span<T> y) const;
  bool reads_input(const Operation& op, const Probe<T>& probe) const;
  std::size_t matrix_index(std::int64_t layer, std::size_t matrix) const {
    return static_cast<std::size_t>(layer - 1) * matrices_per_block_ + matrix;
  }

  const StackSpec spec_;
  Weights<T>& weights_;
  Block block_;
  std::size_t matrices_per_block_;
  Matrix<T> now_;  // the stream, or its gradient, between two blocks
  bool keep_ = false;
  std::vector<Kept> kept_;  // one a block
  Matrix<T> before_final_norm_;
  double steepest_slope_ = 0;  // of the activation; 0 until a probe asks
};

}  // namespace sigstab
