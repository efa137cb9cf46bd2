// Products against plain loops, the inverse of erf and cross-entropy against independent values.

#include <gtest/gtest.h>

#include <cmath>

#include "math/blas.hpp"
#include "math/special.hpp"
#include "net/cross_entropy.hpp"
#include "net/norm.hpp"
#include "support/reference_file.hpp"

namespace sigstab {
namespace {

template <class T>
Matrix<T> counted(std::int64_t rows, std::int64_t cols, double start) {
  Matrix<T> m(rows, cols);
  for (std::int64_t i = 0; i < m.size(); ++i) {
    m.data()[i] = static_cast<T>(std::sin(start + static_cast<double>(i)));
  }
  return m;
}

// Float32 sums of 7 terms below 1: 1e-6; float64: 1e-14.
template <class T>
void check_products(double tolerance) {
  for (std::int64_t m : {1, 3}) {  // one row is a gemv
    const std::int64_t k = 7, n = 5;
    const Matrix<T> a = counted<T>(m, k, 1), b_nt = counted<T>(n, k, 2), b_nn = counted<T>(k, n, 3);
    const Matrix<T> a_tn = counted<T>(k, m, 4);
    Matrix<T> nt(m, n), nn(m, n), tn(m, n);
    multiply_nt(a.view(), b_nt.view(), nt.view());
    multiply_nn(a.view(), b_nn.view(), nn.view());
    multiply_tn(a_tn.view(), b_nn.view(), tn.view());
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        double want_nt = 0, want_nn = 0, want_tn = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          want_nt += static_cast<double>(a.view()(i, l)) * static_cast<double>(b_nt.view()(j, l));
          want_nn += static_cast<double>(a.view()(i, l)) * static_cast<double>(b_nn.view()(l, j));
          want_tn +=
              static_cast<double>(a_tn.view()(l, i)) * static_cast<double>(b_nn.view()(l, j));
        }
        EXPECT_NEAR(static_cast<double>(nt.view()(i, j)), want_nt, tolerance);
        EXPECT_NEAR(static_cast<double>(nn.view()(i, j)), want_nn, tolerance);
        EXPECT_NEAR(static_cast<double>(tn.view()(i, j)), want_tn, tolerance);
      }
    }
  }
}

TEST(Blas, ProductsAgreeWithPlainLoopsForOneRowAndMany) {
  check_products<float>(1e-6);
  check_products<double>(1e-14);
}

TEST(Matrix, IsEmptyOnceItWasMovedFrom) {
  Matrix<double> from(2, 3);
  Matrix<double> to(std::move(from));
  EXPECT_EQ(from.size(), 0);
  from = std::move(to);
  EXPECT_EQ(to.size(), 0);
  EXPECT_EQ(from.size(), 6);
}

TEST(Special, InverseErfAgreesWithHighPrecisionArithmetic) {
  const nlohmann::json rows = testing::reference_file("net_reference.json")["erf_inverse"];
  for (const auto& row : rows) {
    const double y = row[0].get<double>(), x = row[1].get<double>();
    EXPECT_NEAR(erf_inverse(y), x, 4e-15 * std::fabs(x)) << y;
  }
  EXPECT_TRUE(std::isinf(erf_inverse(1)));
  EXPECT_TRUE(std::isinf(erf_inverse(-1)) && erf_inverse(-1) < 0);
  EXPECT_TRUE(std::isnan(erf_inverse(1.5)));
}

TEST(CrossEntropy, LossAndGradientArePytorchs) {
  const nlohmann::json cases = testing::reference_file("net_reference.json")["cross_entropy"];
  for (const auto& one : cases) {
    const auto matrix = [&](const char* key, std::int64_t rows, std::int64_t cols) {
      Matrix<double> m(rows, cols);
      for (std::int64_t i = 0; i < m.size(); ++i) {
        m.data()[i] = one[key][static_cast<std::size_t>(i)].get<double>();
      }
      return m;
    };
    const auto tokens = one["tokens"].get<std::int64_t>(), width = one["width"].get<std::int64_t>();
    const auto y = matrix("y", tokens, width),
               head = matrix("head", width, one["classes"].get<std::int64_t>());
    const auto targets = one["targets"].get<std::vector<std::int64_t>>();
    const auto ours = cross_entropy(y.view(), head.view(), targets);
    EXPECT_NEAR(ours.loss, one["loss"].get<double>(), 1e-13 * (1 + one["loss"].get<double>()));
    for (std::size_t i = 0; i < one["gradient"].size(); ++i) {
      EXPECT_NEAR(ours.gradient.view().all()[i], one["gradient"][i].get<double>(), 1e-13);
    }
  }
}

TEST(Norm, SizesWhoseSquaresLeaveTheRangeAreStillNormalised) {
  for (double scale : {1e-200, 1e200}) {
    const double x[] = {4 * scale, -2 * scale, 6 * scale, 4 * scale};
    double y[4];
    for (const NormRow& row : norm_table()) {
      if (row.identity) continue;
      Norm{&row, 0}.apply({x, 1, 4}, {y, 1, 4});
      EXPECT_NEAR(y[2], row.centred ? 1.0 : 6 / std::sqrt(18.0), 1e-14) << row.name << scale;
    }
  }
}

TEST(Norm, AConstantVectorUnderLayernormIsZeroWithEpsAndNanWithout) {
  const double x[] = {5, 5, 5, 5};
  double y[4];
  const NormRow* row = &norm_table()[1];
  ASSERT_TRUE(row->centred);
  Norm{row, 1e-5}.apply({x, 1, 4}, {y, 1, 4});
  EXPECT_EQ(y[0], 0);
  Norm{row, 0}.apply({x, 1, 4}, {y, 1, 4});
  EXPECT_TRUE(std::isnan(y[0]));
}

TEST(Norm, AConstantVectorOfAnyLengthAndValueHasNoSpread) {
  for (std::size_t n = 2; n <= 40; ++n) {
    for (double value : {0.1, 1.0 / 3, 5.0, 1e-300, -7e200}) {
      const std::vector<double> x(n, value);
      std::vector<double> y(n);
      const auto width = static_cast<std::int64_t>(n);
      Norm{&norm_table()[1], 0}.apply({x.data(), 1, width}, {y.data(), 1, width});
      EXPECT_TRUE(std::isnan(y[0])) << n << " times " << value;
    }
  }
}

}  // namespace
}  // namespace sigstab
