// Gains, fixed points and edges of chaos against 30-digit arithmetic, and where there are none.

#include "theory/fixed_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/named_table.hpp"
#include "math/root.hpp"
#include "support/reference_file.hpp"
#include "theory/gains.hpp"

namespace sigstab {
namespace {

using nlohmann::json;

// "tanh", or "leaky_relu:negative_slope=0.2" for its only parameter.
Activation activation(const std::string& label) {
  const std::string name = label.substr(0, label.find(':'));
  Activation f{find_row(activation_table(), name), {}};
  std::ranges::transform(f.row->parameters, f.parameters.begin(), &Parameter::fallback);
  if (name != label) f.parameters[0] = std::stod(label.substr(label.find('=') + 1));
  return f;
}
SizeMap map_of(const std::string& label) { return SizeMap(activation(label)); }

void expect_close(double ours, const json& want, double relative, const char* what) {
  EXPECT_NEAR(ours, want.get<double>(), relative * std::fabs(want.get<double>())) << what;
}

TEST(Root, IsFoundToTheLastDigits) {
  EXPECT_NEAR(root_between([](double x) { return std::cos(x) - x; }, 0, 1), 0.73908513321516064,
              1e-15);
  EXPECT_NEAR(root_between([](double x) { return std::pow(x, 9); }, -1, 1.5), 0, 1e-15);
  EXPECT_NEAR(root_between([](double x) { return x < 0.3 ? -1.0 : 1e9; }, 0, 1), 0.3, 1e-15);
  EXPECT_EQ(root_between([](double x) { return x - 2; }, 2, 5), 2);
  EXPECT_NEAR(root_between([](double x) { return std::exp(-x) - 1e-30; }, 0, 1e3),
              30 * std::numbers::ln10, 1e-12);
}

TEST(Gains, AreThoseOfHighPrecisionArithmetic) {
  const json reference = testing::reference_file("gains_reference.json");
  ASSERT_GE(reference["gains"].size(), 27U);
  for (const json& want : reference["gains"]) {
    const auto name = want["name"].get<std::string>();
    const double size = want["size"].get<double>();
    SCOPED_TRACE(name + " at size " + std::to_string(size));
    const SizeMap map = map_of(name);
    const double second = want["second_moment"].get<double>();
    EXPECT_NEAR(mean_output(activation(name), size), want["mean"].get<double>(),
                1e-13 * std::sqrt(second));
    expect_close(std::exp(map.at(std::log(size)).second), want["second_moment"], 1e-13, "E f^2");
    expect_close(std::exp(map.at(std::log(size)).slope_second), want["slope_second_moment"], 1e-13,
                 "E f'^2");
    const double gain = preactivation_gain(map, size);
    expect_close(gain, want["preactivation_gain"], 1e-13, "preactivation gain");
    expect_close(backward_gain(map, size), want["backward_gain"], 1e-13, "backward gain");
    const FixedPoint point = fixed_point_at(map, {gain * gain}, size);
    expect_close(point.chi_1, want["chi_1"], 1e-13, "chi_1");
    expect_close(point.size_slope, want["size_slope"], 1e-12, "size slope");
    const std::optional<double> output = output_gain(map, size);
    ASSERT_EQ(output.has_value(), !want["output_gain"].is_null());
    if (output) expect_close(*output, want["output_gain"], 1e-12, "output gain");
  }
}

TEST(Gains, OfTheOutputAreSearchedForAsFarAsNeedBe) {
  EXPECT_NEAR(*output_gain(map_of("leaky_relu:negative_slope=1e100"), 1) / 1e-100,
              std::numbers::sqrt2, 1e-11);
  EXPECT_NEAR(*output_gain(map_of("sigmoid"), 0.49), 56.9328569621254, 1e-8);  // mpmath
  EXPECT_EQ(output_gain(map_of("sigmoid"), 0.5), std::nullopt);
  EXPECT_EQ(output_gain(map_of("sigmoid"), 0.2), std::nullopt);  // E f^2 is never below 1/4
  EXPECT_EQ(output_gain(map_of("hardtanh"), 1), std::nullopt);
}

TEST(Gains, CoverEveryActivationThatIsNoGate) {
  const json reference = testing::reference_file("gains_reference.json");
  for (const ActivationRow& row : activation_table()) {
    if (row.gated) continue;
    EXPECT_TRUE(std::ranges::any_of(reference["gains"], [&](const json& entry) {
      return entry["name"] == row.name;
    })) << row.name;
  }
}

TEST(Gains, SizesAfterFiftyLayersAreThoseOfHighPrecisionArithmetic) {
  const json reference = testing::reference_file("gains_reference.json");
  ASSERT_EQ(reference["sizes"].size(), 15U);
  for (const json& want : reference["sizes"]) {
    SCOPED_TRACE(want.dump());
    const SizeMap map = map_of(want["name"].get<std::string>());
    const PassSizes sizes =
        sizes_after(map, {want["weights"].get<double>()}, 1, want["depth"].get<std::int64_t>());
    // Errors of a layer's moments add up, and where the fixed point is unstable they grow.
    expect_close(std::exp(sizes.log_forward), want["forward_rms"], 1e-10, "forward");
    expect_close(std::exp(sizes.log_input_gradient), want["input_gradient_rms"], 1e-10, "gradient");
  }
}

TEST(Gains, SizesBeyondTheRangeOfADoubleArePowers) {
  // relu^2: E f^2 = 1.5 q^2, so that ln p' = ln 1.5 + 2 ln p for weights 1.
  const PassSizes squared = sizes_after(map_of("relu_squared"), {1}, 0.5, 30);
  const double want = std::exp2(30) * std::log(0.5) + (std::exp2(30) - 1) * std::log(1.5);
  EXPECT_NEAR(2 * squared.log_forward, want, 1e-12 * std::fabs(want));
  const PassSizes linear = sizes_after(map_of("linear"), {512}, 1, 10000);
  EXPECT_NEAR(linear.log_forward, 5000 * std::log(512.0), 1e-8);
  EXPECT_NEAR(linear.log_input_gradient, 5000 * std::log(512.0), 1e-8);
}

TEST(Gains, OfTorchAreWhatTorchHas) {
  EXPECT_EQ(torch_gain(activation("linear")), 1);
  EXPECT_EQ(torch_gain(activation("sigmoid")), 1);
  EXPECT_EQ(torch_gain(activation("tanh")), 5.0 / 3);
  EXPECT_EQ(torch_gain(activation("relu")), std::numbers::sqrt2);
  EXPECT_EQ(torch_gain(activation("selu")), 0.75);
  EXPECT_NEAR(*torch_gain(activation("leaky_relu:negative_slope=0.2")), std::sqrt(2 / 1.04), 1e-15);
  EXPECT_EQ(torch_gain(activation("gelu")), std::nullopt);
}

TEST(FixedPoint, AreThoseOfHighPrecisionArithmetic) {
  const json reference = testing::reference_file("gains_reference.json");
  ASSERT_EQ(reference["fixed_points"].size(), 6U);
  for (const json& want : reference["fixed_points"]) {
    SCOPED_TRACE(want.dump());
    const SizeMap map = map_of(want["name"].get<std::string>());
    const LayerVariances layer{want["weights"].get<double>(), want["biases"].get<double>()};
    const FixedPoints found = fixed_points(map, layer);
    const auto point = std::ranges::min_element(found.points, {}, [&](const FixedPoint& p) {
      return std::fabs(p.q - want["q"].get<double>());
    });
    ASSERT_NE(point, found.points.end());
    expect_close(point->q, want["q"], 1e-11, "q");
    expect_close(point->chi_1, want["chi_1"], 1e-11, "chi_1");
    expect_close(point->size_slope, want["size_slope"], 1e-11, "size slope");
    EXPECT_NEAR(log_growth(map, layer, std::log(point->q)), 0, 1e-14);
  }
}

TEST(FixedPoint, AreNoneOneOrEveryWhereThatIsSo) {
  EXPECT_TRUE(fixed_points(map_of("relu"), {2}).every);
  EXPECT_TRUE(fixed_points(map_of("linear"), {1}).every);
  const FixedPoints shrinking = fixed_points(map_of("relu"), {1.9});
  EXPECT_FALSE(shrinking.every);
  EXPECT_TRUE(shrinking.points.empty());
  EXPECT_TRUE(shrinking.zero);
  EXPECT_NEAR(shrinking.zero_slope, 0.95, 1e-12);
  // ReLU with biases: q = 0.95 q + 0.1.
  const FixedPoints biased = fixed_points(map_of("relu"), {1.9, 0.1});
  ASSERT_EQ(biased.points.size(), 1U);
  EXPECT_NEAR(biased.points[0].q, 2, 1e-11);
  EXPECT_FALSE(biased.zero);
  // tanh at its critical point only creeps to 0.
  EXPECT_TRUE(fixed_points(map_of("tanh"), {1}).points.empty());
  // GELU can hold one size and lose smaller ones: Q(q) - q changes its sign twice with biases.
  EXPECT_EQ(fixed_points(map_of("gelu"), {2.2, 0.05}).points.size(), 2U);
}

TEST(FixedPoint, SizesMoveToTheNextOne) {
  const SizeMap tanh = map_of("tanh"), gelu = map_of("gelu"), relu = map_of("relu");
  const Limit up = limit_from(tanh, {2}, std::log(1e-6)), down = limit_from(tanh, {2}, 5);
  EXPECT_EQ(up.fate, Fate::fixed_point);
  EXPECT_NEAR(up.q, down.q, 1e-11);
  EXPECT_EQ(limit_from(tanh, {0.9}, 0).fate, Fate::vanishes);
  EXPECT_EQ(limit_from(relu, {2}, 3).fate, Fate::stays);
  EXPECT_EQ(limit_from(relu, {2.1}, 3).fate, Fate::grows);
  const double held = std::log(2.15505706);  // unstable: above it sizes grow, below they vanish
  EXPECT_EQ(limit_from(gelu, {2.15505706}, held + 0.01).fate, Fate::grows);
  EXPECT_EQ(limit_from(gelu, {2.15505706}, held - 0.01).fate, Fate::vanishes);
}

// What limit_from builds on.
TEST(FixedPoint, SizesGrowWithSizesForEveryActivation) {
  for (const ActivationRow& row : activation_table()) {
    const SizeMap map = map_of(std::string(row.name));
    for (double log_q = -40; log_q < std::fmin(40, map.search_end()); log_q += 1) {
      EXPECT_GE(map.at(log_q + 1).second, map.at(log_q).second - 1e-13) << row.name << log_q;
    }
  }
}

TEST(FixedPoint, MomentsContinueAsPowers) {
  const SizeMap relu = map_of("relu"), tanh = map_of("tanh"), sin = map_of("sin");
  EXPECT_NEAR(relu.at(1e6).second, 1e6 - std::numbers::ln2, 1e-6);
  EXPECT_NEAR(tanh.at(-1e6).second, -1e6, 1e-6);
  EXPECT_NEAR(tanh.at(1e6).second, 0, 1e-9);
  // E f'^2 -> 4/3 / sqrt(2 pi q): a spike of width 1 / sqrt(q).
  EXPECT_NEAR(tanh.at(1e6).slope_second,
              std::log(4.0 / 3 / std::sqrt(2 * std::numbers::pi)) - 0.5e6, 1e-6);
  EXPECT_NEAR(sin.at(1e6).second, -std::numbers::ln2, 1e-7);
  EXPECT_NEAR(relu.growth(2), 1, 1e-13);
  EXPECT_NEAR(relu.growth(-1000), 1, 1e-12);
}

TEST(EdgeOfChaos, IsThatOfHighPrecisionArithmetic) {
  const json reference = testing::reference_file("gains_reference.json");
  ASSERT_EQ(reference["edges"].size(), 36U);
  for (const json& want : reference["edges"]) {
    SCOPED_TRACE(want.dump());
    const SizeMap map = map_of(want["name"].get<std::string>());
    const Edge edge = edge_of_chaos(map, want["biases"].get<double>());
    ASSERT_EQ(edge.points.size(), 1U);
    const EdgePoint& point = edge.points[0];
    expect_close(point.q, want["q"], 1e-11, "q");
    expect_close(point.weights, want["weights"], 1e-11, "weights");
    expect_close(point.size_slope, want["size_slope"], 1e-11, "size slope");
    const LayerVariances layer{point.weights, point.biases};
    EXPECT_NEAR(chi_1(map, layer, std::log(point.q)), 1, 1e-13);
    EXPECT_NEAR(log_growth(map, layer, std::log(point.q)), 0, 1e-13);
  }
}

TEST(EdgeOfChaos, WithoutBiasesIsAtSizeZeroOrEverywhere) {
  for (const auto& [name, weights] : {std::pair{"tanh", 1.0},
                                      {"erf", std::numbers::pi / 4},
                                      {"gelu", 4.0},
                                      {"silu", 4.0},
                                      {"sin", 1.0}}) {
    const Edge edge = edge_of_chaos(map_of(name), 0);
    ASSERT_EQ(edge.points.size(), 1U) << name;
    EXPECT_NEAR(edge.points[0].weights, weights, 1e-11) << name;
    EXPECT_EQ(edge.points[0].q, 0) << name;
  }
  const Edge leaky = edge_of_chaos(map_of("leaky_relu:negative_slope=0.2"), 0);
  EXPECT_TRUE(leaky.every);
  EXPECT_NEAR(leaky.weights, 2 / 1.04, 1e-12);
}

TEST(EdgeOfChaos, IsMissingWhereThereIsNone) {
  EXPECT_TRUE(edge_of_chaos(map_of("relu"), 0.1).points.empty());
  EXPECT_FALSE(edge_of_chaos(map_of("relu"), 0.1).every);
  for (double biases : {0.0, 0.1}) {
    EXPECT_TRUE(edge_of_chaos(map_of("softplus"), biases).points.empty()) << biases;
  }
  // relu^2: q - E f^2 / E f'^2 = q / 4 at any q.
  const Edge squared = edge_of_chaos(map_of("relu_squared"), 0.1);
  ASSERT_EQ(squared.points.size(), 1U);
  EXPECT_NEAR(squared.points[0].q, 0.4, 1e-11);
}

TEST(DepthScale, IsTheDepthOfAFactorE) {
  EXPECT_NEAR(depth_scale(0.880164), 7.834, 1e-3);
  EXPECT_NEAR(depth_scale(std::exp(-0.1)), 10, 1e-12);
  EXPECT_NEAR(depth_scale(std::exp(0.1)), 10, 1e-12);
}

}  // namespace
}  // namespace sigstab
