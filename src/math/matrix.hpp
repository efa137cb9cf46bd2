#pragma once
// Row-major matrices: a view that owns nothing, and an owner whose memory starts uninitialised.
//
// Convention of the whole program: a batch X is tokens x fan_in, a weight matrix W is fan_out x
// fan_in (out_in) unless said otherwise, and a layer computes Y = X W^T. Rows are contiguous and
// adjacent.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace sigstab {

template <class T>
struct View {
  View() = default;
  View(T* d, std::int64_t r, std::int64_t c) : View(d, r, c, c) {}
  View(T* d, std::int64_t r, std::int64_t c, std::int64_t s)
      : data(d), rows(r), cols(c), stride(s) {}

  T* data = nullptr;
  std::int64_t rows = 0, cols = 0;
  std::int64_t stride = 0;  // from one row to the next; cols where rows are adjacent

  std::int64_t size() const { return rows * cols; }
  // All entries; only where rows are adjacent.
  std::span<T> all() const { return {data, static_cast<std::size_t>(size())}; }
  std::span<T> row(std::int64_t r) const {
    return {data + r * stride, static_cast<std::size_t>(cols)};
  }
  T& operator()(std::int64_t r, std::int64_t c) const { return data[r * stride + c]; }
  // Rows or columns first, first + 1, ...
  View row_block(std::int64_t first, std::int64_t count) const {
    return {data + first * stride, count, cols, stride};
  }
  View col_block(std::int64_t first, std::int64_t count) const {
    return {data + first, rows, count, stride};
  }
  operator View<const T>() const requires(!std::is_const_v<T>) {
    return {data, rows, cols, stride};
  }
};

template <class T>
using ConstView = View<const T>;

template <class T>
class Matrix {
 public:
  Matrix() = default;
  // What was moved from is empty.
  Matrix(Matrix&& other) noexcept
      : rows_(std::exchange(other.rows_, 0)),
        cols_(std::exchange(other.cols_, 0)),
        data_(std::move(other.data_)) {}
  Matrix& operator=(Matrix&& other) noexcept {
    rows_ = std::exchange(other.rows_, 0);
    cols_ = std::exchange(other.cols_, 0);
    data_ = std::move(other.data_);
    return *this;
  }
  Matrix(std::int64_t rows, std::int64_t cols)
      : rows_(rows),
        cols_(cols),
        data_(static_cast<T*>(::operator new (static_cast<std::size_t>(rows* cols) * sizeof(T),
                                              std::align_val_t{kAlignment}))) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t size() const { return rows_ * cols_; }
  T* data() { return data_.get(); }
  View<T> view() { return {data_.get(), rows_, cols_}; }
  ConstView<T> view() const { return {data_.get(), rows_, cols_}; }
  std::span<T> all() { return view().all(); }
  std::span<const T> all() const { return view().all(); }

 private:
  static constexpr std::size_t kAlignment = 64;  // a cache line, the widest vector
  struct Free {
    void operator()(T* p) const { ::operator delete (p, std::align_val_t{kAlignment}); }
  };
  std::int64_t rows_ = 0, cols_ = 0;
  std::unique_ptr<T, Free> data_;
};

// n x n.
template <class T>
Matrix<T> identity(std::int64_t n) {
  Matrix<T> m(n, n);
  std::ranges::fill(m.all(), T(0));
  for (std::int64_t i = 0; i < n; ++i) m.view()(i, i) = T(1);
  return m;
}

}  // namespace sigstab
