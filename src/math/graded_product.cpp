#include "math/graded_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/blas.hpp"
#include "math/moments.hpp"

namespace sigstab {
namespace {

// Makes R exactly triangular, and rows exactly 0 that hold nothing but rounding.
void clean_triangle(View<double> r) {
  const double noise = std::numeric_limits<double>::epsilon() * static_cast<double>(r.rows) *
                       euclidean_norm(std::span<const double>(r.all()));
  for (std::int64_t i = 0; i < r.rows; ++i) {
    const std::span<double> row = r.row(i);
    std::fill_n(row.begin(), i, 0.0);
    if (euclidean_norm(std::span<const double>(row)) <= noise) std::ranges::fill(row, 0.0);
  }
}

}  // namespace

GradedProduct::GradedProduct(std::int64_t n) : q_(identity<double>(n)), s_(identity<double>(n)) {}

void GradedProduct::multiply_from_left(ConstView<double> b) {
  const std::int64_t n = q_.rows();
  Matrix<double> bq(n, n), next(n, n), r(n, n), s(n, n);
  multiply_nn(b, std::as_const(q_).view(), bq.view());
  std::ranges::copy(std::as_const(bq).all(), next.all().begin());
  orthonormalise_columns(next.view());
  multiply_tn(std::as_const(next).view(), std::as_const(bq).view(), r.view());  // B Q = next R
  clean_triangle(r.view());
  multiply_nn(std::as_const(r).view(), std::as_const(s_).view(), s.view());
  double largest = 0;
  for (double v : s.all()) largest = std::fmax(largest, std::fabs(v));
  if (largest > 0) {
    for (double& v : s.all()) v /= largest;
    scale_ += std::log(largest);
  }
  q_ = std::move(next);
  s_ = std::move(s);
}

std::vector<double> GradedProduct::log_singular_values() const {
  constexpr double kZero = 1e-300;
  const std::int64_t n = s_.rows();
  Matrix<double> copy(n, n);
  std::ranges::copy(s_.all(), copy.all().begin());
  std::vector<double> values = graded_singular_values(copy.view());
  const double zero = kZero * values.front();
  for (double& v : values) {
    v = v > zero ? std::log(v) + scale_ : -std::numeric_limits<double>::infinity();
  }
  return values;
}

}  // namespace sigstab
