#include "net/drawn_weights.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "math/panel_product.hpp"

namespace sigstab {
namespace {

// A panel for one token fills a part of a usual L2 and is still some microseconds of work. For many
// it must be tall enough that a gemm's own packing is a small part of its work.
constexpr std::int64_t kPanelBytes = std::int64_t{128} * 1024;
constexpr std::int64_t kTallPanelBytes = std::int64_t{1024} * 1024;
constexpr std::int64_t kManyTokens = 16;
// Pieces of a draw end on multiples of this many elements.
constexpr std::int64_t kPieceElements = 16;

struct StoredShape {
  std::int64_t rows, cols;
};
StoredShape stored_shape(const MatrixDraw& m, Layout layout) {
  if (layout == Layout::out_in) return {m.fan_out, m.fan_in};
  return {m.fan_in, m.fan_out};
}

// C = A P^T and C += A P for a panel P, by the kernel for one token or BLAS for many.
template <class T>
void times_panel_rows(ConstView<T> a, ConstView<T> panel, View<T> c) {
  a.rows == 1 ? panel_times_vector(panel, a.row(0), c.row(0)) : multiply_nt(a, panel, c);
}
template <class T>
void add_times_panel(ConstView<T> a, ConstView<T> panel, View<T> c) {
  a.rows == 1 ? add_vector_times_panel(panel, a.row(0), c.row(0)) : multiply_nn(a, panel, c, true);
}

}  // namespace

std::int64_t panel_rows(std::int64_t cols, std::size_t bytes, std::int64_t tokens) {
  const std::int64_t step = kPieceElements / std::gcd(kPieceElements, cols);
  const std::int64_t panel = tokens < kManyTokens ? kPanelBytes : kTallPanelBytes;
  const std::int64_t fitting = panel / (cols * static_cast<std::int64_t>(bytes));
  return std::max(step, fitting / step * step);
}

template <class T>
DrawnWeights<T>::DrawnWeights(std::vector<MatrixDraw> matrices, Layout layout,
                              std::unique_ptr<Stream> stream, bool again, Team& team,
                              double keep_bytes, const NumberFormat* storage)
    : matrices_(std::move(matrices)),
      layout_(layout),
      again_(again),
      team_(team),
      storage_(storage),
      keep_bytes_(keep_bytes),
      starts_(matrices_.size() + 1),
      kept_(matrices_.size()),
      biases_(matrices_.size()),
      panels_(static_cast<std::size_t>(team.size())),
      partials_(kLanes) {
  starts_[0] = std::move(stream);
}

template <class T>
std::size_t DrawnWeights<T>::lanes_of(std::size_t index, std::int64_t tokens) const {
  const auto [rows, cols] = stored_shape(matrices_[index], layout_);
  const std::int64_t height = panel_rows(cols, sizeof(T), tokens);
  return std::min(kLanes, static_cast<std::size_t>((rows + height - 1) / height));
}

// The same panels in the same order, from the last draw.
template <class T>
template <class Body>
void DrawnWeights<T>::traverse_last(std::size_t index, std::int64_t height, const Body& body) {
  const MatrixDraw& matrix = matrices_[index];
  const ConstView<T> drawn = last_->drawn(index);
  const double spread = matrix.scale * matrix.init.factor(matrix.fan_in, matrix.fan_out);
  const std::int64_t panels = (drawn.rows + height - 1) / height;
  const auto members = std::min({static_cast<std::size_t>(team_.chooser().chosen()), kLanes,
                                 static_cast<std::size_t>(panels)});
  for (std::size_t member = 0; member < members; ++member) {
    if (panels_[member].size() < height * drawn.cols) panels_[member] = {height, drawn.cols};
  }
  const auto work = [&](int id) {
    const auto member = static_cast<std::size_t>(id);
    for (std::int64_t p = 0; member < members && p < panels; ++p) {
      const std::size_t lane = static_cast<std::size_t>(p) % kLanes;
      if (lane % members != member) continue;
      const std::int64_t first = p * height, count = std::min(height, drawn.rows - first);
      const View<T> panel(panels_[member].data(), count, drawn.cols);
      finish_rows(matrix.init, spread, drawn.row_block(first, count), panel);
      store_in(storage_, panel.all());
      body(lane, first, ConstView<T>(panel));
    }
  };
  members == 1 ? work(0) : team_.run(work);
}

// Draws matrix `index` and calls body(lane, first row, panel) for every panel, each lane's in
// order.
template <class T>
template <class Body>
void DrawnWeights<T>::traverse(std::size_t index, std::int64_t tokens, const Body& body) {
  if (kept_[index].size() > 0) return body(0, 0, kept_[index].view());
  const MatrixDraw& matrix = matrices_[index];
  const StoredShape shape = stored_shape(matrix, layout_);
  const std::int64_t rows = shape.rows, cols = shape.cols;  // a lambda cannot capture a binding
  const bool whole = drawn_whole(matrix.init);
  const std::int64_t height = whole ? rows : std::min(rows, panel_rows(cols, sizeof(T), tokens));
  if (last_ != nullptr && last_->holds(index)) return traverse_last(index, height, body);
  View<T> drawn;  // for those who share it
  if (last_ != nullptr) {
    SIGSTAB_ASSERT(!whole && !matrix.bias.present());
    drawn = last_->renew(index, rows, cols);
  }
  SIGSTAB_ASSERT(starts_[index] != nullptr);
  const std::int64_t panels = (rows + height - 1) / height;
  const int chosen = panels == 1 ? 1 : team_.chooser().choose();
  const std::size_t members =
      std::min({static_cast<std::size_t>(chosen), kLanes, static_cast<std::size_t>(panels)});
  const auto started = std::chrono::steady_clock::now();
  // All that can fail is done before the team starts: a member may wait for what another draws.
  struct Part {
    std::unique_ptr<Stream> stream;
    std::unique_ptr<RowDraw<T>> draw;
  };
  std::unique_ptr<Relay> relay;
  if (members > 1) relay = starts_[index]->relay(entry_law(matrix.init, 1, rows, cols));
  std::vector<Part> parts(members);
  for (std::size_t member = 0; member < members; ++member) {
    Part& part = parts[member];
    part.stream = starts_[index]->clone();
    part.draw = std::make_unique<RowDraw<T>>(matrix.init, layout_, matrix.scale, rows, cols,
                                             matrix.id, *part.stream, relay.get());
    if (panels_[member].size() < height * cols) panels_[member] = Matrix<T>(height, cols);
  }
  std::unique_ptr<Stream> end;  // set by the member that draws the last panel
  const auto work = [&](int id) {
    const auto member = static_cast<std::size_t>(id);
    if (member >= members) return;
    RowDraw<T>& draw = *parts[member].draw;
    for (std::int64_t p = 0; p < panels; ++p) {
      const std::size_t lane = static_cast<std::size_t>(p) % kLanes;
      const std::int64_t first = p * height, count = std::min(height, rows - first);
      if (lane % members != member) {
        if (p + 1 < panels) draw.skip(count);
        continue;
      }
      const View<T> panel(panels_[member].data(), count, cols);
      const View<T> raw = last_ == nullptr ? panel : drawn.row_block(first, count);
      draw.next_drawn(raw);
      draw.finish(raw, panel);
      store_in(storage_, panel.all());
      body(lane, first, ConstView<T>(panel));
      if (p + 1 == panels) end = std::move(parts[member].stream);
    }
  };
  members == 1 ? work(0) : team_.run(work);
  if (panels > 1) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    team_.chooser().took(seconds.count() / static_cast<double>(rows * cols));
  }
  if (index == reached_) {
    draw_bias(index, *end);
    starts_[++reached_] = std::move(end);
  }
  if (!again_) starts_[index].reset();
  const double bytes = static_cast<double>(rows * cols) * sizeof(T);
  if (whole && again_ && bytes <= keep_bytes_) {
    keep_bytes_ -= bytes;
    kept_[index] = Matrix<T>(rows, cols);
    std::copy_n(panels_[0].data(), rows * cols, kept_[index].data());
  }
}

