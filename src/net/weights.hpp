#pragma once
// Where a stack's weight matrices come from: the passes only ever multiply by them.
//
// Matrices are numbered in drawing order: block by block, within a block as block_matrices lists
// them.

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
  // Y = X W^T. Shapes: X tokens x fan_in, Y tokens x fan_out.
  virtual void multiply(std::size_t index, ConstView<T> x, View<T> y) = 0;
  // dX = dY W. Shapes: dY tokens x fan_out, dX tokens x fan_in.
  virtual void multiply_transposed(std::size_t index, ConstView<T> dy, View<T> dx) = 0;
};

// Matrices held in memory, all in one layout.
template <class T>
class StoredWeights : public Weights<T> {
 public:
  explicit StoredWeights(Layout layout) : layout_(layout) {}
  void add(Matrix<T> w) { matrices_.push_back(std::move(w)); }
  ConstView<T> matrix(std::size_t index) const { return matrices_[index].view(); }

  void multiply(std::size_t index, ConstView<T> x, View<T> y) override {
    layout_ == Layout::out_in ? multiply_nt(x, matrix(index), y) : multiply_nn(x, matrix(index), y);
  }
  void multiply_transposed(std::size_t index, ConstView<T> dy, View<T> dx) override {
    layout_ == Layout::out_in ? multiply_nn(dy, matrix(index), dx)
                              : multiply_nt(dy, matrix(index), dx);
  }

 private:
  Layout layout_;
  std::vector<Matrix<T>> matrices_;
};

}  // namespace sigstab
