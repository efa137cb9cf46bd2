// Mean-field predictions of whole stacks against 30-digit recursions, their behaviour beyond the
// range of a double, what they refuse, and the bands of finite width.

#include "theory/theory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "base/named_table.hpp"
#include "kinds/depth_case.hpp"
#include "support/plan_of.hpp"
#include "support/reference_file.hpp"
#include "theory/mean_field.hpp"
#include "theory/preactivation.hpp"

namespace sigstab {
namespace {

using nlohmann::json;

Theory theory_of(const json& config, bool with_bands = false) {
  const Plan plan = testing::plan_of(config.dump());
  return predict(static_cast<const DepthCase&>(*plan.cases.front().model).model(), with_bands);
}
MeanFieldPrediction prediction_of(const json& config) { return theory_of(config).prediction; }
MeanFieldPrediction prediction_of(const char* config) { return prediction_of(json::parse(config)); }

Activation activation_named(const std::string& name) {
  Activation f{find_row(activation_table(), name), {}};
  for (std::size_t i = 0; i < f.row->parameters.size(); ++i) {
    f.parameters[i] = f.row->parameters[i].fallback;
  }
  return f;
}

void expect_relative(double ours, double want, double tolerance) {
  EXPECT_NEAR(ours, want, tolerance * std::fabs(want));
}

const json& reference() {
  static const json file = testing::reference_file("theory_reference.json");
  return file;
}

// --- golden -------------------------------------------------------------------------------------

TEST(Theory, FollowsPlainStacksOfFiftyLayers) {
  ASSERT_GE(reference()["stacks"].size(), 15U);
  for (const json& want : reference()["stacks"]) {
    SCOPED_TRACE(want.dump());
    const double spread = std::sqrt(want["sw2"].get<double>() / 512);
    const MeanFieldPrediction ours = prediction_of(json{
        {"activation", want["activation"]}, {"init", {{"kind", "normal"}, {"spread", spread}}}});
    ASSERT_EQ(ours.refusal, "");
    const std::size_t layers[] = {1, 2, 10, 50};
    for (std::size_t i = 0; i < 4; ++i) {
      expect_relative(std::exp(ours.layers[layers[i]].forward), want["forward"][i].get<double>(),
                      1e-10);
    }
    expect_relative(std::exp(ours.layers[0].gradient), want["gradient_at_input"].get<double>(),
                    1e-10);
    // Plain layers: the gradient of W is that at z times its input.
    const LayerPrediction &third = ours.layers[3], &second = ours.layers[2];
    expect_relative(std::exp(third.weight_gradients[0] + std::log(512.0) / 2 + std::log(spread)),
                    std::exp(second.gradient + second.forward), 1e-12);
  }
}

TEST(Theory, StaysAtTheEdgesOfChaos) {
  ASSERT_GE(reference()["fixed"].size(), 8U);
  for (const json& want : reference()["fixed"]) {
    SCOPED_TRACE(want.dump());
    // Started with the mean square at which the preactivation's is q.
    const double q = want["q"].get<double>(), sw2 = want["sw2"].get<double>();
    const double sb2 = want["sb2"].get<double>();
    const MeanFieldPrediction ours =
        prediction_of(json{{"activation", want["activation"]},
                           {"depth", 1},
                           {"input", {{"spread", std::sqrt((q - sb2) / sw2)}}},
                           {"init", {{"kind", "lecun"}, {"gain", std::sqrt(sw2)}}},
                           {"bias", {{"kind", "normal"}, {"spread", std::sqrt(sb2)}}}});
    expect_relative(2 * ours.layers[1].preactivation, std::log(q), 1e-12);
    expect_relative(std::exp(2 * ours.layers[1].forward), (q - sb2) / sw2, 1e-11);
    expect_relative(ours.last_multiplier, 1, 1e-11);
  }
}

TEST(Theory, KnowsBiasesThatAreNotNormal) {
  ASSERT_GE(reference()["biased"].size(), 6U);
  for (const json& want : reference()["biased"]) {
    SCOPED_TRACE(want.dump());
    const double spread = want["spread"].get<double>();
    const PreactivationLaw law{2 * std::log(spread), want["shift"].get<double>(),
                               want["limit"].get<double>()};
    const ActivationLaw ours =
        activation_law(activation_named(want["activation"].get<std::string>()), law);
    const auto moments = want["mean_second_slope"].get<std::vector<double>>();
    expect_relative(ours.mean_share * std::exp(ours.log_square / 2), moments[0], 1e-11);
    expect_relative(std::exp(ours.log_square), moments[1], 1e-11);
    expect_relative(std::exp(ours.log_slope_square), moments[2], 1e-11);
  }
}

TEST(Theory, FollowsTheCosineOfTwoTokens) {
  ASSERT_GE(reference()["pairs"].size(), 9U);
  for (const json& want : reference()["pairs"]) {
    SCOPED_TRACE(want.dump());
    const Activation f = activation_named(want["activation"].get<std::string>());
    const PreactivationLaw law{std::log(want["q"].get<double>()), 0, 0};
    EXPECT_NEAR(pair_share(f, law, want["correlation"].get<double>()), want["share"].get<double>(),
                1e-8);
  }
  // ReLU from orthogonal inputs. Source: Cho & Saul 2009, iterated.
  const MeanFieldPrediction relu =
      prediction_of(R"({"activation": "relu", "init": "he", "tokens": 2, "input": {"cosine": 0}})");
  EXPECT_NEAR(relu.layers[1].cosine, 0.318310, 1e-6);
  EXPECT_NEAR(relu.layers[2].cosine, 0.493731, 1e-6);
  EXPECT_NEAR(relu.layers[10].cosine, 0.871536, 1e-6);
  EXPECT_NEAR(relu.layers[50].cosine, 0.987862, 1e-6);
}

TEST(Theory, FollowsResidualStreams) {
  const json& tanh = reference()["tanh_residual"];
  const MeanFieldPrediction ours = prediction_of(
      R"({"activation": "tanh", "init": {"kind": "lecun", "gain": 0.5}, "residual": "plain"})");
  expect_relative(std::exp(ours.layers[50].forward), tanh["forward_last"].get<double>(), 1e-10);
  expect_relative(std::exp(ours.layers[0].gradient), tanh["gradient_at_input"].get<double>(),
                  1e-10);
  const auto stream = [&](const char* name, const json& config) {
    SCOPED_TRACE(name);
    const MeanFieldPrediction got = prediction_of(config);
    const auto sizes = reference()[name]["forward"].get<std::vector<double>>();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      expect_relative(std::exp(got.layers[i + 1].forward), sizes[i], 1e-10);
    }
    expect_relative(std::exp(got.layers[0].gradient),
                    reference()[name]["gradient_at_input"].get<double>(), 1e-10);
  };
  json gpt2 = json::parse(R"({"width": 256, "depth": 48, "activation": "gelu", "norm": "layernorm",
      "layer": "mlp", "init": {"kind": "normal", "spread": 0.02}, "input": {"spread": 0.02},
      "residual": "plain"})");
  stream("gpt2_stream", gpt2);
  gpt2["residual"] = "gpt2";
  stream("gpt2_scaled", gpt2);
  stream("rms_stream", json::parse(R"({"width": 128, "depth": 12, "activation": "gelu",
      "norm": {"kind": "rmsnorm", "eps": 0.3}, "layer": {"kind": "mlp", "hidden": 256},
      "init": {"kind": "normal", "spread": 0.1}, "residual": "plain"})"));
}

