// Every row of every table against finite differences and the adjoint identity, in float64 and
// float32.
//
// A new activation, norm, placement or residual scheme is covered by being in its table.
//   finite differences  (L(x + h v) - L(x - h v)) / 2h = <dL/dx, v>, and the same for each weight
//   matrix adjoint identity    <u, J v> = <J' u, v>
// Tolerance: central differences with h = 1e-6 leave about h^2 of curvature and 1e-10 of rounding;
// 1e-6 of the gradient's size is far above both and far below any wrong term. Inputs avoid kinks:
// with random values none lies within h of one.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/named_table.hpp"
#include "net/dense_stack.hpp"

namespace sigstab {
namespace {

constexpr double kStep = 1e-6, kTolerance = 1e-6;

template <class T>
Matrix<T> random_matrix(std::int64_t rows, std::int64_t cols, double spread, std::mt19937& engine) {
  Matrix<T> m(rows, cols);
  for (T& v : m.all()) {
    // A sum of four uniforms: near normal, and the same on every standard library.
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += static_cast<double>(engine()) / 4294967296.0 - 0.5;
    v = static_cast<T>(spread * sum * std::sqrt(3.0));
  }
  return m;
}

template <class T>
double dot(std::span<const T> a, std::span<const T> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

template <class T>
Matrix<T> copy_of(const Matrix<T>& m) {
  Matrix<T> copy(m.rows(), m.cols());
  std::copy(m.all().begin(), m.all().end(), copy.all().begin());
  return copy;
}

// Keeps the weight gradients.
class GradientProbe final : public Probe<double> {
 public:
  explicit GradientProbe(std::size_t matrices) : matrices_(matrices) {}
  bool wants(Site site) const override { return site == Site::weight_gradient; }
  void see(Site site, const Seen<double>& seen) override {
    if (site != Site::weight_gradient) return;
    Matrix<double> dw(seen.beside.cols, seen.value.cols);
    multiply_tn(seen.beside, seen.value, dw.view());
    const std::size_t index = static_cast<std::size_t>(seen.layer - 1) * matrices_ + seen.matrix;
    if (gradients.size() <= index) gradients.resize(index + 1);
    gradients[index] = std::move(dw);
  }
  std::vector<Matrix<double>> gradients;

 private:
  std::size_t matrices_;
};

// A model with its tensors, and the loss <u, output>.
struct Model {
  explicit Model(const StackSpec& s) : spec(s), engine(7) {
    for (std::int64_t l = 0; l < spec.depth; ++l) {
      for (const MatrixSpec& m : block_matrices(spec)) {
        weights.push_back(random_matrix<double>(
            m.fan_out, m.fan_in, 1.3 / std::sqrt(static_cast<double>(m.fan_in)), engine));
      }
    }
    x = random_matrix<double>(spec.tokens, spec.width, 1.0, engine);
    u = random_matrix<double>(spec.tokens, spec.width, 1.0, engine);
  }

  StoredWeights<double> stored(std::size_t changed = SIZE_MAX,
                               const Matrix<double>* direction = nullptr, double step = 0) const {
    StoredWeights<double> result(Layout::out_in);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      Matrix<double> w = copy_of(weights[i]);
      if (i == changed) {
        for (std::int64_t k = 0; k < w.size(); ++k)
          w.data()[k] += step * direction->all()[static_cast<std::size_t>(k)];
      }
      result.add(std::move(w));
    }
    return result;
  }

  Matrix<double> output(StoredWeights<double>& w, const Matrix<double>& input) const {
    Probe<double> nothing;
    return DenseStack<double>(spec, w).forward(copy_of(input), nothing, false);
  }
  double loss(StoredWeights<double>& w, const Matrix<double>& input) const {
    return dot<double>(output(w, input).all(), u.all());
  }

  StackSpec spec;
  std::mt19937 engine;
  std::vector<Matrix<double>> weights;
  Matrix<double> x, u;
};

Matrix<double> moved(const Matrix<double>& x, const Matrix<double>& v, double step) {
  Matrix<double> result = copy_of(x);
  for (std::int64_t i = 0; i < result.size(); ++i) result.data()[i] += step * v.view().data[i];
  return result;
}

void check_gradients(const StackSpec& spec) {
  Model model(spec);
  StoredWeights<double> weights = model.stored();
  DenseStack<double> stack(spec, weights);
  GradientProbe probe(block_matrices(spec).size());
  stack.forward(copy_of(model.x), probe, true);
  const Matrix<double> gradient = stack.backward(copy_of(model.u), probe);

  const Matrix<double> v = random_matrix<double>(spec.tokens, spec.width, 1.0, model.engine);
  const Matrix<double> up = moved(model.x, v, kStep), down = moved(model.x, v, -kStep);
  const Matrix<double> y_up = model.output(weights, up), y_down = model.output(weights, down);
  double jv_u = 0;  // <u, J v>, J v by finite differences
  for (std::int64_t i = 0; i < y_up.size(); ++i) {
    jv_u += model.u.view().data[i] * (y_up.view().data[i] - y_down.view().data[i]) / (2 * kStep);
  }
  const double size =
      std::sqrt(dot<double>(gradient.all(), gradient.all()) * dot<double>(v.all(), v.all()));
  EXPECT_NEAR(jv_u, dot<double>(gradient.all(), v.all()), kTolerance * (size + 1e-3)) << "input";

  for (std::size_t i = 0; i < model.weights.size(); ++i) {
    const Matrix<double>& dw = probe.gradients[i];
    const Matrix<double> direction = random_matrix<double>(dw.rows(), dw.cols(), 1.0, model.engine);
    StoredWeights<double> plus = model.stored(i, &direction, kStep);
    StoredWeights<double> minus = model.stored(i, &direction, -kStep);
    const double numeric = (model.loss(plus, model.x) - model.loss(minus, model.x)) / (2 * kStep);
    const double scale =
        std::sqrt(dot<double>(dw.all(), dw.all()) * dot<double>(direction.all(), direction.all()));
    EXPECT_NEAR(numeric, dot<double>(dw.all(), direction.all()), kTolerance * (scale + 1e-3))
        << "matrix " << i;
  }
}

Activation activation_of(const ActivationRow& row) {
  Activation activation{&row, {}};
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    activation.parameters[i] = row.parameters[i].fallback;
  }
  return activation;
}

// A scheme with its default parameters; a gate that starts at 0 is opened, or no gradient would
// pass.
Residual residual_of(const ResidualRow& row, double skip, double branch, const StackSpec& spec) {
  Residual residual;
  residual.row = &row;
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    residual.parameters[i] = row.parameters[i].name == "gate" ? 0.3 : row.parameters[i].fallback;
  }
  residual.skip = skip;
  residual.branch = branch;
  residual.size.depth = spec.depth;
  residual.size.stages = block_stages(spec);
  return residual;
}

