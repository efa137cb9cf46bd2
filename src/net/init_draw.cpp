// How a matrix of an init is drawn: in panels, whole, or without the generator.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "math/blas.hpp"
#include "math/panel_product.hpp"
#include "math/special.hpp"
#include "net/init.hpp"

namespace sigstab {
namespace {

double normal_distribution(double z) { return std::erfc(-z * std::numbers::sqrt2 / 2) / 2; }

// z within +-cut for u uniform within the distribution function's values there, as PyTorch does it.
double truncated_normal(double u, double cut) {
  return std::clamp(std::numbers::sqrt2 * erf_inverse(u), -cut, cut);
}

// Q of a Gaussian matrix with at least as many rows as columns, transposed into place when W is
// wide.
template <class T>
void draw_orthogonal(TensorId id, Stream& stream, View<T> w) {
  stream.normal(id, w.all());
  if (w.rows >= w.cols) return orthonormalise_columns(w);
  Matrix<T> tall(w.cols, w.rows);
  for (std::int64_t r = 0; r < w.rows; ++r) {
    for (std::int64_t c = 0; c < w.cols; ++c) tall.view()(c, r) = w(r, c);
  }
  orthonormalise_columns(tall.view());
  for (std::int64_t r = 0; r < w.rows; ++r) {
    for (std::int64_t c = 0; c < w.cols; ++c) w(r, c) = tall.view()(c, r);
  }
}

// The uniforms that choose a sparse matrix's zeros: to philox a tensor of its own, since the same
// words give the normals.
TensorId lots_of(TensorId id) {
  constexpr std::uint32_t kLots = 1U << 16;
  return {id.role + kLots, id.layer};
}

// Normals, then one uniform an entry: of each input's weights, those with the smallest uniforms
// become 0 (of equal ones the first), so that every choice is as likely as any other.
template <class T>
void draw_sparse(const Init& init, Layout layout, TensorId id, Stream& stream, View<T> w) {
  stream.normal(id, w.all());
  Matrix<T> lots(w.rows, w.cols);
  stream.uniform(lots_of(id), lots.all(), 0, 1);
  const bool out_in = layout == Layout::out_in;
  const std::int64_t outputs = out_in ? w.rows : w.cols, inputs = out_in ? w.cols : w.rows;
  const std::int64_t step = out_in ? w.cols : 1, next_input = out_in ? 1 : w.cols;
  std::vector<std::int64_t> order(static_cast<std::size_t>(outputs));
  const auto zeros = order.begin() + init.zeros(outputs);
  for (std::int64_t input = 0; input < inputs; ++input) {
    const T* lot = lots.data() + input * next_input;
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::nth_element(order.begin(), zeros, order.end(), [&](std::int64_t a, std::int64_t b) {
      const T lot_a = lot[a * step], lot_b = lot[b * step];
      return lot_a != lot_b ? lot_a < lot_b : a < b;
    });
    T* weights = w.data + input * next_input;
    std::for_each(order.begin(), zeros, [&](std::int64_t k) { weights[k * step] = 0; });
  }
}

template <class T>
void draw_whole(const Init& init, Layout layout, TensorId id, Stream& stream, View<T> w) {
  switch (init.row->distribution) {
    case Distribution::orthogonal:
      return draw_orthogonal(id, stream, w);
    case Distribution::sparse:
      return draw_sparse(init, layout, id, stream, w);
    default:
      return init.stored->read(id.layer, 0, w);
  }
}

}  // namespace

Law entry_law(const Init& init, double scale, std::int64_t fan_in, std::int64_t fan_out) {
  switch (init.row->distribution) {
    case Distribution::uniform: {
      const double limit = scale * init.limit(fan_in, fan_out);
      return Law::uniform(-limit, limit);
    }
    case Distribution::truncated_normal: {
      const double top = 2 * normal_distribution(init.cut()) - 1;
      return Law::uniform(-top, top);
    }
    case Distribution::constant:
    case Distribution::identity:
    case Distribution::stored:
      return Law::uniform(0, 1);
    case Distribution::normal:
    case Distribution::orthogonal:
    case Distribution::sparse:
      break;
  }
  return Law::normal();
}

template <class T>
RowDraw<T>::RowDraw(const Init& init, Layout layout, double scale, std::int64_t rows,
                    std::int64_t cols, TensorId id, Stream& stream, Relay* relay)
    : init_(init), spread_(scale), cols_(cols), layer_(id.layer) {
  const bool out_in = layout == Layout::out_in;
  const std::int64_t fan_in = out_in ? cols : rows, fan_out = out_in ? rows : cols;
  spread_ *= init.factor(fan_in, fan_out);
  if (drawn_whole(init)) {
    whole_ = Matrix<T>(rows, cols);
    draw_whole(init, layout, id, stream, whole_.view());
    sigstab::scale(std::as_const(whole_).all(), static_cast<T>(spread_), whole_.all());
    return;
  }
  if (draws_nothing(init)) return;
  pieces_ = stream.pieces<T>(id, entry_law(init, scale, fan_in, fan_out),
                             static_cast<std::uint64_t>(rows * cols), relay);
}

template <class T>
void RowDraw<T>::next_drawn(View<T> rows) {
  const std::int64_t first = row_;
  row_ += rows.rows;
  if (whole_.size() > 0) {
    std::ranges::copy(whole_.view().row_block(first, rows.rows).all(), rows.data);
    return;
  }
  const Distribution distribution = init_.row->distribution;
  if (distribution == Distribution::stored) {
    init_.stored->read(layer_, first, rows);
    return scale(std::as_const(rows).all(), static_cast<T>(spread_), rows.all());
  }
  if (draws_nothing(init_)) {
    const bool identity = distribution == Distribution::identity;
    std::ranges::fill(rows.all(), identity ? T(0) : static_cast<T>(spread_));
    const std::int64_t end = identity ? std::min(row_, cols_) : first;
    for (std::int64_t r = first; r < end; ++r) rows(r - first, r) = static_cast<T>(spread_);
    return;
  }
  pieces_->next(rows.all());
}

template <class T>
void finish_rows(const Init& init, double spread, ConstView<T> drawn, View<T> rows) {
  const std::span<const T> from = drawn.all();
  const std::span<T> to = rows.all();
  switch (init.row->distribution) {
    case Distribution::normal:
      return scale(from, static_cast<T>(spread), to);
    case Distribution::truncated_normal:
      std::ranges::transform(from, to.begin(), [&](T v) {
        return static_cast<T>(truncated_normal(static_cast<double>(v), init.cut()) * spread);
      });
      return;
    default:  // what was drawn is the weight
      if (from.data() != to.data()) std::ranges::copy(from, to.begin());
  }
}

template <class T>
void RowDraw<T>::skip(std::int64_t count) {
  row_ += count;
  if (pieces_ != nullptr) pieces_->skip(static_cast<std::uint64_t>(count * cols_));
}

template <class T>
void skip_weights(const Init& init, std::int64_t rows, std::int64_t cols, TensorId id,
                  Stream& stream) {
  if (draws_nothing(init)) return;
  const auto entries = static_cast<std::uint64_t>(rows * cols);
  stream.skip<T>(id, entry_law(init, 1, rows, cols), entries);
  if (init.row->distribution == Distribution::sparse) {
    stream.skip<T>(lots_of(id), Law::uniform(0, 1), entries);
  }
}

template void finish_rows(const Init&, double, ConstView<float>, View<float>);
template void finish_rows(const Init&, double, ConstView<double>, View<double>);
template void skip_weights<float>(const Init&, std::int64_t, std::int64_t, TensorId, Stream&);
template void skip_weights<double>(const Init&, std::int64_t, std::int64_t, TensorId, Stream&);
template class RowDraw<float>;
template class RowDraw<double>;

}  // namespace sigstab