TEST(Theory, FollowsABlockWithANormAfterTheSum) {
  const auto block = [&](const char* name, const json& config) {
    SCOPED_TRACE(name);
    const json& want = reference()[name];
    const MeanFieldPrediction ours = prediction_of(config);
    expect_relative(std::exp(ours.layers[1].branch), want["branch_rms"].get<double>(), 1e-10);
    expect_relative(std::exp(ours.layers[1].forward), want["forward"].get<double>(), 1e-10);
    expect_relative(std::exp(ours.layers[0].gradient), want["gradient"].get<double>(), 1e-10);
  };
  block("post_block", json::parse(R"({"width": 256, "depth": 1, "activation": "gelu",
      "layer": "mlp", "init": "xavier", "residual": "plain",
      "norm": {"kind": "layernorm", "placement": "post"}})"));
  block("deepnorm_block", json::parse(R"({"width": 128, "depth": 1, "activation": "relu",
      "layer": "mlp", "init": "xavier", "residual": "deepnorm",
      "norm": {"kind": "layernorm", "placement": "post"}})"));
}

TEST(Theory, KnowsTheJacobiansOfNormsAtFiniteWidth) {
  ASSERT_EQ(reference()["norms"].size(), 6U);
  for (const json& want : reference()["norms"]) {
    SCOPED_TRACE(want.dump());
    // No branch: the gradient at the last layer is what the final norm passes back.
    const MeanFieldPrediction ours =
        prediction_of(json{{"width", 8},
                           {"depth", 1},
                           {"init", "zeros"},
                           {"residual", "plain"},
                           {"input", {{"values", want["values"]}}},
                           {"norm",
                            {{"kind", want["centred"].get<bool>() ? "layernorm" : "rmsnorm"},
                             {"placement", "none"},
                             {"final", true},
                             {"eps", want["eps"]}}}});
    expect_relative(std::exp(2 * ours.layers[1].gradient), want["mean_square"].get<double>(),
                    1e-12);
  }
}

