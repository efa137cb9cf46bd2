#include "net/dense_stack.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace sigstab {
namespace {

template <class T>
Matrix<T> copy_of(ConstView<T> m) {
  Matrix<T> copy(m.rows, m.cols);
  for (std::int64_t r = 0; r < m.rows; ++r) {
    std::ranges::copy(m.row(r), copy.view().row(r).begin());
  }
  return copy;
}
template <class T>
Matrix<T> copy_of(const Matrix<T>& m) {
  return copy_of(m.view());
}

}  // namespace

template <class T>
DenseStack<T>::DenseStack(const StackSpec& spec, Weights<T>& weights)
    : spec_(spec),
      weights_(weights),
      block_(make_block(spec)),
      matrices_per_block_(block_matrices(spec).size()) {}

// --- storage ------------------------------------------------------------------------------------

template <class T>
void DenseStack<T>::store(std::span<T> x) const {
  store_in(spec_.storage, x);
}

// y = s x + b y, each product and the sum stored.
template <class T>
void DenseStack<T>::add_scaled(double s, std::span<const T> x, double b, std::span<T> y) const {
  const T skip = static_cast<T>(s), branch = static_cast<T>(b);
  if (spec_.storage == nullptr) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = skip * x[i] + branch * y[i];
    return;
  }
  std::vector<T> skipped(x.begin(), x.end());
  scale(s, skipped);
  scale(b, y);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += skipped[i];
  store(y);
}

template <class T>
void DenseStack<T>::scale(double factor, std::span<T> x) const {
  if (factor == 1) return;
  for (T& v : x) v *= static_cast<T>(factor);
  store(x);
}

// --- forward ------------------------------------------------------------------------------------

template <class T>
void DenseStack<T>::normalise(std::int64_t layer, ConstView<T> x, View<T> y,
                              Probe<T>& probe) const {
  const NormState state = spec_.norm.apply(x, y);
  if (state != NormState::defined) probe.norm_state(layer, state);
  store(y.all());
}

// Matrices of one input write side by side.
template <class T>
void DenseStack<T>::multiply(const Operation& op, std::int64_t layer, ConstView<T> in,
                             View<T> out) {
  if (op.matrices == 1) {
    weights_.multiply(matrix_index(layer, op.first_matrix), in, out);
    return store(out.all());
  }
  const std::int64_t each = op.out / static_cast<std::int64_t>(op.matrices);
  Matrix<T> part(in.rows, each);
  for (std::size_t i = 0; i < op.matrices; ++i) {
    weights_.multiply(matrix_index(layer, op.first_matrix + i), in, part.view());
    const View<T> columns = out.col_block(static_cast<std::int64_t>(i) * each, each);
    for (std::int64_t r = 0; r < in.rows; ++r) {
      std::ranges::copy(std::as_const(part).view().row(r), columns.row(r).begin());
    }
  }
  store(out.all());
}

template <class T>
void DenseStack<T>::run(const Operation& op, std::int64_t layer, ConstView<T> in, View<T> out,
                        Probe<T>& probe) {
  switch (op.kind) {
    case Operation::norm:
      return normalise(layer, in, out, probe);
    case Operation::product:
      return multiply(op, layer, in, out);
    case Operation::scale:
      std::ranges::copy(in.all(), out.all().begin());
      return scale(spec_.residual.factors(layer).input, out.all());
    case Operation::activation:
      spec_.activation.apply(in.all(), out.all());
      store(out.all());
      break;
    case Operation::gate:
      for (std::int64_t r = 0; r < in.rows; ++r) {
        const std::span<const T> gate = in.row(r).first(static_cast<std::size_t>(op.out)),
                                 value = in.row(r).last(static_cast<std::size_t>(op.out));
        spec_.activation.apply(gate, out.row(r));
        store(out.row(r));
        for (std::size_t i = 0; i < value.size(); ++i) out.row(r)[i] *= value[i];
      }
      store(out.all());
      break;
  }
  // What the activation saw and gave; of a gated mlp the gate's half.
  if (!probe.wants(Site::preactivation) && !probe.wants(Site::activation)) return;
  if (steepest_slope_ == 0) steepest_slope_ = steepest_slope(spec_.activation);
  const Matrix<T> z = copy_of(in.col_block(0, op.out));
  probe.see(Site::preactivation, {.layer = layer,
                                  .value = z.view(),
                                  .beside = {},
                                  .activation = &spec_.activation,
                                  .steepest_slope = steepest_slope_});
  probe.see(Site::activation, {.layer = layer, .value = out, .beside = z.view()});
}

