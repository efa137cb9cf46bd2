// Predictions against the engine: for a few dozen architectures, the root of the mean square over
// seeds of every measured RMS, at every layer.
//
// Tolerance, in ln RMS: 4.5 standard errors of that mean over the seeds, estimated from them, and
// (1 + layers passed) / width for what infinite width leaves out (and 0.002). Draws are those of
// philox, hence the same everywhere.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kinds/depth_case.hpp"
#include "run/run.hpp"
#include "support/plan_of.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

using nlohmann::json;

constexpr int kWidth = 192, kDepth = 8, kSeeds = 32;

struct Architecture {
  const char* name;
  const char* config;  // over the base
};
constexpr Architecture kArchitectures[] = {
    {"linear", R"({})"},
    {"relu_he", R"({"activation": "relu", "init": "he"})"},
    {"relu_lecun", R"({"activation": "relu"})"},
    {"leaky_relu",
     R"({"activation": {"kind": "leaky_relu", "negative_slope": 0.2}, "init": "he"})"},
    {"tanh", R"({"activation": "tanh", "init": {"kind": "lecun", "gain": 1.5}})"},
    {"erf_uniform", R"({"activation": "erf", "init": "xavier_uniform"})"},
    {"sigmoid", R"({"activation": "sigmoid", "init": {"kind": "lecun", "gain": 4}})"},
    {"gelu", R"({"activation": "gelu", "init": "he"})"},
    {"silu", R"({"activation": "silu", "init": {"kind": "he", "gain": 1.1}})"},
    {"selu_truncated",
     R"({"activation": "selu", "init": {"kind": "truncated_normal", "spread": 0.0625}, "depth": 2})"},
    {"elu", R"({"activation": "elu", "init": "he"})"},
    {"softplus", R"({"activation": "softplus", "init": "lecun"})"},
    {"sin", R"({"activation": "sin", "init": {"kind": "lecun", "gain": 2}})"},
    {"hardtanh_orthogonal",
     R"({"activation": "hardtanh", "init": {"kind": "orthogonal", "gain": 1.2}, "depth": 3})"},
    {"linear_orthogonal", R"({"init": "orthogonal", "depth": 3})"},
    {"relu_torch_bias",
     R"({"activation": "relu", "init": "torch_default", "bias": "torch_default"})"},
    {"tanh_normal_bias", R"({"activation": "tanh", "bias": {"kind": "normal", "spread": 0.3}})"},
    {"gelu_constant_bias",
     R"({"activation": "gelu", "bias": {"kind": "constant", "value": 0.4}, "init": "he"})"},
    {"sigmoid_uniform_bias",
     R"({"activation": "sigmoid", "bias": {"kind": "uniform", "limit": 2}, "init": {"kind": "lecun", "gain": 3}})"},
    {"sparse",
     R"({"activation": "tanh", "init": {"kind": "sparse", "sparsity": 0.5, "spread": 0.1}, "depth": 4})"},
    {"rmsnorm_post_relu", R"({"activation": "relu", "norm": "rmsnorm"})"},
    {"layernorm_post_relu", R"({"activation": "relu", "norm": "layernorm"})"},
    {"layernorm_pre_gelu_eps",
     R"({"activation": "gelu", "norm": {"kind": "layernorm", "placement": "pre", "eps": 0.1, "gain": 0.7, "bias": 0.2}})"},
    {"tanh_residual",
     R"({"activation": "tanh", "residual": "plain", "init": {"kind": "lecun", "gain": 0.5}})"},
    {"relu_residual",
     R"({"activation": "relu", "residual": "plain", "init": {"kind": "he", "gain": 0.5}})"},
    {"relu_residual_rmsnorm",
     R"({"activation": "relu", "residual": "plain", "init": "he", "norm": "rmsnorm"})"},
    {"relu_residual_layernorm",
     R"({"activation": "relu", "residual": "plain", "init": "he", "norm": "layernorm"})"},
    {"relu_residual_post",
     R"({"activation": "relu", "residual": "plain", "init": "he", "norm": {"kind": "layernorm", "placement": "post"}})"},
    {"relu_residual_reordered",
     R"({"activation": "relu", "residual": "plain", "init": "he", "norm": {"kind": "rmsnorm", "placement": "reordered"}})"},
    {"mlp_relu",
     R"({"layer": {"kind": "mlp", "hidden": 512}, "activation": "relu", "init": "xavier"})"},
    {"mlp_pre",
     R"({"layer": {"kind": "mlp", "hidden": 512}, "activation": "gelu", "init": "xavier", "norm": "layernorm", "residual": "plain", "depth": 6})"},
    {"mlp_post",
     R"({"layer": {"kind": "mlp", "hidden": 512}, "activation": "gelu", "init": "xavier", "norm": {"kind": "layernorm", "placement": "post"}, "residual": "plain"})"},
    {"mlp_post_rmsnorm",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "relu", "init": "he", "norm": {"kind": "rmsnorm", "placement": "post"}, "residual": {"scheme": "plain", "skip": 2}})"},
    {"mlp_sandwich",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "silu", "init": "he", "norm": {"kind": "rmsnorm", "placement": "sandwich", "gain": 0.8}, "residual": {"scheme": "plain", "branch": 0.7}})"},
    {"mlp_sub",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "tanh", "norm": {"kind": "layernorm", "placement": "sub"}, "residual": "plain"})"},
    {"mlp_final",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "tanh", "norm": {"kind": "layernorm", "final": true, "gain": 2}, "residual": "plain"})"},
    {"mlp_constant_bias",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "tanh", "bias": {"kind": "constant", "value": 0.3}, "norm": "layernorm", "residual": "plain"})"},
    {"swiglu",
     R"({"layer": {"kind": "mlp", "hidden": 384}, "activation": "swiglu", "init": "he", "norm": "rmsnorm", "residual": "plain", "depth": 6})"},
    {"reglu_sub_bias",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "reglu", "init": "he", "norm": {"kind": "rmsnorm", "placement": "sub"}, "residual": "plain", "bias": {"kind": "normal", "spread": 0.2}, "depth": 6})"},
    {"gpt2",
     R"({"layer": {"kind": "mlp", "hidden": 512}, "activation": "gelu", "init": "gpt2", "norm": "layernorm", "residual": "gpt2", "input": {"spread": 0.02}, "depth": 6})"},
    {"deepnorm",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "relu", "init": "xavier", "norm": {"kind": "layernorm", "placement": "post"}, "residual": "deepnorm"})"},
    {"deepnorm_deep",
     R"({"layer": {"kind": "mlp", "hidden": 64}, "activation": "relu", "init": "xavier", "norm": {"kind": "layernorm", "placement": "post"}, "residual": "deepnorm", "depth": 60})"},
    {"nfnet",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "relu", "init": "he", "residual": {"scheme": "nfnet", "alpha": 0.5}})"},
    {"u_mup",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "gelu", "init": "lecun", "norm": "rmsnorm", "residual": "u_mup"})"},
    {"depth_scaled",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "relu", "init": "he", "residual": "depth_scaled"})"},
    {"fixup",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "relu", "init": "he", "residual": "fixup"})"},
    {"tokens_cosine",
     R"({"activation": "tanh", "init": {"kind": "lecun", "gain": 1.5}, "tokens": 4, "input": {"cosine": 0.5}})"},
    {"tokens_cosine_residual",
     R"({"activation": "relu", "init": {"kind": "he", "gain": 0.5}, "tokens": 4, "input": {"cosine": 0.2}, "residual": "plain", "norm": "layernorm"})"},
    {"tokens_swiglu",
     R"({"layer": {"kind": "mlp", "hidden": 256}, "activation": "swiglu", "init": "he", "tokens": 4, "input": {"cosine": 0.5}, "residual": "plain", "norm": "rmsnorm", "depth": 5})"},
};