StackSpec base_spec(LayerKind layer) {
  StackSpec spec;
  spec.width = 6;
  spec.depth = 3;
  spec.tokens = 2;
  spec.layer = layer;
  spec.hidden = layer == LayerKind::mlp ? 9 : 0;
  spec.activation = activation_of(*find_row(activation_table(), "tanh"));
  spec.norm = {find_row(norm_table(), "none"), 1e-5};
  spec.residual = residual_of(*find_row(residual_table(), "none"), 1, 1, spec);
  return spec;
}

TEST(Gradients, EveryActivationPassesFiniteDifferences) {
  for (LayerKind layer : {LayerKind::dense, LayerKind::mlp}) {
    for (const ActivationRow& row : activation_table()) {
      if (row.gated && layer != LayerKind::mlp) continue;
      SCOPED_TRACE(row.name);
      StackSpec spec = base_spec(layer);
      spec.activation = activation_of(row);
      spec.residual.row = find_row(residual_table(), "plain");
      check_gradients(spec);
    }
  }
}

TEST(Gradients, EveryNormInEveryPlacementUnderEveryResidualPassesFiniteDifferences) {
  for (LayerKind layer : {LayerKind::dense, LayerKind::mlp}) {
    for (const NormRow& norm : norm_table()) {
      for (const PlacementRow& placement : placement_table()) {
        for (const ResidualRow& residual : residual_table()) {
          if (placement.needs_mlp && layer != LayerKind::mlp) continue;
          if (placement.needs_residual && !residual.residual) continue;
          SCOPED_TRACE(std::string(norm.name) + " " + std::string(placement.name) + " " +
                       std::string(residual.name));
          StackSpec spec = base_spec(layer);
          spec.norm = {&norm, 1e-2};
          spec.placement = &placement;
          spec.final_norm = true;
          spec.residual = residual_of(residual, 1.5, 0.7, spec);
          check_gradients(spec);
        }
      }
    }
  }
}

// <u, J v> = <J' u, v> holds exactly for a linear stack, where J v is a forward pass; in float32 up
// to its rounding over depth 4 and width 48: 1e-4.
template <class T>
void check_adjoint(std::int64_t tokens, double tolerance) {
  StackSpec spec = base_spec(LayerKind::mlp);
  spec.width = 48;
  spec.hidden = 80;
  spec.depth = 4;
  spec.tokens = tokens;
  spec.activation = activation_of(*find_row(activation_table(), "linear"));
  spec.residual = residual_of(*find_row(residual_table(), "plain"), 0.8, 0.6, spec);
  std::mt19937 engine(3);
  StoredWeights<T> weights(Layout::out_in);
  for (std::int64_t l = 0; l < spec.depth; ++l) {
    for (const MatrixSpec& m : block_matrices(spec)) {
      weights.add(random_matrix<T>(m.fan_out, m.fan_in,
                                   1 / std::sqrt(static_cast<double>(m.fan_in)), engine));
    }
  }
  const Matrix<T> v = random_matrix<T>(tokens, spec.width, 1, engine);
  const Matrix<T> u = random_matrix<T>(tokens, spec.width, 1, engine);
  Probe<T> nothing;
  DenseStack<T> stack(spec, weights);
  const Matrix<T> jv = stack.forward(copy_of(v), nothing, true);
  const Matrix<T> jtu = stack.backward(copy_of(u), nothing);
  const double left = dot<T>(jv.all(), u.all()), right = dot<T>(jtu.all(), v.all());
  const double size = std::sqrt(dot<T>(jv.all(), jv.all()) * dot<T>(u.all(), u.all()));
  EXPECT_NEAR(left, right, tolerance * size);
}

TEST(Gradients, BackwardIsTheAdjointOfForwardInBothDtypesForOneTokenAndMany) {
  for (std::int64_t tokens : {1, 5}) {
    check_adjoint<double>(tokens, 1e-13);
    check_adjoint<float>(tokens, 1e-4);
  }
}

}  // namespace
}  // namespace sigstab