// --- beyond a double ----------------------------------------------------------------------------

TEST(Theory, HasNumbersBeyondTheRangeOfADouble) {
  // Variance 1 in 512 units: a factor sqrt(512) a layer.
  const MeanFieldPrediction linear =
      prediction_of(R"({"depth": 3000, "init": {"kind": "normal", "spread": 1}})");
  expect_relative(linear.layers[3000].forward, 1500 * std::log(512.0), 1e-12);
  expect_relative(linear.layers[0].gradient, 1500 * std::log(512.0), 1e-12);
  const MeanFieldPrediction relu = prediction_of(R"({"depth": 20000, "activation": "relu"})");
  expect_relative(relu.layers[20000].forward, -10000 * std::log(2.0), 1e-12);
  // Silu is z/2 for the smallest sizes: a quarter of the mean square a layer, half of the gradient.
  const MeanFieldPrediction silu = prediction_of(R"({"depth": 1000, "activation": "silu"})");
  expect_relative(silu.layers[1000].forward - silu.layers[500].forward, -500 * std::log(2.0), 1e-9);
  expect_relative(silu.layers[500].gradient - silu.layers[1000].gradient, -500 * std::log(2.0),
                  1e-9);
}

TEST(Theory, JoinsItsFormulasBeyondTheRangeToQuadrature) {
  constexpr double kInside = 1.5e49, kBeyond = 1.5e51;
  for (const ActivationRow& row : activation_table()) {
    const Activation f = activation_named(std::string(row.name));
    for (double sign : {-1.0, 1.0}) {
      SCOPED_TRACE(std::string(row.name) + (sign > 0 ? " large" : " small"));
      const double step = sign * 2 * std::log(kBeyond / kInside);
      const PreactivationLaw inside{sign * 2 * std::log(kInside), 0, 0};
      const PreactivationLaw beyond{inside.log_variance + step, 0, 0};
      const ActivationLaw a = activation_law(f, inside), b = activation_law(f, beyond);
      // A power of the size, of the same exponent on both sides of the border.
      const double power = (b.log_square - a.log_square) / step;
      EXPECT_NEAR(power, std::round(2 * power) / 2, 1e-12);
      EXPECT_NEAR(b.mean_share, a.mean_share, 1e-12);
      const double slope = (b.log_slope_square - a.log_slope_square) / step;
      EXPECT_NEAR(slope, std::round(2 * slope) / 2, 1e-12);
    }
  }
}

// --- what is refused ----------------------------------------------------------------------------