json config_of(const Architecture& architecture) {
  json config = {{"width", kWidth}, {"depth", kDepth}, {"seeds", {{"from", 1}, {"count", kSeeds}}}};
  config.merge_patch(json::parse(architecture.config));
  json columns = {"forward_rms", "gradient_rms", "preactivation_rms", "branch_rms",
                  "branch_gradient_rms"};
  if (!config.contains("layer")) {
    columns.push_back("weight_gradient_rms.W");
  } else {
    for (const char* matrix : {"W1", "W2"}) {
      columns.push_back(std::string("weight_gradient_rms.") + matrix);
    }
    if (config["activation"].get<std::string>().ends_with("glu")) {
      columns.push_back("weight_gradient_rms.Wg");
    }
  }
  if (config.contains("tokens")) columns.push_back("cosine");
  config["report"] = {{"columns", columns}};
  return config;
}

// What theory says of that column, and at the input of its scalar.
double predicted(const MeanFieldPrediction& p, const DepthColumn& column, std::size_t layer) {
  const LayerPrediction& here = p.layers[layer];
  if (column.name == "forward_rms") return here.forward;
  if (column.name == "gradient_rms") return here.gradient;
  if (column.name == "preactivation_rms") return here.preactivation;
  if (column.name == "branch_rms") return here.branch;
  if (column.name == "branch_gradient_rms") return here.branch_gradient;
  if (column.name == "cosine") return here.cosine;
  return here.weight_gradients.at(column.matrix);
}

class Simulated : public ::testing::TestWithParam<Architecture> {};