template <class T>
void DrawnWeights<T>::draw_bias(std::size_t index, Stream& behind) {
  const MatrixDraw& matrix = matrices_[index];
  if (!matrix.bias.present()) return;
  biases_[index] = Matrix<T>(1, matrix.fan_out);
  matrix.bias.draw(matrix.fan_in, matrix.bias_id, behind, biases_[index].all());
  store_in(storage_, biases_[index].all());
}

template <class T>
void DrawnWeights<T>::clear_partials(std::size_t lanes, std::int64_t rows, std::int64_t cols) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    Matrix<T>& partial = partials_[lane];
    if (partial.rows() != rows || partial.cols() != cols) partial = Matrix<T>(rows, cols);
    std::ranges::fill(partial.all(), T(0));
  }
}

template <class T>
void DrawnWeights<T>::sum_partials(std::size_t lanes, View<T> into) const {
  const std::span<T> sum = into.all();
  std::ranges::copy(partials_[0].all(), sum.begin());
  for (std::size_t lane = 1; lane < lanes; ++lane) {
    const std::span<const T> partial = partials_[lane].all();
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += partial[i];
  }
}

template <class T>
void DrawnWeights<T>::times_rows(std::size_t index, ConstView<T> a, View<T> c) {
  traverse(index, a.rows, [&](std::size_t, std::int64_t first, ConstView<T> panel) {
    times_panel_rows(a, panel, c.col_block(first, panel.rows));
  });
}

template <class T>
void DrawnWeights<T>::times_stored(std::size_t index, ConstView<T> a, View<T> c) {
  const std::size_t lanes = lanes_of(index, a.rows);
  clear_partials(lanes, c.rows, c.cols);
  traverse(index, a.rows, [&](std::size_t lane, std::int64_t first, ConstView<T> panel) {
    add_times_panel(a.col_block(first, panel.rows), panel, partials_[lane].view());
  });
  sum_partials(lanes, c);
}

template <class T>
void DrawnWeights<T>::multiply(std::size_t index, ConstView<T> x, View<T> y) {
  layout_ == Layout::out_in ? times_rows(index, x, y) : times_stored(index, x, y);
  add_bias(std::as_const(biases_[index]).all(), y);
}

template <class T>
void DrawnWeights<T>::multiply_transposed(std::size_t index, ConstView<T> dy, View<T> dx) {
  layout_ == Layout::out_in ? times_stored(index, dy, dx) : times_rows(index, dy, dx);
}

template <class T>
std::unique_ptr<Stream> DrawnWeights<T>::end() {
  for (; reached_ < matrices_.size(); ++reached_) {
    const MatrixDraw& matrix = matrices_[reached_];
    const auto [rows, cols] = stored_shape(matrix, layout_);
    std::unique_ptr<Stream> behind = starts_[reached_]->clone();
    skip_weights<T>(matrix.init, rows, cols, matrix.id, *behind);
    draw_bias(reached_, *behind);
    starts_[reached_ + 1] = std::move(behind);
  }
  return starts_.back()->clone();
}

template class DrawnWeights<float>;
template class DrawnWeights<double>;

}  // namespace sigstab