TEST(Theory, RefusesWhatItsAssumptionsDoNotHoldFor) {
  EXPECT_NE(prediction_of(R"({"init": "identity"})").refusal, "");
  EXPECT_NE(prediction_of(R"({"init": "ones"})").refusal, "");
  EXPECT_NE(prediction_of(R"({"width": 64, "init": {"kind": "sparse", "sparsity": 0.9}})").refusal,
            "");
  EXPECT_EQ(prediction_of(R"({"init": "zeros", "residual": "plain"})").refusal, "");
  EXPECT_NE(
      prediction_of(R"({"width": 2, "tokens": 2, "input": {"values": [1, 2, 3, 4]}})").refusal, "");
  const MeanFieldPrediction loss = prediction_of(
      R"({"upstream": {"kind": "cross_entropy", "classes": 10}, "activation": "relu"})");
  EXPECT_TRUE(std::isnan(loss.layers[0].gradient));
  EXPECT_FALSE(std::isnan(loss.layers[50].forward));
  ASSERT_EQ(loss.notes.size(), 1U);
}

// --- finite width -------------------------------------------------------------------------------

TEST(Bands, OfLinearStacksFollowTheExactLaw) {
  for (const json& want : reference()["linear_law"]) {
    SCOPED_TRACE(want.dump());
    const std::int64_t width = want["width"].get<std::int64_t>();
    const std::int64_t depth = want["depth"].get<std::int64_t>();
    const Band exact = linear_stack_law(width, depth);
    expect_relative(exact.mean, want["mean"].get<double>(), 1e-11);
    expect_relative(exact.deviation, want["deviation"].get<double>(), 1e-12);
    if (width < 16) continue;
    const MeanFieldBands bands = theory_of(json{{"width", width}, {"depth", depth}}, true).bands;
    const auto last = static_cast<std::size_t>(depth);
    // 2000 chains: the mean to 4 deviations / sqrt(2000), the deviation to 4 / sqrt(4000); the
    // input and the upstream gradient have a variance of their own.
    const double own = 1 / (2 * static_cast<double>(width));
    const double deviation = std::sqrt(exact.deviation * exact.deviation + own);
    for (const Band& band : {bands.forward[last], bands.gradient[0]}) {
      EXPECT_NEAR(band.mean, exact.mean - own, 0.09 * exact.deviation);
      EXPECT_NEAR(band.deviation, deviation, 0.065 * exact.deviation);
      EXPECT_NEAR(band.quantiles[4] - band.quantiles[0], 2 * 1.96 * deviation,
                  0.15 * exact.deviation * 4);
    }
  }
}

// Mean and deviation of ln RMS forward and back of 3000 matrix-free simulations of every unit, at
// width 64 after 20 layers.
struct Simulated {
  const char* activation;
  double sw2, forward_mean, forward_deviation, gradient_mean, gradient_deviation;
};

TEST(Bands, AgreeWithSimulationsOfEveryUnit) {
  for (const Simulated& want : {Simulated{"relu", 2, -0.397, 0.651, -0.402, 0.656},
                                Simulated{"linear", 1, -0.166, 0.405, -0.156, 0.394},
                                Simulated{"gelu", 2.35172, 0.26, 1.71, 0.95, 1.34}}) {
    SCOPED_TRACE(want.activation);
    const MeanFieldBands bands =
        theory_of(json{{"width", 64},
                       {"depth", 20},
                       {"activation", want.activation},
                       {"init", {{"kind", "lecun"}, {"gain", std::sqrt(want.sw2)}}}},
                  true)
            .bands;
    ASSERT_EQ(bands.refusal, "");
    EXPECT_NEAR(bands.forward[20].mean, want.forward_mean, 0.12 * want.forward_deviation);
    EXPECT_NEAR(bands.forward[20].deviation, want.forward_deviation, 0.08 * want.forward_deviation);
    EXPECT_NEAR(bands.gradient[0].mean, want.gradient_mean, 0.12 * want.gradient_deviation);
    EXPECT_NEAR(bands.gradient[0].deviation, want.gradient_deviation,
                0.08 * want.gradient_deviation);
  }
}

TEST(Bands, AreRefusedForOrthogonalWeights) {
  EXPECT_NE(theory_of(json{{"init", "orthogonal"}}, true).bands.refusal, "");
  EXPECT_NE(theory_of(json{{"init", "identity"}}, true).bands.refusal, "");
}

}  // namespace
}  // namespace sigstab
