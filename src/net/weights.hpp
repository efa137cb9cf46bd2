#pragma once
// Where a stack's weight matrices come from: the passes only ever multiply by them.
//
// Matrices are numbered in drawing order: block by block, within a block as block_matrices lists
// them.

#include <span>
#include <utility>
#include <vector>

#include "math/blas.hpp"
#include "math/matrix.hpp"
#include "net/init.hpp"

namespace sigstab {

template <class T>
class Weights {
 public:
  virtual ~Weights() = default;
  // Y = X W^T, plus the bias. Shapes: X tokens x fan_in, Y tokens x fan_out.
  virtual void multiply(std::size_t index, ConstView<T> x, View<T> y) = 0;
  // dX = dY W. Shapes: dY tokens x fan_out, dX tokens x fan_in.
  virtual void multiply_transposed(std::size_t index, ConstView<T> dy, View<T> dx) = 0;
};

// Adds a bias to every row of Y; an empty one is none.
template <class T>
void add_bias(std::span<const T> bias, View<T> y) {
  if (bias.empty()) return;
  for (std::int64_t r = 0; r < y.rows; ++r) {
    for (std::size_t i = 0; i < bias.size(); ++i) y.row(r)[i] += bias[i];
  }
}

// Matrices held in memory, all in one layout.
template <class T>
class StoredWeights : public Weights<T> {
 public:
  explicit StoredWeights(Layout layout) : layout_(layout) {}
  void add(Matrix<T> w, std::vector<T> bias = {}) {
    matrices_.push_back(std::move(w));
    biases_.push_back(std::move(bias));
  }
  ConstView<T> matrix(std::size_t index) const { return matrices_[index].view(); }

  void multiply(std::size_t index, ConstView<T> x, View<T> y) override {
    layout_ == Layout::out_in ? multiply_nt(x, matrix(index), y) : multiply_nn(x, matrix(index), y);
    add_bias(std::span<const T>(biases_[index]), y);
  }
  void multiply_transposed(std::size_t index, ConstView<T> dy, View<T> dx) override {
    layout_ == Layout::out_in ? multiply_nn(dy, matrix(index), dx)
                              : multiply_nt(dy, matrix(index), dx);
  }

 private:
  Layout layout_;
  std::vector<Matrix<T>> matrices_;
  std::vector<std::vector<T>> biases_;
};

}  // namespace sigstab
