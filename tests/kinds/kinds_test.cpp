// Kinds of experiment other than the depth stack: what they compute, against closed forms, and what
// they refuse.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "net/init.hpp"
#include "random/generators.hpp"
#include "run/run.hpp"
#include "support/bad_config.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::BadConfig;
using testing::plan_of;

Result result_of(const std::string& config) { return run(plan_of(config), {2, 1e12}); }
CaseResult only(const std::string& config) { return result_of(config).cases.at(0); }
double scalar(const CaseResult& one, std::string_view name) {
  return std::get<double>(*one.scalar(name));
}
const std::vector<double>& column(const CaseResult& one, std::string_view name) {
  return one.column(name)->values;
}

TEST(Compounding, RaisesAGivenGainToThePowerOfTheLayer) {
  const CaseResult one = only(R"({"experiment": "compounding", "gain": 3, "depth": 4})");
  EXPECT_EQ(column(one, "size"), (std::vector<double>{3, 9, 27, 81}));
  EXPECT_EQ(scalar(one, "mean_square_gain"), 9);
  EXPECT_EQ(one.column("gradient_size"), nullptr);
}

TEST(Compounding, TakesTheGainOfALayer) {
  const CaseResult linear = only(
      R"({"experiment": "compounding", "width": 64, "init": {"kind": "normal", "spread": 0.25}, "depth": 2})");
  EXPECT_NEAR(scalar(linear, "mean_square_gain"), 4, 1e-12);
  EXPECT_NEAR(column(linear, "size")[1], 4, 1e-12);
  const CaseResult leaky = only(
      R"({"experiment": "compounding", "init": "he", "activation": {"kind": "leaky_relu", "negative_slope": 0.5}})");
  EXPECT_NEAR(scalar(leaky, "mean_square_gain"), 1.25, 1e-12);  // (1 + 1/4) / 2 of 2
  EXPECT_NEAR(scalar(leaky, "mean_square_backward_gain"), 1.25, 1e-12);
  // erf: E f^2 = (2/pi) asin(2q / (1 + 2q)), E f'^2 = (4/pi) / sqrt(1 + 4q), here at q = 4.
  const CaseResult erf = only(
      R"({"experiment": "compounding", "init": {"kind": "lecun", "gain": 2}, "activation": "erf"})");
  EXPECT_NEAR(scalar(erf, "mean_square_gain"), 2 / std::numbers::pi * std::asin(8.0 / 9), 1e-12);
  EXPECT_NEAR(scalar(erf, "mean_square_backward_gain"), 4 * 4 / std::numbers::pi / std::sqrt(17.0),
              1e-12);
}

TEST(VarianceRules, CountsEveryOutcome) {
  const CaseResult dice = only(
      R"({"experiment": "variance_rules", "values": [1, 2, 3, 4, 5, 6], "factor": 2, "copies": 3})");
  EXPECT_EQ(dice.rows(), 216);
  EXPECT_NEAR(scalar(dice, "mean"), 21, 1e-12);
  EXPECT_NEAR(scalar(dice, "variance"), 35, 1e-12);  // 3 x 4 x 35/12
  EXPECT_NEAR(scalar(dice, "variance_by_rule"), 35, 1e-12);
  EXPECT_EQ(column(dice, "sum")[0], 6);
  EXPECT_EQ(column(dice, "sum")[1], 8);  // the last die moves first
  EXPECT_EQ(column(dice, "sum")[6], 8);
  EXPECT_EQ(column(dice, "squared_distance")[0], 225);
}

TEST(ActivationMoments, GivesARowForEveryVariance) {
  const CaseResult relu =
      only(R"({"experiment": "activation_moments", "activation": "relu", "variances": [1, 4]})");
  EXPECT_NEAR(column(relu, "second_moment")[1], 2, 1e-12);
  EXPECT_NEAR(column(relu, "mean")[1], 2 / std::sqrt(2 * std::numbers::pi), 1e-12);
  EXPECT_NEAR(column(relu, "forward_gain")[1], std::numbers::sqrt2, 1e-12);
  EXPECT_EQ(column(relu, "value_at_spread")[1], 2);
  EXPECT_EQ(scalar(relu, "largest_slope"), 1);
}

