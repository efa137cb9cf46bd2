// One-token products of our own against sums in double, on odd shapes and every vector length.

#include "math/panel_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sigstab {
namespace {

// Terms are below 1, so a sum of n of them in T errs by at most n roundings of about n/4: for n =
// 300, 1e-5 in float32 and 1e-13 in float64 with room to spare.
template <class T>
void check(std::int64_t rows, std::int64_t cols, double tolerance) {
  Matrix<T> w(rows, cols);
  std::vector<T> x(static_cast<std::size_t>(cols)), y(static_cast<std::size_t>(rows), T(7));
  std::vector<T> g(static_cast<std::size_t>(rows)), z(static_cast<std::size_t>(cols), T(7));
  for (std::int64_t i = 0; i < w.size(); ++i)
    w.data()[i] = static_cast<T>(std::sin(static_cast<double>(i) + 1.0));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>(std::cos(2.0 * static_cast<double>(i)));
  for (std::size_t i = 0; i < g.size(); ++i)
    g[i] = static_cast<T>(std::cos(3.0 * static_cast<double>(i)));
  panel_times_vector(std::as_const(w).view(), std::span<const T>(x), std::span<T>(y));
  add_vector_times_panel(std::as_const(w).view(), std::span<const T>(g), std::span<T>(z));
  for (std::int64_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::int64_t c = 0; c < cols; ++c) {
      sum +=
          static_cast<double>(w.view()(r, c)) * static_cast<double>(x[static_cast<std::size_t>(c)]);
    }
    EXPECT_NEAR(static_cast<double>(y[static_cast<std::size_t>(r)]), sum, tolerance)
        << rows << "x" << cols;
  }
  for (std::int64_t c = 0; c < cols; ++c) {
    double sum = 7;  // what was there
    for (std::int64_t r = 0; r < rows; ++r) {
      sum +=
          static_cast<double>(w.view()(r, c)) * static_cast<double>(g[static_cast<std::size_t>(r)]);
    }
    EXPECT_NEAR(static_cast<double>(z[static_cast<std::size_t>(c)]), sum, tolerance)
        << rows << "x" << cols;
  }
}

TEST(PanelProduct, BothDirectionsAgreeWithSumsInDoubleOnAnyShape) {
  for (std::int64_t rows : {1, 2, 3, 4, 7, 8, 9, 31}) {
    for (std::int64_t cols : {1, 3, 7, 8, 15, 16, 17, 31, 32, 33, 100, 300}) {
      check<float>(rows, cols, 1e-5);
      check<double>(rows, cols, 1e-13);
    }
  }
}

}  // namespace
}  // namespace sigstab
