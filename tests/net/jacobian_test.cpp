// The article's Step 5, jacobian-expand: (I + J2)(I + J1) = I + J1 + J2 + J2 J1, on the Jacobians
// of a small stack.
//
// Row i of a Jacobian is the gradient of output i, so it comes from propagating a unit vector back.
// J1 and J2 are the branches' own Jacobians, each from a stack of that branch alone; a factor I in
// the whole stack is its residual.

#include <gtest/gtest.h>

#include <cmath>

#include "base/named_table.hpp"
#include "net/dense_stack.hpp"

namespace sigstab {
namespace {

constexpr std::int64_t kWidth = 5;

Matrix<double> wave(std::int64_t rows, std::int64_t cols, double start) {
  Matrix<double> m(rows, cols);
  for (std::int64_t i = 0; i < m.size(); ++i) {
    m.data()[i] = 0.8 * std::sin(start + 1.7 * static_cast<double>(i));
  }
  return m;
}

StackSpec tanh_stack(std::int64_t depth, const char* scheme) {
  StackSpec spec;
  spec.width = kWidth;
  spec.depth = depth;
  spec.activation.row = find_row(activation_table(), "tanh");
  spec.norm.row = find_row(norm_table(), "none");
  spec.residual.row = find_row(residual_table(), scheme);
  return spec;
}

struct Pass {
  Matrix<double> output, jacobian;  // outputs x inputs
};

// Runs x through blocks with the weights that start at `starts`.
Pass pass_through(const char* scheme, std::initializer_list<double> starts,
                  const Matrix<double>& x) {
  StoredWeights<double> weights(Layout::out_in);
  for (double start : starts) weights.add(wave(kWidth, kWidth, start));
  DenseStack<double> stack(tanh_stack(static_cast<std::int64_t>(starts.size()), scheme), weights);
  Probe<double> nothing;
  Pass pass{Matrix<double>(), Matrix<double>(kWidth, kWidth)};
  for (std::int64_t i = 0; i < kWidth; ++i) {
    Matrix<double> input(1, kWidth), unit(1, kWidth);
    for (std::int64_t j = 0; j < kWidth; ++j) {
      input.data()[j] = x.view().data[j];
      unit.data()[j] = i == j ? 1 : 0;
    }
    pass.output = stack.forward(std::move(input), nothing, true);
    const Matrix<double> row = stack.backward(std::move(unit), nothing);
    for (std::int64_t j = 0; j < kWidth; ++j) pass.jacobian.view()(i, j) = row.view()(0, j);
  }
  return pass;
}

TEST(Jacobian, OfTwoResidualBlocksIsTheSumOverSubsetsOfTheirBranches) {
  const double first = 0.3, second = 2.1;
  const Matrix<double> x = wave(1, kWidth, 5);
  const Pass whole = pass_through("plain", {first, second}, x);
  const Matrix<double> between = pass_through("plain", {first}, x).output;
  const Matrix<double> j1 = pass_through("none", {first}, x).jacobian;
  const Matrix<double> j2 = pass_through("none", {second}, between).jacobian;
  double second_order = 0;
  for (std::int64_t i = 0; i < kWidth; ++i) {
    for (std::int64_t j = 0; j < kWidth; ++j) {
      double both = 0;
      for (std::int64_t k = 0; k < kWidth; ++k) both += j2.view()(i, k) * j1.view()(k, j);
      second_order = std::fmax(second_order, std::fabs(both));
      const double identity = i == j ? 1 : 0;
      // A few roundings of sums of numbers near 1.
      EXPECT_NEAR(whole.jacobian.view()(i, j), identity + j1.view()(i, j) + j2.view()(i, j) + both,
                  1e-14)
          << i << ", " << j;
    }
  }
  EXPECT_GT(second_order, 0.1) << "the product of both branches must matter";
}

TEST(Jacobian, OfBlocksWithoutAResidualIsOnlyTheProduct) {
  const Matrix<double> x = wave(1, kWidth, 5);
  const Pass whole = pass_through("none", {0.3, 2.1}, x);
  const Pass below = pass_through("none", {0.3}, x);
  const Matrix<double> above = pass_through("none", {2.1}, below.output).jacobian;
  for (std::int64_t i = 0; i < kWidth; ++i) {
    for (std::int64_t j = 0; j < kWidth; ++j) {
      double product = 0;
      for (std::int64_t k = 0; k < kWidth; ++k) {
        product += above.view()(i, k) * below.jacobian.view()(k, j);
      }
      EXPECT_NEAR(whole.jacobian.view()(i, j), product, 1e-14);
    }
  }
}

}  // namespace
}  // namespace sigstab