TEST(InitSpreads, TellsWhatIsDrawn) {
  const CaseResult one = only(R"({"experiment": "init_spreads", "init": "xavier_uniform",
      "fan_in": [300, 40], "fan_out": [100, 60]})");
  EXPECT_NEAR(column(one, "variance")[0], 2.0 / 400, 1e-15);
  EXPECT_NEAR(column(one, "limit")[1], std::sqrt(6.0 / 100), 1e-15);
  EXPECT_NEAR(column(one, "variance_by_limit")[1], 1.0 / 3, 1e-15);
  EXPECT_NEAR(column(one, "fan_in_variance")[1], 0.8, 1e-14);
  EXPECT_NEAR(column(one, "fan_out_variance")[1], 1.2, 1e-14);
  // The RMS of n uniforms is off by a share of 1/sqrt(5 n): 0.26% for 30,000, times 4.
  EXPECT_NEAR(column(one, "drawn_spread")[0] / column(one, "spread")[0], 1, 0.0104);
  EXPECT_LT(column(one, "drawn_largest")[0], column(one, "limit")[0]);
  EXPECT_GT(column(one, "drawn_largest")[0], 0.99 * column(one, "limit")[0]);
}

TEST(InitSpreads, DrawsWhatADepthStackWouldOfEveryGenerator) {
  for (const char* generator : {"philox", "numpy", "torch"}) {
    for (const char* init : {"he", "torch_default", "orthogonal"}) {
      const std::string config = std::string(R"({"experiment": "init_spreads", "fan_in": [300, 70],
          "random": {"generator": ")") +
                                 generator + R"(", "seed": 5}, "init": ")" + init + "\"}";
      const Result result = result_of(config);
      const auto stream = find_row(kGenerators, generator)->make(Seed(5), "", "");
      for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t width = i == 0 ? 300 : 70;
        Init drawn{find_row(init_table(), init), {}, 1, find_row(init_table(), init)->mode};
        Matrix<double> w(width, width);
        draw_weights(drawn, Layout::out_in, 1,
                     {TensorId::kWeights, static_cast<std::uint32_t>(i + 1)}, *stream, w.view());
        double sum = 0, largest = 0;
        for (double v : w.all()) {
          sum += v * v;
          largest = std::fmax(largest, std::fabs(v));
        }
        EXPECT_NEAR(column(result.cases[0], "drawn_variance")[i],
                    sum / static_cast<double>(width * width), 1e-12)
            << generator << " " << init;
        EXPECT_EQ(column(result.cases[0], "drawn_largest")[i], largest) << generator << " " << init;
      }
    }
  }
}

TEST(InitSpreads, ScalesTheLastMatrixOfABranch) {
  const CaseResult one = only(R"({"experiment": "init_spreads", "residual": "gpt2", "depth": 16,
      "init": {"kind": "normal", "spread": 0.02}})");
  EXPECT_NEAR(column(one, "spread")[0], 0.005, 1e-15);
  EXPECT_NEAR(column(one, "drawn_spread")[0], 0.005, 0.005 * 4 / 724);
}

TEST(AlignedUpdate, GrowsWithTheWidthWhileARandomLayerDoesNot) {
  const Result result =
      result_of(R"({"experiment": "aligned_update", "widths": [64, 256], "step": 0.5,
      "seeds": {"from": 0, "count": 200}})");
  double effect = 0, square = 0, dot = 0;
  for (const CaseResult& one : result.cases) {
    effect += column(one, "effect")[1] / 200;
    square += std::pow(column(one, "random_rms")[1], 2) / 200;
    dot += column(one, "aligned_dot")[1] / 200;
  }
  // Standard deviations over 200 seeds: 0.5 sqrt(256 (1 - 2/pi) / 200) = 0.34, sqrt(2 / 64 / 200)
  // and the input's own sqrt(2 / 256 / 200) = 0.014, sqrt(2 x 256 / 200) = 1.6; four of each.
  EXPECT_NEAR(effect, 0.5 * 256 * std::sqrt(2 / std::numbers::pi), 4 * 0.34);
  EXPECT_NEAR(square, 1, 4 * 0.014);
  EXPECT_NEAR(dot, 256, 4 * 1.6);
  const CaseResult& one = result.cases[0];
  EXPECT_NEAR(scalar(one, "effect_slope"),
              std::log(column(one, "effect")[1] / column(one, "effect")[0]) / std::log(4.0), 1e-12);
  EXPECT_EQ(scalar(one, "adam_rate_exponent"), -scalar(one, "effect_slope"));
  EXPECT_EQ(scalar(one, "output_variance_exponent"), -2 * scalar(one, "effect_slope"));
}

TEST(AlignedUpdate, FollowsTheInitAndHasNoSlopeOfOneWidth) {
  const std::string base = R"({"experiment": "aligned_update", "widths": [128], "init": )";
  const CaseResult lecun = only(base + R"("lecun"})"), twice = only(base + R"({"gain": 2}})");
  EXPECT_NEAR(column(twice, "random_rms")[0], 2 * column(lecun, "random_rms")[0], 1e-12);
  EXPECT_EQ(column(twice, "effect")[0], column(lecun, "effect")[0]);
  EXPECT_TRUE(std::isnan(scalar(lecun, "effect_slope")));
}

