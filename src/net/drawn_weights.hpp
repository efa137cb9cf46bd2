#pragma once
// Weights that are never stored: a matrix is drawn a panel of rows at a time, multiplied while the
// panel is in cache, and drawn again from a saved copy of the generator when it is needed again.
//
// Memory grows with one panel a thread, not with depth x width^2. Panels are a function of shape,
// tokens and type alone and are summed in a fixed order, so the result does not depend on the
// number of threads: panel p belongs to lane p % kLanes, lanes are dealt to the team's members, and
// sums over rows of the stored matrix keep one partial sum a lane.

#include <memory>
#include <optional>
#include <vector>

#include "base/team.hpp"
#include "math/rounding.hpp"
#include "net/bias.hpp"
#include "net/init.hpp"
#include "net/weights.hpp"

namespace sigstab {

// How one matrix of a stack is drawn.
struct MatrixDraw {
  Init init;
  double scale;  // of its residual scheme
  std::int64_t fan_in, fan_out;
  TensorId id;
  Bias bias;  // drawn after the matrix
  TensorId bias_id;
};

// Rows of a panel of a stored matrix with `cols` columns of `bytes` bytes each, to be multiplied by
// so many tokens.
std::int64_t panel_rows(std::int64_t cols, std::size_t bytes, std::int64_t tokens);

// The matrices of the last block that was drawn, as the generator gave them: for stacks that run
// side by side on the same draws, of which the first draws and the others take.
template <class T>
class LastDraws {
 public:
  explicit LastDraws(std::size_t matrices_of_a_block) : slots_(matrices_of_a_block) {}
  bool holds(std::size_t index) const { return slots_[index % slots_.size()].index == index; }
  ConstView<T> drawn(std::size_t index) const { return slots_[index % slots_.size()].drawn.view(); }
  // Makes room for matrix `index`, in place of the one of an earlier block.
  View<T> renew(std::size_t index, std::int64_t rows, std::int64_t cols) {
    Slot& slot = slots_[index % slots_.size()];
    slot.index = index;
    if (slot.drawn.rows() != rows || slot.drawn.cols() != cols) slot.drawn = Matrix<T>(rows, cols);
    return slot.drawn.view();
  }

 private:
  struct Slot {
    std::optional<std::size_t> index;
    Matrix<T> drawn;
  };
  std::vector<Slot> slots_;
};

template <class T>
class DrawnWeights final : public Weights<T> {
 public:
  static constexpr std::size_t kLanes = 4;

  // `matrices` in drawing order; the first starts where `stream` stands. With `again`, every matrix
  // can be used any number of times; without, each once and in order. Orthogonal
  // and sparse matrices, which cost far more than drawing, are kept as far as keep_bytes go.
  // Weights and biases are rounded to the storage format.
  DrawnWeights(std::vector<MatrixDraw> matrices, Layout layout, std::unique_ptr<Stream> stream,
               bool again, Team& team, double keep_bytes = 0,
               const NumberFormat* storage = nullptr);

  void multiply(std::size_t index, ConstView<T> x, View<T> y) override;
  void multiply_transposed(std::size_t index, ConstView<T> dy, View<T> dx) override;

  // What a sharer has drawn last is not drawn again. Every sharer's matrices must have the same
  // shapes and laws, be drawn entry by entry and have no biases.
  void share(std::shared_ptr<LastDraws<T>> last) { last_ = std::move(last); }

  // The stream behind the last matrix, whether all were drawn or not.
  std::unique_ptr<Stream> end();

 private:
  template <class Body>
  void traverse(std::size_t index, std::int64_t tokens, const Body& body);
  template <class Body>
  void traverse_last(std::size_t index, std::int64_t height, const Body& body);
  // With S the stored matrix: C = A S^T, panel by panel of C, and C = A S, a sum over panels.
  void times_rows(std::size_t index, ConstView<T> a, View<T> c);
  void times_stored(std::size_t index, ConstView<T> a, View<T> c);
  std::size_t lanes_of(std::size_t index, std::int64_t tokens) const;
  // Draws what follows the matrix on the stream.
  void draw_bias(std::size_t index, Stream& behind);
  // For sums over rows of the stored matrix: a zeroed partial sum for each lane, then their sum.
  void clear_partials(std::size_t lanes, std::int64_t rows, std::int64_t cols);
  void sum_partials(std::size_t lanes, View<T> into) const;

  std::vector<MatrixDraw> matrices_;
  Layout layout_;
  bool again_;
  Team& team_;
  const NumberFormat* storage_;
  double keep_bytes_;
  std::vector<std::unique_ptr<Stream>> starts_;  // of each matrix up to reached_
  std::size_t reached_ = 0;                      // as far as starts are known
  std::shared_ptr<LastDraws<T>> last_;           // null: nothing is shared
  std::vector<Matrix<T>> kept_;                  // whole matrices, scaled; empty where not kept
  std::vector<Matrix<T>> biases_;                // 1 x fan_out; empty where there is none
  std::vector<Matrix<T>> panels_;                // one a member
  std::vector<Matrix<T>> partials_;              // one a lane
};

}  // namespace sigstab
