// Jacobians: products of known matrices, finite differences of whole stacks, and what random
// matrix theory says of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "kinds/depth_case.hpp"
#include "kinds/spectrum.hpp"
#include "math/blas.hpp"
#include "math/graded_product.hpp"
#include "model/draw_model.hpp"
#include "net/dense_stack.hpp"
#include "random/generators.hpp"
#include "run/run.hpp"
#include "support/bad_config.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::BadConfig;
using testing::plan_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Result result_of(const std::string& config) { return run(plan_of(config), {2, 1e12}); }
CaseResult only(const std::string& config) { return result_of(config).cases.at(0); }
const std::vector<double>& column(const CaseResult& one, std::string_view name) {
  return one.column(name)->values;
}
std::string jacobian(const std::string& keys) {
  return R"({"experiment": "jacobian", )" + keys + "}";
}

Matrix<double> random_matrix(std::int64_t n, std::uint32_t layer) {
  Matrix<double> m(n, n);
  const auto stream = find_row(kGenerators, "philox")->make(Seed(3), "", "");
  stream->normal({TensorId::kWeights, layer}, m.all());
  return m;
}

// --- products of known matrices -----------------------------------------------------------------

TEST(GradedProduct, KeepsEverySingularValueOverNinetyDecades) {
  // B = U D V, next B = V' D W, ...: orthogonal factors cancel, and 30 of D's powers remain.
  constexpr std::int64_t kSize = 12;
  constexpr int kFactors = 30;
  GradedProduct product(kSize);
  Matrix<double> right = random_matrix(kSize, 1);
  orthonormalise_columns(right.view());
  for (int k = 0; k < kFactors; ++k) {
    Matrix<double> left = random_matrix(kSize, static_cast<std::uint32_t>(k + 2));
    orthonormalise_columns(left.view());
    Matrix<double> scaled(kSize, kSize), b(kSize, kSize);
    for (std::int64_t r = 0; r < kSize; ++r) {
      for (std::int64_t c = 0; c < kSize; ++c) {
        scaled.view()(r, c) = left.view()(r, c) * std::pow(10, -3.0 * static_cast<double>(c) / 11);
      }
    }
    multiply_nt(std::as_const(scaled).view(), std::as_const(right).view(), b.view());
    product.multiply_from_left(b.view());
    right = std::move(left);
  }
  const std::vector<double> values = product.log_singular_values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Each factor is rounded beside its largest entry: 1000 roundings of the smallest, 30 times.
    EXPECT_NEAR(values[i], -90 * std::numbers::ln10 * static_cast<double>(i) / 11, 1e-10) << i;
  }
}

TEST(GradedProduct, AgreesWithThePlainProduct) {
  constexpr std::int64_t kSize = 9;
  GradedProduct product(kSize);
  Matrix<double> plain = random_matrix(kSize, 1);
  product.multiply_from_left(std::as_const(plain).view());
  for (std::uint32_t k = 2; k <= 4; ++k) {
    const Matrix<double> b = random_matrix(kSize, k);
    Matrix<double> next(kSize, kSize);
    multiply_nn(b.view(), std::as_const(plain).view(), next.view());
    plain = std::move(next);
    product.multiply_from_left(b.view());
  }
  const std::vector<double> want = singular_values(plain.view());
  const std::vector<double> ours = product.log_singular_values();
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(std::exp(ours[i]), want[i], 1e-12 * want[0]) << i;
  }
}

TEST(GradedProduct, CountsLostDirectionsAsZero) {
  constexpr std::int64_t kSize = 8;
  GradedProduct product(kSize);
  for (std::uint32_t k = 1; k <= 5; ++k) {
    Matrix<double> b = random_matrix(kSize, k);
    std::ranges::fill(b.view().row(k), 0.0);
    if (k == 3) std::ranges::fill(b.view().row(0), 0.0);
    product.multiply_from_left(std::as_const(b).view());
  }
  const Spectrum spectrum = spectrum_of(product.log_singular_values());
  EXPECT_EQ(spectrum.rank, kSize - 2);  // of any matrix in a row of them
  EXPECT_EQ(spectrum.mean_log, -kInfinity);
  Matrix<double> nothing(kSize, kSize);
  std::ranges::fill(nothing.all(), 0.0);
  product.multiply_from_left(std::as_const(nothing).view());
  EXPECT_EQ(product.log_singular_values(), std::vector<double>(kSize, -kInfinity));
}