TEST(AlignedUpdate, DrawsOnlyThePartOfTheLayerThatItNeeds) {
  const auto text = [](const char* outputs, const char* generator) {
    return std::string(R"({"experiment": "aligned_update", "widths": [96, 200], "outputs": )") +
           outputs + R"(, "random": ")" + generator + "\"}";
  };
  for (const char* generator : {"philox", "numpy", "torch"}) {
    const CaseResult few = only(text("1", generator)), many = only(text("96", generator));
    EXPECT_EQ(column(few, "effect"), column(many, "effect")) << generator;
    EXPECT_NE(column(few, "random_rms"), column(many, "random_rms")) << generator;
  }
}

TEST(NormArithmetic, HasTheJacobiansOfBothNorms) {
  const CaseResult one =
      only(R"({"experiment": "norm_arithmetic", "values": [4, -2, 6, 4], "eps": 0.5})");
  // J = (I - [1 1'/d] - y y'/d) / D for both, the part in brackets for layernorm only.
  for (const char* norm : {"layernorm", "rmsnorm"}) {
    const bool centred = std::string_view(norm) == "layernorm";
    const std::vector<double>& y = column(one, norm);
    const double denominator = std::sqrt((centred ? 9 : 18) + 0.5);
    for (std::size_t i = 0; i < 4; ++i) {
      double square = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        const double entry =
            ((i == j ? 1 : 0) - (centred ? 0.25 : 0) - y[i] * y[j] / 4) / denominator;
        square += entry * entry;
      }
      EXPECT_NEAR(column(one, std::string(norm) + "_jacobian")[i], std::sqrt(square), 1e-14)
          << norm;
    }
  }
}

const BadConfig kBadKinds[] = {
    {"gain beside a layer", R"({"experiment": "compounding", "gain": 2, "width": 4})", ": /width",
     "gain", "one of the two"},
    {"negative gain", R"({"experiment": "compounding", "gain": -1})", ": /gain", ">= 0", ""},
    {"a key of another kind", R"({"experiment": "compounding", "tokens": 2})", ": /tokens",
     "unknown key", "known"},
    {"a layer's parameter", R"({"experiment": "compounding", "init": "normal"})", ": /init",
     "spread", "add"},
    {"seeds where nothing is drawn", R"({"experiment": "compounding", "seeds": [1]})", ": /seeds",
     "draws nothing", "remove"},
    {"too many outcomes", R"({"experiment": "variance_rules", "copies": 20})", ": /copies",
     "1.05e+06 outcomes", "fewer"},
    {"no copies", R"({"experiment": "variance_rules", "copies": 0})", ": /copies", "[1, 1000]", ""},
    {"no values", R"({"experiment": "variance_rules", "values": []})", ": /values", "list", ""},
    {"variance 0", R"({"experiment": "activation_moments", "variances": [1, 0]})", ": /variances/1",
     "number", ""},
    {"activation unknown", R"({"experiment": "activation_moments", "activation": "rleu"})",
     ": /activation", "rleu", "did you mean \"relu\""},
    {"fans of unequal number",
     R"({"experiment": "init_spreads", "fan_in": [1, 2], "fan_out": [1]})", ": /fan_out",
     "1 numbers beside 2", "as many"},
    {"half a fan", R"({"experiment": "init_spreads", "fan_in": [1.5]})", ": /fan_in/0",
     "whole number & 1.5", "round"},
    {"fan 0", R"({"experiment": "init_spreads", "fan_in": [0]})", ": /fan_in/0", "[1, 1048576]",
     ""},
    {"a depth without a residual", R"({"experiment": "init_spreads", "depth": 7})", ": /depth",
     "without a residual", "gpt2"},
    {"an order where there is none",
     R"({"experiment": "init_spreads", "random": {"generator": "torch", "reseed": true}})",
     ": /random/reseed", "unknown key", "seed"},
    {"a seed that torch does not take",
     R"({"experiment": "init_spreads", "random": {"generator": "torch", "seed": "99999999999999999999"}})",
     ": /random/seed", "torch takes", "numpy"},
    {"a seed of several that philox does not take",
     R"({"experiment": "aligned_update", "seeds": ["99999999999999999999"]})", ": /seeds",
     "philox takes", "numpy"},
    {"more outputs than width", R"({"experiment": "aligned_update", "widths": [8], "outputs": 9})",
     ": /outputs", "width 8 has no 9", "at most"},
    {"half a width", R"({"experiment": "aligned_update", "widths": [8.5]})", ": /widths/0",
     "whole number", "round"},
};

TEST(BadConfig, WrongKindsAreRefused) { testing::check_all(kBadKinds); }

}  // namespace
}  // namespace sigstab
