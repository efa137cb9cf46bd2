#include "net/dense_stack.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace sigstab {
namespace {

template <class T>
Matrix<T> copy_of(const Matrix<T>& m) {
  Matrix<T> copy(m.rows(), m.cols());
  std::ranges::copy(m.all(), copy.all().begin());
  return copy;
}

// y = s x + b y
template <class T>
void add_scaled(double s, std::span<const T> x, double b, std::span<T> y) {
  const T skip = static_cast<T>(s), branch = static_cast<T>(b);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = skip * x[i] + branch * y[i];
}

}  // namespace

template <class T>
DenseStack<T>::DenseStack(const StackSpec& spec, Weights<T>& weights)
    : spec_(spec),
      weights_(weights),
      block_(make_block(spec)),
      matrices_per_block_(block_matrices(spec).size()) {}

template <class T>
void DenseStack<T>::normalise(std::int64_t layer, ConstView<T> x, View<T> y,
                              Probe<T>& probe) const {
  if (!spec_.norm.apply(x, y)) probe.undefined_norm(layer);
}

template <class T>
Matrix<T> DenseStack<T>::run_branch(std::int64_t layer, const Matrix<T>& x, Kept* kept,
                                    Probe<T>& probe) {
  Matrix<T> current;  // empty until the first operation has run: its input is the stream itself
  for (const Operation& op : block_.branch) {
    const Matrix<T>& input = current.size() == 0 ? x : current;
    Matrix<T> output(x.rows(), op.out);
    switch (op.kind) {
      case Operation::norm:
        normalise(layer, input.view(), output.view(), probe);
        break;
      case Operation::activation:
        spec_.activation.apply(input.all(), output.all());
        break;
      case Operation::product:
        weights_.multiply(matrix_index(layer, op.matrix), input.view(), output.view());
        break;
    }
    if (kept != nullptr) {
      const bool needed = op.kind != Operation::product || probe.wants_weight_gradients();
      const bool is_stream = current.size() == 0;
      kept->branch.push_back(!needed ? Matrix<T>() : is_stream ? copy_of(x) : std::move(current));
    }
    current = std::move(output);
  }
  return current;
}

template <class T>
Matrix<T> DenseStack<T>::forward(Matrix<T> x, Probe<T>& probe, bool keep) {
  SIGSTAB_ASSERT(x.rows() == spec_.tokens && x.cols() == spec_.width);
  kept_.clear();
  probe.stream(0, x.view());
  for (std::int64_t layer = 1; layer <= spec_.depth; ++layer) {
    if (keep) kept_.emplace_back();
    Kept* kept = keep ? &kept_.back() : nullptr;
    Matrix<T> f = run_branch(layer, x, kept, probe);
    if (spec_.residual.present()) {
      add_scaled(spec_.residual.skip, std::as_const(x).all(), spec_.residual.branch, f.all());
    }
    if (block_.norm_after_sum) {
      if (keep) kept->sum = copy_of(f);
      normalise(layer, std::as_const(f).view(), f.view(), probe);
    }
    x = std::move(f);
    probe.stream(layer, x.view());
  }
  if (spec_.final_norm && spec_.norm.present()) {
    if (keep) before_final_norm_ = copy_of(x);
    normalise(spec_.depth, std::as_const(x).view(), x.view(), probe);
  }
  probe.output(x.view());
  return x;
}

template <class T>
Matrix<T> DenseStack<T>::back_through_branch(std::int64_t layer, Matrix<T> g, Probe<T>& probe) {
  Kept& kept = kept_[static_cast<std::size_t>(layer - 1)];
  for (std::size_t i = block_.branch.size(); i-- > 0;) {
    const Operation& op = block_.branch[i];
    const Matrix<T>& input = kept.branch[i];
    switch (op.kind) {
      case Operation::norm:
        spec_.norm.backward(input.view(), g.view());
        break;
      case Operation::activation:
        spec_.activation.backward(input.all(), g.all());
        break;
      case Operation::product: {
        if (probe.wants_weight_gradients()) {
          probe.weight_gradient(layer, op.matrix, input.view(), std::as_const(g).view());
        }
        Matrix<T> dx(g.rows(), op.in);
        weights_.multiply_transposed(matrix_index(layer, op.matrix), std::as_const(g).view(),
                                     dx.view());
        g = std::move(dx);
        break;
      }
    }
  }
  kept = {};
  return g;
}

template <class T>
Matrix<T> DenseStack<T>::backward(Matrix<T> g, Probe<T>& probe) {
  SIGSTAB_ASSERT(kept_.size() == static_cast<std::size_t>(spec_.depth));
  if (spec_.final_norm && spec_.norm.present()) {
    spec_.norm.backward(std::as_const(before_final_norm_).view(), g.view());
  }
  for (std::int64_t layer = spec_.depth; layer >= 1; --layer) {
    probe.stream_gradient(layer, std::as_const(g).view());
    if (block_.norm_after_sum) {
      spec_.norm.backward(kept_[static_cast<std::size_t>(layer - 1)].sum.view(), g.view());
    }
    if (!spec_.residual.present()) {
      g = back_through_branch(layer, std::move(g), probe);
      continue;
    }
    Matrix<T> at_branch = copy_of(g);
    const T b = static_cast<T>(spec_.residual.branch);
    for (T& v : at_branch.all()) v *= b;
    Matrix<T> through_branch = back_through_branch(layer, std::move(at_branch), probe);
    add_scaled(spec_.residual.skip, std::as_const(g).all(), 1.0, through_branch.all());
    g = std::move(through_branch);
  }
  probe.stream_gradient(0, std::as_const(g).view());
  return g;
}

template class DenseStack<float>;
template class DenseStack<double>;

}  // namespace sigstab