TEST(Spectrum, SumsUpWhatItIsGiven) {
  const Spectrum equal = spectrum_of({2, 2, 2, 2});
  EXPECT_EQ(equal.log_rms, 2);
  EXPECT_EQ(equal.mean_log, 2);
  EXPECT_NEAR(equal.effective_rank, 4, 1e-14);
  const Spectrum mixed = spectrum_of({std::log(3.0), 0, -kInfinity});
  EXPECT_NEAR(mixed.log_rms, std::log(10.0 / 3) / 2, 1e-15);
  EXPECT_EQ(mixed.mean_log, -kInfinity);
  EXPECT_NEAR(mixed.effective_rank, std::exp(-0.75 * std::log(0.75) - 0.25 * std::log(0.25)),
              1e-14);
  EXPECT_EQ(mixed.rank, 2);
  EXPECT_NEAR(spectrum_of({1e6, -1e6}).log_rms, 1e6 - std::numbers::ln2 / 2, 1e-9);
  EXPECT_EQ(spectrum_of({-kInfinity, -kInfinity}).rank, 0);
}

TEST(Spectrum, HasAHistogram) {
  const double ten = std::numbers::ln10;
  const std::string whole(40, '#');
  EXPECT_EQ(histogram_lines({3 * ten, 0.5 * ten, 0, -2.5 * ten, -kInfinity}, "block 3"),
            (std::vector<std::string>{
                "log10 of the singular values after block 3:", "          zero     1",
                "    -2.5 to -2     1  " + whole, "    -2 to -1.5     0", "    -1.5 to -1     0",
                "    -1 to -0.5     0", "     -0.5 to 0     0", "      0 to 0.5     1  " + whole,
                "      0.5 to 1     1  " + whole, "      1 to 1.5     0", "      1.5 to 2     0",
                "      2 to 2.5     0", "      2.5 to 3     0", "      3 to 3.5     1  " + whole}));
  EXPECT_EQ(histogram_lines({0, 0}, "block 3")[1],
            "     0 to 0.05     2  ########################################");
  std::size_t counted = 0;
  std::vector<double> many;
  for (int i = 0; i < 100; ++i) many.push_back(-3.7 * i);
  for (const std::string& line : histogram_lines(many, "x")) {
    const std::size_t at = line.find(" to ");
    if (at == std::string::npos) continue;
    counted += std::stoul(line.substr(line.find_first_of(' ', at + 4)));
  }
  EXPECT_EQ(counted, 100U);
}

// --- the kind -----------------------------------------------------------------------------------

TEST(JacobianKind, OfScaledIdentitiesIsThePower) {
  const CaseResult one =
      only(jacobian(R"("width": 5, "depth": 4, "init": {"kind": "identity", "gain": 3})"));
  for (std::size_t l = 0; l < 4; ++l) {
    const double want = std::pow(3, static_cast<double>(l + 1));
    for (const char* name : {"largest", "median", "smallest", "rms"}) {
      EXPECT_NEAR(column(one, name)[l], want, 1e-12 * want) << name;
    }
    EXPECT_NEAR(column(one, "mean_log")[l], std::log(want), 1e-13);
    EXPECT_NEAR(column(one, "condition")[l], 1, 1e-13);
    EXPECT_NEAR(column(one, "effective_rank")[l], 5, 1e-12);
    EXPECT_EQ(column(one, "rank")[l], 5);
  }
}

TEST(JacobianKind, OfOrthogonalMatricesIsAnIsometryAtAnyDepth) {
  const CaseResult one =
      only(jacobian(R"("width": 40, "depth": 200, "init": {"kind": "orthogonal", "gain": 0.5})"));
  const double want = std::pow(0.5, 200);
  for (const char* name : {"largest", "smallest", "rms", "rms_theory"}) {
    EXPECT_NEAR(column(one, name)[199] / want, 1, 1e-11) << name;
  }
  EXPECT_NEAR(column(one, "mean_log_theory")[199], 200 * std::log(0.5), 1e-11);
}

// The Jacobian of the depth experiment's stack by central differences, at the drawn input.
std::vector<double> differences(const std::string& config) {
  const Plan plan = plan_of(config);
  ModelConfig model = dynamic_cast<const DepthCase&>(*plan.cases[0].model).model();
  Team team(1);
  DrawSource source(*model.random.generator, model.random.seed, plan.cases[0].name,
                    plan.cases[0].point_text, team, 0);
  Drawn<double> drawn;
  const std::int64_t width = model.stack.width;
  Matrix<double> j(width, width);
  source.draw(model, drawn, [&] {
    DenseStack<double> stack(model.stack, *drawn.weights);
    Probe<double> nothing;
    const auto output = [&](std::int64_t changed, double by) {
      Matrix<double> x(1, width);
      std::ranges::copy(std::as_const(drawn.input).all(), x.all().begin());
      x.view()(0, changed) += by;
      return stack.forward(std::move(x), nothing, false);
    };
    constexpr double kStep = 1e-5;
    for (std::int64_t c = 0; c < width; ++c) {
      const Matrix<double> above = output(c, kStep), below = output(c, -kStep);
      for (std::int64_t r = 0; r < width; ++r) {
        j.view()(r, c) = (above.view()(0, r) - below.view()(0, r)) / (2 * kStep);
      }
    }
  });
  return singular_values(j.view());
}