template <class T>
bool DenseStack<T>::reads_input(const Operation& op, const Probe<T>& probe) const {
  if (op.kind == Operation::scale) return false;
  return op.kind != Operation::product || probe.wants(Site::weight_gradient);
}

template <class T>
Matrix<T> DenseStack<T>::run_branch(std::int64_t layer, const Matrix<T>& x, Kept* kept,
                                    Probe<T>& probe) {
  Matrix<T> current;  // empty until the first operation has run: its input is the stream itself
  for (const Operation& op : block_.branch) {
    const bool is_stream = current.size() == 0;
    Matrix<T> output(x.rows(), op.out);
    run(op, layer, is_stream ? x.view() : std::as_const(current).view(), output.view(), probe);
    if (kept != nullptr) {
      const bool read = reads_input(op, probe);
      kept->branch.push_back(!read ? Matrix<T>() : is_stream ? copy_of(x) : std::move(current));
    }
    current = std::move(output);
  }
  return current;
}

template <class T>
void DenseStack<T>::see_stream(Site site, std::int64_t layer, Probe<T>& probe) const {
  probe.see(site, {.layer = layer, .value = now_.view(), .beside = {}});
}

template <class T>
void DenseStack<T>::start_forward(Matrix<T> x, Probe<T>& probe, bool keep) {
  SIGSTAB_ASSERT(x.rows() == spec_.tokens && x.cols() == spec_.width);
  kept_.clear();
  keep_ = keep;
  now_ = std::move(x);
  see_stream(Site::stream, 0, probe);
}

template <class T>
void DenseStack<T>::forward_block(std::int64_t layer, Probe<T>& probe) {
  if (keep_) kept_.emplace_back();
  Kept* kept = keep_ ? &kept_.back() : nullptr;
  Matrix<T> f = run_branch(layer, now_, kept, probe);
  BlockFactors factors{.skip = 0};
  if (spec_.residual.present()) factors = spec_.residual.factors(layer);
  probe.see(Site::branch, {.layer = layer,
                           .value = std::as_const(f).view(),
                           .beside = std::as_const(now_).view(),
                           .skip = factors.skip,
                           .multiplier = factors.branch});
  if (spec_.residual.present()) {
    add_scaled(factors.skip, std::as_const(now_).all(), factors.branch, f.all());
  }
  if (block_.norm_after_sum) {
    if (keep_) kept->sum = copy_of(f);
    normalise(layer, std::as_const(f).view(), f.view(), probe);
  }
  now_ = std::move(f);
  see_stream(Site::stream, layer, probe);
}

template <class T>
Matrix<T> DenseStack<T>::end_forward(Probe<T>& probe) {
  if (spec_.final_norm && spec_.norm.present()) {
    if (keep_) before_final_norm_ = copy_of(now_);
    normalise(spec_.depth, std::as_const(now_).view(), now_.view(), probe);
  }
  see_stream(Site::output, spec_.depth, probe);
  return std::move(now_);
}

template <class T>
Matrix<T> DenseStack<T>::forward(Matrix<T> x, Probe<T>& probe, bool keep) {
  start_forward(std::move(x), probe, keep);
  for (std::int64_t layer = 1; layer <= spec_.depth; ++layer) forward_block(layer, probe);
  return end_forward(probe);
}

// --- backward -----------------------------------------------------------------------------------

template <class T>
Matrix<T> DenseStack<T>::back_through_product(const Operation& op, std::int64_t layer,
                                              const Matrix<T>& input, Matrix<T> g,
                                              Probe<T>& probe) {
  const std::int64_t each = op.out / static_cast<std::int64_t>(op.matrices);
  Matrix<T> dx(g.rows(), op.in);
  for (std::size_t i = 0; i < op.matrices; ++i) {
    Matrix<T> columns;
    if (op.matrices > 1) {
      columns =
          copy_of(std::as_const(g).view().col_block(static_cast<std::int64_t>(i) * each, each));
    }
    const ConstView<T> dy =
        op.matrices > 1 ? std::as_const(columns).view() : std::as_const(g).view();
    if (probe.wants(Site::weight_gradient)) {
      probe.see(
          Site::weight_gradient,
          {.layer = layer, .value = input.view(), .beside = dy, .matrix = op.first_matrix + i});
    }
    const std::size_t index = matrix_index(layer, op.first_matrix + i);
    if (i == 0) {
      weights_.multiply_transposed(index, dy, dx.view());
      store(dx.all());
      continue;
    }
    Matrix<T> more(g.rows(), op.in);
    weights_.multiply_transposed(index, dy, more.view());
    store(more.all());
    add_scaled(1.0, std::as_const(more).all(), 1.0, dx.all());
  }
  return dx;
}

