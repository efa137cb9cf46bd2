#include "net/cross_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "math/blas.hpp"

namespace sigstab {
namespace {

template <class T>
LossAndGradient<T> evaluate(ConstView<T> y, ConstView<T> head,
                            std::span<const std::int64_t> targets) {
  SIGSTAB_ASSERT(static_cast<std::int64_t>(targets.size()) == y.rows && head.rows == y.cols);
  Matrix<T> logits(y.rows, head.cols);
  multiply_nn(y, head, logits.view());
  const double tokens = static_cast<double>(y.rows);
  double loss = 0;
  for (std::int64_t t = 0; t < y.rows; ++t) {
    const std::span<T> row = logits.view().row(t);
    const auto target = static_cast<std::size_t>(targets[static_cast<std::size_t>(t)]);
    const double largest = static_cast<double>(*std::ranges::max_element(row));
    double sum = 0;
    for (T v : row) sum += std::exp(static_cast<double>(v) - largest);
    loss += (largest - static_cast<double>(row[target]) + std::log(sum)) / tokens;
    for (T& v : row) {  // becomes (softmax - one_hot) / tokens
      v = static_cast<T>(std::exp(static_cast<double>(v) - largest) / sum / tokens);
    }
    row[target] -= static_cast<T>(1 / tokens);
  }
  Matrix<T> gradient(y.rows, y.cols);
  multiply_nt(std::as_const(logits).view(), head, gradient.view());
  return {loss, std::move(gradient)};
}

}  // namespace

LossAndGradient<float> cross_entropy(ConstView<float> y, ConstView<float> head,
                                     std::span<const std::int64_t> targets) {
  return evaluate(y, head, targets);
}
LossAndGradient<double> cross_entropy(ConstView<double> y, ConstView<double> head,
                                      std::span<const std::int64_t> targets) {
  return evaluate(y, head, targets);
}

}  // namespace sigstab