TEST(JacobianKind, AgreesWithFiniteDifferencesOfTheSameStack) {
  const char* kModels[] = {
      R"("width": 7, "depth": 3, "activation": "tanh", "init": {"kind": "lecun", "gain": 1.3})",
      R"("width": 7, "depth": 4, "activation": "relu", "init": "he", "bias": {"kind": "normal", "spread": 0.3})",
      R"("width": 6, "depth": 3, "activation": "gelu", "layer": "mlp", "norm": "layernorm", "residual": "plain")",
      R"("width": 6, "depth": 3, "activation": "silu", "norm": {"kind": "rmsnorm", "placement": "post"}, "residual": "deepnorm")",
      R"("width": 5, "depth": 2, "activation": "swiglu", "layer": "mlp", "norm": {"kind": "rmsnorm", "placement": "sandwich"}, "residual": "plain")",
      R"("width": 7, "depth": 3, "activation": "erf", "init": "orthogonal", "random": {"generator": "torch", "seed": 4})",
      R"("width": 7, "depth": 3, "activation": "sigmoid", "random": {"generator": "numpy", "seed": 4}, "input": {"spread": 3})"};
  for (const std::string model : kModels) {
    SCOPED_TRACE(model);
    const std::vector<double> want = differences("{" + model + "}");
    const CaseResult one = only(jacobian(model));
    const auto last = static_cast<std::size_t>(one.rows() - 1);
    // The differences' own error, in the units of the largest.
    const double tolerance = 1e-8 * want.front();
    EXPECT_NEAR(column(one, "largest")[last], want.front(), tolerance);
    EXPECT_NEAR(column(one, "median")[last], want[want.size() / 2], tolerance);
    EXPECT_NEAR(column(one, "smallest")[last], want.back(), tolerance);
    double square = 0;
    for (double s : want) square += s * s / static_cast<double>(want.size());
    EXPECT_NEAR(column(one, "rms")[last], std::sqrt(square), tolerance);
  }
}

TEST(JacobianKind, OfFewerBlocksIsThatOfAShallowerStack) {
  const std::string model = R"("width": 9, "activation": "tanh", "depth": )";
  const CaseResult deep = only(jacobian(model + "6")), shallow = only(jacobian(model + "2"));
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_EQ(column(deep, "largest")[l], column(shallow, "largest")[l]);
    EXPECT_EQ(column(deep, "smallest")[l], column(shallow, "smallest")[l]);
    EXPECT_EQ(column(deep, "rms_theory")[l], column(shallow, "rms_theory")[l]);
  }
}

TEST(JacobianKind, OfGaussianMatricesHasTheMeanLogarithmOfChiSquares) {
  // Width 1: E ln |z| = (psi(1/2) + ln 2) / 2; width 2 averages it with (psi(1) + ln 2) / 2, and
  // the spread is 1 / sqrt(2).
  const double ln2 = std::numbers::ln2, one = (-std::numbers::egamma - ln2) / 2;
  const double two = (-std::numbers::egamma + ln2) / 2;
  EXPECT_NEAR(column(only(jacobian(R"("width": 1, "depth": 3)")), "mean_log_theory")[2], 3 * one,
              1e-13);
  EXPECT_NEAR(column(only(jacobian(R"("width": 2, "depth": 1)")), "mean_log_theory")[0],
              (one + two) / 2 - ln2 / 2, 1e-14);
  // psi(3/2) = psi(1/2) + 2 and psi(2) = psi(1) + 1; at width 256 mpmath's digamma.
  EXPECT_NEAR(column(only(jacobian(R"("width": 4, "depth": 1)")), "mean_log_theory")[0],
              (2 * one + 1 + 2 * two + 0.5) / 4 - ln2, 1e-14);
  EXPECT_NEAR(column(only(jacobian(R"("width": 256, "depth": 1)")), "mean_log_theory")[0],
              -25.2839938414902 / 50, 1e-13);
  // And what is drawn has it: ln |det| has variance sum psi'(i/2) / 4 a layer, 2.8 at width 32.
  const Result drawn =
      result_of(jacobian(R"("width": 32, "depth": 10, "seeds": {"from": 0, "count": 50})"));
  double mean = 0, square = 0;
  for (const CaseResult& c : drawn.cases) {
    mean += column(c, "mean_log")[9] / 50;
    square += std::pow(column(c, "rms")[0], 2) / 50;
  }
  EXPECT_NEAR(mean, column(drawn.cases[0], "mean_log_theory")[9],
              4 * std::sqrt(2.8 * 10 / 50) / 32);
  // One layer's mean square singular value has mean 1 and variance 2 / 32^2.
  EXPECT_NEAR(square, 1, 4 * std::sqrt(2.0 / 50) / 32);
}

