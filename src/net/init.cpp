#include "net/init.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "math/blas.hpp"
#include "math/panel_product.hpp"
#include "math/special.hpp"

namespace sigstab {
namespace {

constexpr Parameter kSpread[] = {
    {"spread", kRequired, 0, kHuge, "standard deviation of the weights"}};
constexpr Parameter kLimit[] = {{"limit", kRequired, 0, kHuge, "weights lie in [-limit, limit)"}};
constexpr Parameter kTruncated[] = {{"spread", 1, 0, kHuge, "standard deviation before the cut"},
                                    {"cut", 2, 1e-3, 1e3, "weights lie within cut spreads of 0"}};

constexpr const char* kHeSource = "He et al. 2015, arXiv 1502.01852";
constexpr const char* kXavierSource = "Glorot & Bengio 2010";
constexpr const char* kLecunSource = "LeCun et al. 1998, Efficient BackProp";

constexpr InitRow kTable[] = {
    {"he", "normal, variance 2/fan_in", kHeSource, Distribution::normal, FanMode::fan_in, 2, {}},
    {"he_uniform",
     "uniform, variance 2/fan_in",
     kHeSource,
     Distribution::uniform,
     FanMode::fan_in,
     2,
     {}},
    {"xavier",
     "normal, variance 2/(fan_in + fan_out)",
     kXavierSource,
     Distribution::normal,
     FanMode::fan_avg,
     1,
     {}},
    {"xavier_uniform",
     "uniform, variance 2/(fan_in + fan_out)",
     kXavierSource,
     Distribution::uniform,
     FanMode::fan_avg,
     1,
     {}},
    {"lecun",
     "normal, variance 1/fan_in",
     kLecunSource,
     Distribution::normal,
     FanMode::fan_in,
     1,
     {}},
    {"lecun_uniform",
     "uniform, variance 1/fan_in",
     kLecunSource,
     Distribution::uniform,
     FanMode::fan_in,
     1,
     {}},
    {"normal", "normal of a given spread", "", Distribution::normal, FanMode::fixed, 1, kSpread},
    {"uniform", "uniform of a given limit", "", Distribution::uniform, FanMode::fixed, 1, kLimit},
    {"torch_default",
     "uniform within 1/sqrt(fan_in): PyTorch's nn.Linear, variance 1/(3 fan_in)",
     "PyTorch torch.nn.Linear",
     Distribution::uniform,
     FanMode::fan_in,
     1.0 / 3,
     {}},
    {"truncated_normal", "normal of a given spread, cut at `cut` spreads",
     "PyTorch torch.nn.init.trunc_normal_", Distribution::truncated_normal, FanMode::fixed, 1,
     kTruncated},
    {"orthogonal",
     "orthonormal rows or columns, times gain",
     "Saxe et al. 2013, arXiv 1312.6120",
     Distribution::orthogonal,
     FanMode::fixed,
     1,
     {}},
};

constexpr FanModeRow kModes[] = {
    {"fan_in", FanMode::fan_in}, {"fan_out", FanMode::fan_out}, {"fan_avg", FanMode::fan_avg}};

double normal_distribution(double z) { return std::erfc(-z * std::numbers::sqrt2 / 2) / 2; }

// What the truncation at `cut` spreads leaves of the standard deviation.
double truncated_share(double cut) {
  const double density = std::exp(-cut * cut / 2) / std::sqrt(2 * std::numbers::pi);
  return std::sqrt(1 - 2 * cut * density / (2 * normal_distribution(cut) - 1));
}

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

double fan_of(FanMode mode, double fan_in, double fan_out) {
  switch (mode) {
    case FanMode::fan_out:
      return fan_out;
    case FanMode::fan_avg:
      return (fan_in + fan_out) / 2;
    default:
      return fan_in;
  }
}

}  // namespace

std::string_view distribution_name(Distribution distribution) {
  switch (distribution) {
    case Distribution::normal:
      return "normal";
    case Distribution::uniform:
      return "uniform";
    case Distribution::truncated_normal:
      return "truncated normal";
    case Distribution::orthogonal:
      return "orthogonal";
  }
  return "";
}

std::span<const InitRow> init_table() { return kTable; }
std::span<const FanModeRow> fan_mode_table() { return kModes; }

double Init::spread(std::int64_t fan_in, std::int64_t fan_out) const {
  const double in = static_cast<double>(fan_in), out = static_cast<double>(fan_out);
  switch (row->distribution) {
    case Distribution::orthogonal:
      return gain / std::sqrt(std::max(in, out));
    case Distribution::truncated_normal:
      return gain * parameters[0] * truncated_share(parameters[1]);
    case Distribution::uniform:
      return limit(fan_in, fan_out) / std::sqrt(3.0);
    default:
      break;
  }
  if (mode == FanMode::fixed) return gain * parameters[0];
  return gain * std::sqrt(row->scale / fan_of(mode, in, out));
}

double Init::limit(std::int64_t fan_in, std::int64_t fan_out) const {
  if (mode == FanMode::fixed) return gain * parameters[0];
  const double fan = fan_of(mode, static_cast<double>(fan_in), static_cast<double>(fan_out));
  return gain * std::sqrt(3 * row->scale / fan);
}

Law entry_law(const Init& init, double scale, std::int64_t fan_in, std::int64_t fan_out) {
  switch (init.row->distribution) {
    case Distribution::uniform: {
      const double limit = scale * init.limit(fan_in, fan_out);
      return Law::uniform(-limit, limit);
    }
    case Distribution::truncated_normal: {
      const double top = 2 * normal_distribution(init.parameters[1]) - 1;
      return Law::uniform(-top, top);
    }
    default:
      return Law::normal();
  }
}

template <class T>
RowDraw<T>::RowDraw(const Init& init, Layout layout, double scale, std::int64_t rows,
                    std::int64_t cols, TensorId id, Stream& stream, Relay* relay)
    : init_(init), spread_(scale), cols_(cols) {
  const bool out_in = layout == Layout::out_in;
  const std::int64_t fan_in = out_in ? cols : rows, fan_out = out_in ? rows : cols;
  if (init.row->distribution == Distribution::orthogonal) {
    whole_ = Matrix<T>(rows, cols);
    draw_orthogonal(id, stream, whole_.view());
    sigstab::scale(whole_.all(), static_cast<T>(scale * init.gain));
    return;
  }
  if (init.row->distribution == Distribution::normal) spread_ *= init.spread(fan_in, fan_out);
  if (init.row->distribution == Distribution::truncated_normal) {
    spread_ *= init.gain * init.parameters[0];
  }
  pieces_ = stream.pieces<T>(id, entry_law(init, scale, fan_in, fan_out),
                             static_cast<std::uint64_t>(rows * cols), relay);
}

template <class T>
void RowDraw<T>::next(View<T> rows) {
  if (whole_.size() > 0) {
    const View<T> drawn = whole_.view().row_block(row_, rows.rows);
    std::ranges::copy(drawn.all(), rows.data);
    row_ += rows.rows;
    return;
  }
  pieces_->next(rows.all());
  if (init_.row->distribution == Distribution::normal)
    return scale(rows.all(), static_cast<T>(spread_));
  if (init_.row->distribution != Distribution::truncated_normal) return;
  for (T& v : rows.all()) {
    v = static_cast<T>(truncated_normal(static_cast<double>(v), init_.parameters[1]) * spread_);
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
  stream.skip<T>(id, entry_law(init, 1, rows, cols), static_cast<std::uint64_t>(rows * cols));
}

template void skip_weights<float>(const Init&, std::int64_t, std::int64_t, TensorId, Stream&);
template void skip_weights<double>(const Init&, std::int64_t, std::int64_t, TensorId, Stream&);
template class RowDraw<float>;
template class RowDraw<double>;

}  // namespace sigstab
