#include "math/panel_product.hpp"

#include <algorithm>

#include "base/error.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/panel_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sigstab::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// 64 bytes of T as one or more vectors: the same lanes on every target.
template <class T>
struct Line {
  static constexpr std::size_t kLanes = 64 / sizeof(T);
  using D = hn::CappedTag<T, kLanes>;
  static constexpr std::size_t kVectors = kLanes / hn::MaxLanes(D());
};

// The sum of a line's running sums, folded in halves.
template <class T>
T fold(const T* lanes) {
  T sums[Line<T>::kLanes];
  std::copy_n(lanes, Line<T>::kLanes, sums);
  for (std::size_t half = Line<T>::kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

// Dot products of x with kRows rows at once; each keeps a line of sums.
template <std::size_t kRows, class T>
void dot_rows(const T* w, std::size_t cols, const T* x, T* y) {
  using L = Line<T>;
  const typename L::D d;
  constexpr std::size_t kStep = hn::MaxLanes(d);
  using V = hn::Vec<typename L::D>;
  V sums[kRows][L::kVectors];
  for (auto& row : sums) {
    for (V& sum : row) sum = hn::Zero(d);
  }
  std::size_t k = 0;
  for (; k + L::kLanes <= cols; k += L::kLanes) {
    for (std::size_t v = 0; v < L::kVectors; ++v) {
      const V xv = hn::LoadU(d, x + k + v * kStep);
      for (std::size_t r = 0; r < kRows; ++r) {
        sums[r][v] = hn::MulAdd(hn::LoadU(d, w + r * cols + k + v * kStep), xv, sums[r][v]);
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_ALIGN T lanes[L::kLanes];
    for (std::size_t v = 0; v < L::kVectors; ++v) hn::StoreU(sums[r][v], d, lanes + v * kStep);
    T tail = 0;
    for (std::size_t i = k; i < cols; ++i) tail += w[r * cols + i] * x[i];
    y[r] = fold(lanes) + tail;
  }
}

template <class T>
void times_vector(ConstView<T> w, const T* x, T* y) {
  constexpr std::size_t kRows = 4;
  const auto rows = static_cast<std::size_t>(w.rows), cols = static_cast<std::size_t>(w.cols);
  std::size_t r = 0;
  for (; r + kRows <= rows; r += kRows) dot_rows<kRows>(w.data + r * cols, cols, x, y + r);
  for (; r < rows; ++r) dot_rows<1>(w.data + r * cols, cols, x, y + r);
}

// y += g[0] w[0] + ... + g[kRows - 1] w[kRows - 1], each entry's sum in that order.
template <std::size_t kRows, class T>
void add_rows(const T* w, std::size_t cols, const T* g, T* y) {
  const hn::CappedTag<T, Line<T>::kLanes> d;
  constexpr std::size_t kStep = hn::MaxLanes(d);
  std::size_t k = 0;
  for (; k + kStep <= cols; k += kStep) {
    auto sum = hn::LoadU(d, y + k);
    for (std::size_t r = 0; r < kRows; ++r) {
      sum = hn::MulAdd(hn::Set(d, g[r]), hn::LoadU(d, w + r * cols + k), sum);
    }
    hn::StoreU(sum, d, y + k);
  }
  for (; k < cols; ++k) {
    for (std::size_t r = 0; r < kRows; ++r) y[k] += g[r] * w[r * cols + k];
  }
}

template <class T>
void times_panel(ConstView<T> w, const T* g, T* y) {
  constexpr std::size_t kRows = 8;
  const auto rows = static_cast<std::size_t>(w.rows), cols = static_cast<std::size_t>(w.cols);
  std::size_t r = 0;
  for (; r + kRows <= rows; r += kRows) add_rows<kRows>(w.data + r * cols, cols, g + r, y);
  for (; r < rows; ++r) add_rows<1>(w.data + r * cols, cols, g + r, y);
}

template <class T>
void scale_all(const T* x, std::size_t count, T factor, T* y) {
  const hn::CappedTag<T, Line<T>::kLanes> d;
  constexpr std::size_t kStep = hn::MaxLanes(d);
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    hn::StoreU(hn::Mul(hn::LoadU(d, x + i), hn::Set(d, factor)), d, y + i);
  }
  for (; i < count; ++i) y[i] = x[i] * factor;
}

void ScaleFloat(const float* x, std::size_t count, float factor, float* y) {
  scale_all(x, count, factor, y);
}
void ScaleDouble(const double* x, std::size_t count, double factor, double* y) {
  scale_all(x, count, factor, y);
}
void TimesVectorFloat(ConstView<float> w, const float* x, float* y) { times_vector(w, x, y); }
void TimesVectorDouble(ConstView<double> w, const double* x, double* y) { times_vector(w, x, y); }
void TimesPanelFloat(ConstView<float> w, const float* g, float* y) { times_panel(w, g, y); }
void TimesPanelDouble(ConstView<double> w, const double* g, double* y) { times_panel(w, g, y); }

}  // namespace sigstab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sigstab {

HWY_EXPORT(TimesVectorFloat);
HWY_EXPORT(TimesVectorDouble);
HWY_EXPORT(TimesPanelFloat);
HWY_EXPORT(TimesPanelDouble);
HWY_EXPORT(ScaleFloat);
HWY_EXPORT(ScaleDouble);

namespace {

template <class T>
void check_shapes(ConstView<T> w, std::size_t by_column, std::size_t by_row) {
  SIGSTAB_ASSERT(w.cols == static_cast<std::int64_t>(by_column) &&
                 w.rows == static_cast<std::int64_t>(by_row));
}

}  // namespace

void panel_times_vector(ConstView<float> w, std::span<const float> x, std::span<float> y) {
  check_shapes(w, x.size(), y.size());
  HWY_DYNAMIC_DISPATCH(TimesVectorFloat)(w, x.data(), y.data());
}
void panel_times_vector(ConstView<double> w, std::span<const double> x, std::span<double> y) {
  check_shapes(w, x.size(), y.size());
  HWY_DYNAMIC_DISPATCH(TimesVectorDouble)(w, x.data(), y.data());
}
void add_vector_times_panel(ConstView<float> w, std::span<const float> g, std::span<float> y) {
  check_shapes(w, y.size(), g.size());
  HWY_DYNAMIC_DISPATCH(TimesPanelFloat)(w, g.data(), y.data());
}
void add_vector_times_panel(ConstView<double> w, std::span<const double> g, std::span<double> y) {
  check_shapes(w, y.size(), g.size());
  HWY_DYNAMIC_DISPATCH(TimesPanelDouble)(w, g.data(), y.data());
}

void scale(std::span<const float> x, float factor, std::span<float> y) {
  SIGSTAB_ASSERT(x.size() == y.size());
  HWY_DYNAMIC_DISPATCH(ScaleFloat)(x.data(), x.size(), factor, y.data());
}
void scale(std::span<const double> x, double factor, std::span<double> y) {
  SIGSTAB_ASSERT(x.size() == y.size());
  HWY_DYNAMIC_DISPATCH(ScaleDouble)(x.data(), x.size(), factor, y.data());
}

}  // namespace sigstab
#endif  // HWY_ONCE
