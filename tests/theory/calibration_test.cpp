// Whether z-scores are what they say: over 1,000 seeds each of 20 stacks, width 64, the sizes of
// the last layer and of the gradient at the input fall into theory's bands as often as they should.
// Release builds only: some billions of draws.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kinds/depth_case.hpp"
#include "run/run.hpp"
#include "support/plan_of.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kSeeds = 1000;

struct Stack {
  const char* keys;
  // Whether the gradient's band is exact enough. The weights that a gradient comes back through are
  // those of the forward pass; what that adds for curved activations, of order depth/width, theory
  // leaves out: at this width a quarter of a deviation for GELU, SiLU and SELU.
  bool gradient = true;
};

const Stack kStacks[] = {
    {R"("depth": 20, "init": "lecun")"},
    {R"("depth": 20, "activation": "relu", "init": "he")"},
    {R"("depth": 10, "activation": "relu", "init": "lecun")"},
    {R"("depth": 20, "activation": "leaky_relu", "init": "he")"},
    {R"("depth": 20, "activation": "tanh", "init": {"gain": 1.5})"},
    {R"("depth": 12, "activation": "erf", "init": {"gain": 1.2})"},
    {R"("depth": 10, "activation": "gelu", "init": "he")", false},
    {R"("depth": 8, "activation": "silu", "init": "he")", false},
    {R"("depth": 10, "activation": "sigmoid", "init": {"gain": 4})"},
    {R"("depth": 15, "activation": "selu", "init": "lecun")", false},
    {R"("depth": 10, "activation": "relu", "init": "he_uniform")"},
    {R"("depth": 10, "activation": "relu", "init": "torch_default", "bias": "torch_default")"},
    {R"("depth": 20, "activation": "tanh", "residual": "plain", "init": {"gain": 0.5})"},
    {R"("depth": 8, "layer": "mlp", "activation": "gelu", "residual": "plain",
        "norm": "layernorm")"},
    {R"("depth": 8, "layer": "mlp", "activation": "relu", "residual": "plain",
        "norm": "rmsnorm")"},
    {R"("depth": 8, "layer": "mlp", "activation": "gelu", "residual": "gpt2",
        "norm": "layernorm")"},
    {R"("depth": 6, "layer": "mlp", "activation": "swiglu", "residual": "plain",
        "norm": "rmsnorm")"},
    {R"("depth": 8, "layer": "mlp", "activation": "relu", "residual": "deepscale_lm")"},
    {R"("depth": 8, "layer": "mlp", "activation": "tanh", "residual": "plain",
        "norm": {"kind": "layernorm", "placement": "sandwich"})"},
    {R"("depth": 16, "init": {"kind": "truncated_normal", "spread": 0.125},
        "activation": "relu")"}};

std::string config_of(const std::string& stack) {
  return R"({"width": 64, "dtype": "float32", "seeds": {"from": 0, "count": )" +
         std::to_string(kSeeds) + "}, " + stack + "}";
}

// Which standard normal lies as far within its law as a size lies within the band: linear between
// the band's quantiles, and beyond the outer ones.
double z_of(const Band& band, double log_size) {
  constexpr std::array<double, 5> kScores = {-1.959963984540054, -0.994457883209753, 0,
                                             0.994457883209753, 1.959963984540054};
  std::size_t i = 0;
  while (i + 2 < kScores.size() && log_size > band.quantiles[i + 1]) ++i;
  const double share = (log_size - band.quantiles[i]) / (band.quantiles[i + 1] - band.quantiles[i]);
  return kScores[i] + share * (kScores[i + 1] - kScores[i]);
}

// The largest distance of the scores' distribution from the standard normal's.
double kolmogorov_distance(std::vector<double> scores) {
  std::ranges::sort(scores);
  const double n = static_cast<double>(scores.size());
  double distance = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double normal = std::erfc(-scores[i] / std::numbers::sqrt2) / 2;
    const double below = static_cast<double>(i) / n, above = static_cast<double>(i + 1) / n;
    distance = std::max({distance, normal - below, above - normal});
  }
  return distance;
}

// sqrt(-ln(level / 2) / 2n), level 1e-4; the band's own quantiles come from 2,000 chains.
double critical_distance() {
  const double n = 1 / (1.0 / static_cast<double>(kSeeds) + 1.0 / 2000);
  return std::sqrt(-std::log(1e-4 / 2) / (2 * n));
}

struct Distances {
  double forward, gradient;
};

// Runs one stack and holds it against the bands of another.
Distances distances(const std::string& ran, const std::string& planned) {
  const Result result = run(testing::plan_of(config_of(ran)), {2, 1e12});
  const Plan plan = testing::plan_of(config_of(planned));
  const auto& depth = dynamic_cast<const DepthCase&>(*plan.cases.front().model);
  const MeanFieldBands bands = predict(depth.model(), true).bands;
  EXPECT_EQ(bands.refusal, "");
  std::vector<double> forward, gradient;
  for (const CaseResult& one : result.cases) {
    const double last = one.column(kForwardColumn)->values.back();
    const double input = std::get<double>(*one.scalar("input_gradient_rms"));
    forward.push_back(z_of(bands.forward.back(), std::log(last)));
    gradient.push_back(z_of(bands.gradient.front(), std::log(input)));
  }
  return {kolmogorov_distance(std::move(forward)), kolmogorov_distance(std::move(gradient))};
}

TEST(Calibration, ScoresAreStandardNormalOverAThousandSeedsOfTwentyStacks) {
#ifndef NDEBUG
  GTEST_SKIP() << "a release build's test";
#endif
  for (const Stack& stack : kStacks) {
    const Distances d = distances(stack.keys, stack.keys);
    EXPECT_LT(d.forward, critical_distance()) << stack.keys;
    // Where it is not, it is not far off: twice the distance that chance allows.
    EXPECT_LT(d.gradient, (stack.gradient ? 1 : 2) * critical_distance()) << stack.keys;
  }
}

TEST(Calibration, CatchesAGainThatIsATenthTooLarge) {
#ifndef NDEBUG
  GTEST_SKIP() << "a release build's test";
#endif
  const Distances d =
      distances(R"("depth": 20, "activation": "relu", "init": {"kind": "he", "gain": 1.1})",
                R"("depth": 20, "activation": "relu", "init": "he")");
  EXPECT_GT(d.forward, 3 * critical_distance());
  EXPECT_GT(d.gradient, 3 * critical_distance());
}

}  // namespace
}  // namespace sigstab