template <class T>
Matrix<T> DenseStack<T>::back(const Operation& op, std::int64_t layer, const Matrix<T>& input,
                              Matrix<T> g, Probe<T>& probe) {
  switch (op.kind) {
    case Operation::norm:
      spec_.norm.backward(input.view(), g.view());
      store(g.all());
      return g;
    case Operation::scale:
      scale(spec_.residual.factors(layer).input, g.all());
      return g;
    case Operation::activation:
      spec_.activation.backward(input.all(), g.all());
      store(g.all());
      return g;
    case Operation::product:
      return back_through_product(op, layer, input, std::move(g), probe);
    case Operation::gate:
      break;
  }
  // a = f(z) v: dz = f'(z) v da, dv = f(z) da
  Matrix<T> dx(g.rows(), op.in);
  const auto half = static_cast<std::size_t>(op.out);
  for (std::int64_t r = 0; r < g.rows(); ++r) {
    const std::span<const T> z = input.view().row(r).first(half),
                             v = input.view().row(r).last(half);
    const std::span<const T> da = std::as_const(g).view().row(r);
    const std::span<T> dz = dx.view().row(r).first(half), dv = dx.view().row(r).last(half);
    spec_.activation.apply(z, dv);
    store(dv);
    for (std::size_t i = 0; i < half; ++i) {
      dv[i] *= da[i];
      dz[i] = da[i] * v[i];
    }
    store(dz);
    spec_.activation.backward(z, dz);
  }
  store(dx.all());
  return dx;
}

template <class T>
Matrix<T> DenseStack<T>::back_through_branch(std::int64_t layer, Matrix<T> g, Probe<T>& probe) {
  Kept& kept = kept_[static_cast<std::size_t>(layer - 1)];
  probe.see(Site::branch_gradient,
            {.layer = layer, .value = std::as_const(g).view(), .beside = {}});
  for (std::size_t i = block_.branch.size(); i-- > 0;) {
    g = back(block_.branch[i], layer, kept.branch[i], std::move(g), probe);
  }
  kept = {};
  return g;
}

template <class T>
void DenseStack<T>::start_backward(Matrix<T> g) {
  SIGSTAB_ASSERT(kept_.size() == static_cast<std::size_t>(spec_.depth));
  now_ = std::move(g);
  if (!spec_.final_norm || !spec_.norm.present()) return;
  spec_.norm.backward(std::as_const(before_final_norm_).view(), now_.view());
  store(now_.all());
}

template <class T>
Matrix<T> DenseStack<T>::back_through_block(std::int64_t layer, Matrix<T> g, Probe<T>& probe) {
  if (block_.norm_after_sum) {
    spec_.norm.backward(kept_[static_cast<std::size_t>(layer - 1)].sum.view(), g.view());
    store(g.all());
  }
  if (!spec_.residual.present()) return back_through_branch(layer, std::move(g), probe);
  const BlockFactors factors = spec_.residual.factors(layer);
  Matrix<T> at_branch = copy_of(g);
  scale(factors.branch, at_branch.all());
  Matrix<T> through_branch = back_through_branch(layer, std::move(at_branch), probe);
  add_scaled(factors.skip, std::as_const(g).all(), 1.0, through_branch.all());
  return through_branch;
}

template <class T>
void DenseStack<T>::backward_block(std::int64_t layer, Probe<T>& probe) {
  see_stream(Site::stream_gradient, layer, probe);
  now_ = back_through_block(layer, std::move(now_), probe);
}

template <class T>
Matrix<T> DenseStack<T>::end_backward(Probe<T>& probe) {
  see_stream(Site::stream_gradient, 0, probe);
  return std::move(now_);
}

template <class T>
Matrix<T> DenseStack<T>::backward(Matrix<T> g, Probe<T>& probe) {
  start_backward(std::move(g));
  for (std::int64_t layer = spec_.depth; layer >= 1; --layer) backward_block(layer, probe);
  return end_backward(probe);
}

template class DenseStack<float>;
template class DenseStack<double>;

}  // namespace sigstab