TEST_P(Simulated, AgreesWithTheory) {
  const Plan plan = testing::plan_of(config_of(GetParam()).dump());
  const auto& planned = static_cast<const DepthCase&>(*plan.cases.front().model);
  const MeanFieldPrediction theory = predict(planned.model(), false).prediction;
  ASSERT_EQ(theory.refusal, "");
  const Result result = run(plan, {2, 1e12});
  const bool print = std::getenv("SIGSTAB_PRINT") != nullptr;
  const auto depth = static_cast<std::size_t>(planned.model().stack.depth);
  for (const DepthColumn& column : planned.columns()) {
    const bool is_cosine = column.name == "cosine";
    const bool backward = column.measure->backward();
    for (std::size_t layer = 1; layer <= depth; ++layer) {
      std::vector<double> squares;
      for (const CaseResult& one : result.cases) {
        const double value = one.column(column.name)->values[layer - 1];
        squares.push_back(is_cosine ? value : value * value);
      }
      double mean = 0, variance = 0;
      for (double v : squares) mean += v / kSeeds;
      for (double v : squares) variance += (v - mean) * (v - mean) / (kSeeds - 1);
      const double error = std::sqrt(variance / kSeeds) / (is_cosine ? 1 : 2 * mean);
      const double ours = predicted(theory, column, layer);
      if (std::isnan(ours)) {
        // Only where a note says so, and not all the way.
        EXPECT_TRUE(backward && layer < depth && !theory.notes.empty()) << column.name << layer;
        continue;
      }
      const double layers = static_cast<double>(backward ? depth : layer);
      const double tolerance = 4.5 * error + (1 + layers) / kWidth + 0.002;
      if (!is_cosine && mean == 0) {
        EXPECT_EQ(std::exp(ours), 0) << column.name << " at layer " << layer;
        continue;
      }
      const double got = is_cosine ? mean : std::log(mean) / 2;
      if (print) {
        std::printf("%-26s %-24s %2zu measured %9.5f theory %9.5f diff %8.5f se %8.5f %s\n",
                    GetParam().name, column.name.c_str(), layer, got, ours, got - ours, error,
                    std::fabs(got - ours) > tolerance ? "BAD" : "");
      }
      EXPECT_NEAR(got, ours, tolerance) << column.name << " at layer " << layer;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Theory, Simulated, ::testing::ValuesIn(kArchitectures),
                         [](const auto& test) { return std::string(test.param.name); });

// --- finite width -------------------------------------------------------------------------------

// Mean and deviation of ln RMS over seeds, against the bands, at a width where they are wide.
constexpr Architecture kBandArchitectures[] = {
    {"relu", R"({"activation": "relu", "init": "he"})"},
    {"gelu", R"({"activation": "gelu", "init": {"kind": "he", "gain": 1.08}})"},
    {"tanh_bias",
     R"({"activation": "tanh", "init": {"kind": "lecun", "gain": 1.5}, "bias": {"kind": "normal", "spread": 0.3}})"},
    {"linear_uniform", R"({"init": "lecun_uniform"})"},
    {"tanh_residual",
     R"({"activation": "tanh", "residual": "plain", "init": {"kind": "lecun", "gain": 0.5}})"},
    {"mlp_pre",
     R"({"layer": {"kind": "mlp", "hidden": 128}, "activation": "gelu", "init": "he", "norm": "layernorm", "residual": "plain"})"},
    {"mlp_plain",
     R"({"layer": {"kind": "mlp", "hidden": 32}, "activation": "relu", "init": "he"})"},
    {"swiglu",
     R"({"layer": {"kind": "mlp", "hidden": 64}, "activation": "swiglu", "init": "he", "norm": "rmsnorm", "residual": "plain"})"},
    {"relu_tokens", R"({"activation": "relu", "init": "he", "tokens": 4})"},
    {"tanh_tokens",
     R"({"activation": "tanh", "init": {"kind": "lecun", "gain": 1.5}, "tokens": 8})"},
};

class SimulatedBand : public ::testing::TestWithParam<Architecture> {};

TEST_P(SimulatedBand, AgreesWithTheBand) {
  constexpr int kDraws = 300;
  json config = {{"width", 64}, {"depth", 8}, {"seeds", {{"from", 1}, {"count", kDraws}}}};
  config.merge_patch(json::parse(GetParam().config));
  const Plan plan = testing::plan_of(config.dump());
  const auto& planned = static_cast<const DepthCase&>(*plan.cases.front().model);
  const MeanFieldBands& bands = planned.theory()->of(true).bands;
  ASSERT_EQ(bands.refusal, "");
  const Result result = run(plan, {2, 1e12});
  const auto expect_band = [&](const Band& band, const std::vector<double>& sizes,
                               const char* what) {
    double mean = 0, variance = 0;
    for (double v : sizes) mean += std::log(v) / kDraws;
    for (double v : sizes) variance += (std::log(v) - mean) * (std::log(v) - mean) / (kDraws - 1);
    const double deviation = std::sqrt(variance);
    // Four standard errors of 300 seeds: 4 / sqrt(300) and 4 / sqrt(600) deviations; beside them
    // 0.01 and a tenth, for what layer by layer moments leave out.
    EXPECT_NEAR(mean, band.mean, 0.231 * deviation + 0.01) << what;
    EXPECT_NEAR(deviation, band.deviation, (0.164 + 0.1) * deviation) << what;
  };
  std::vector<double> forward, gradient;
  for (const CaseResult& one : result.cases) {
    forward.push_back(one.column(kForwardColumn)->values.back());
    gradient.push_back(std::get<double>(*one.scalar("input_gradient_rms")));
  }
  expect_band(bands.forward.back(), forward, "forward");
  expect_band(bands.gradient.front(), gradient, "gradient");
}

INSTANTIATE_TEST_SUITE_P(Theory, SimulatedBand, ::testing::ValuesIn(kBandArchitectures),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace sigstab
