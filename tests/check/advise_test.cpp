// Advice on stacks whose remedy is known in closed form, and none where none is needed.

#include "check/advise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "config/read_config.hpp"
#include "run/plan.hpp"

namespace sigstab {
namespace {

using nlohmann::json;

double gain_in(const Advice& advice) {
  return json::parse(advice.changed)["init"]["gain"].get<double>();
}

TEST(Advise, GivesReluItsGain) {
  const Advice advice =
      advise(R"({"width": 256, "depth": 50, "activation": "relu", "init": "lecun"})", "my.json");
  EXPECT_NEAR(gain_in(advice), std::sqrt(2.0), 2e-3);
  // 2^(-l/2) a layer
  EXPECT_NEAR(change_of(advice.sizes).forward, -24.5 * std::log(2.0), 1e-9);
  EXPECT_TRUE(advice.after->holds());
}

TEST(Advise, GivesNoneToWhatHolds) {
  const Advice advice =
      advise(R"({"width": 256, "depth": 50, "activation": "relu", "init": "he"})", "my.json");
  EXPECT_TRUE(change_of(advice.sizes).holds());
  EXPECT_EQ(advice.change, "");
  EXPECT_EQ(advice.nearest, "");
}

// sqrt(6) a layer, as He's variance has over PyTorch's.
TEST(Advise, GivesPyTorchsDefaultItsGain) {
  const Advice advice = advise(
      R"({"width": 256, "depth": 30, "activation": "relu", "init": "torch_default"})", "my.json");
  EXPECT_NEAR(gain_in(advice), std::sqrt(6.0), 4e-3);
}

// Branches are made smaller, not switched off.
TEST(Advise, KeepsBranchesOfAResidualStackAtWork) {
  const Advice advice = advise(
      R"({"width": 256, "depth": 48, "layer": "mlp", "activation": "gelu", "init": "xavier",
          "norm": "layernorm", "residual": "plain"})",
      "my.json");
  ASSERT_FALSE(advice.change.empty());
  EXPECT_TRUE(advice.after->holds());
  EXPECT_GT(gain_in(advice), 0.05);
  EXPECT_LT(gain_in(advice), 1);
}

TEST(Advise, IsConfirmedByItsOwnRun) {
  const Advice advice = advise(
      R"({"width": 128, "depth": 30, "activation": "silu", "init": "he", "dtype": "float32"})",
      "my.json");
  ASSERT_FALSE(advice.changed.empty());
  const Confirmation run = confirm(advice.changed, "my.json", {2, 1e12});
  EXPECT_EQ(run.seeds, 20u);
  EXPECT_LE(run.measured.worst(), std::log(2.0) + run.allowance);
  // As the config is, the run shows what theory says.
  const Confirmation now = confirm(
      R"({"width": 128, "depth": 30, "activation": "silu", "init": "he", "dtype": "float32"})",
      "my.json", {2, 1e12});
  EXPECT_NEAR(now.measured.forward, change_of(advice.sizes).forward, now.allowance);
}

TEST(Advise, SaysWhyTheoryIsSilent) {
  EXPECT_NE(advise(R"({"experiment": "compounding"})", "my.json").refusal, "");
}

TEST(CaseConfigs, AreOneForEachCaseAndPoint) {
  const auto all = case_configs(read_config(
      R"({"width": 8, "cases": [{"name": "a"}, {"name": "b", "norm": "rmsnorm"}],
          "sweep": {"depth": [2, 3]}, "seeds": [1, 2], "report": {"layers": [1]}})",
      "my.json", {}));
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[3].label, "b, depth=3");
  EXPECT_EQ(json::parse(all[3].config),
            json::parse(R"({"width": 8, "depth": 3, "norm": {"kind": "rmsnorm"}})"));
}

}  // namespace
}  // namespace sigstab