TEST(JacobianKind, ComparesTheMeanSquareWithInfiniteWidth) {
  const CaseResult relu = only(jacobian(R"("width": 8, "depth": 5, "activation": "relu")"));
  EXPECT_NEAR(column(relu, "rms_theory")[4], std::pow(0.5, 2.5), 1e-12);
  EXPECT_EQ(relu.column("mean_log_theory"), nullptr);
  const Result wide = result_of(jacobian(
      R"("width": 200, "depth": 4, "activation": "tanh", "init": {"kind": "lecun", "gain": 1.5}, "seeds": {"from": 0, "count": 20})"));
  double mean = 0;
  for (const CaseResult& c : wide.cases) {
    mean += column(c, "rms")[3] / column(c, "rms_theory")[3] / 20;
  }
  // A layer's mean square of 200 slopes varies by 1/sqrt(200), its root by half that.
  EXPECT_NEAR(mean, 1, 4 * 0.5 * std::sqrt(4.0 / 200 / 20) + 4.0 / 200);
  for (const char* keys : {R"("norm": "layernorm")", R"("residual": "plain")", R"("layer": "mlp")",
                           R"("bias": {"kind": "normal", "spread": 1})", R"("init": "identity")"}) {
    const CaseResult other = only(jacobian(std::string(R"("width": 4, "depth": 2, )") + keys));
    EXPECT_EQ(other.column("rms_theory"), nullptr) << keys;
  }
}

TEST(JacobianKind, LosesTheDirectionsThatReluCuts) {
  const CaseResult one =
      only(jacobian(R"("width": 64, "depth": 6, "activation": "relu", "init": "he")"));
  double before = 64;
  for (std::size_t l = 0; l < 6; ++l) {
    EXPECT_LE(column(one, "rank")[l], before);
    before = column(one, "rank")[l];
    EXPECT_EQ(column(one, "smallest")[l], 0);
    EXPECT_EQ(column(one, "condition")[l], kInfinity);
    EXPECT_EQ(column(one, "mean_log")[l], -kInfinity);
  }
  EXPECT_GT(before, 10);
  EXPECT_LT(before, 40);
}

TEST(JacobianKind, SaysWhereItIsNoLongerFinite) {
  const CaseResult one = only(jacobian(
      R"("width": 16, "depth": 20, "activation": "relu_squared", "init": {"kind": "lecun", "gain": 30})"));
  const std::vector<double>& rank = column(one, "rank");
  const auto lost = std::ranges::find_if(rank, [](double r) { return std::isnan(r); });
  ASSERT_NE(lost, rank.end());
  EXPECT_EQ(one.verdicts,
            (std::vector<std::string>{"the Jacobian of block " +
                                      std::to_string(lost - rank.begin() + 1) + " is not finite"}));
  EXPECT_TRUE(std::isnan(column(one, "largest")[19]));
  EXPECT_FALSE(std::isnan(column(one, "largest")[3]));
}

TEST(JacobianKind, IsTheSameForAnyNumberOfThreads) {
  const std::string config = jacobian(
      R"("width": 48, "depth": 5, "activation": "tanh", "init": "orthogonal", "cases": [{"name": "a"}, {"name": "b"}, {"name": "c"}])");
  const Result alone = run(plan_of(config), {1, 1e12}), three = run(plan_of(config), {3, 1e12});
  for (std::size_t c = 0; c < 3; ++c) {
    for (const Column& one : alone.cases[c].columns) {
      EXPECT_EQ(one.values, column(three.cases[c], one.name)) << one.name;
    }
    EXPECT_EQ(alone.cases[c].verdicts, three.cases[c].verdicts);
  }
}

const BadConfig kBadJacobians[] = {
    {"too wide", jacobian(R"("width": 2048)"), ": /width", "at most 1024 & 2048", "depth"},
    {"a final norm", jacobian(R"("width": 4, "norm": {"kind": "rmsnorm", "final": true})"),
     ": /norm/final", "blocks", "remove"},
    {"tokens", jacobian(R"("tokens": 2)"), ": /tokens", "unknown key", "known"},
    {"an order of draws", jacobian(R"("random": {"generator": "torch", "each": ["input"]})"),
     ": /random/each", "unknown key", ""},
    {"a theory that there is not",
     jacobian(R"("activation": "tanh", "report": {"columns": ["mean_log_theory"]})"),
     ": /report/columns/0", "mean_log_theory", "linear layers"},
    {"a gate without an mlp", jacobian(R"("activation": "swiglu")"), ": /activation", "gate",
     "mlp"},
};
TEST(BadConfig, WrongJacobiansAreRefused) { testing::check_all(kBadJacobians); }

}  // namespace
}  // namespace sigstab
