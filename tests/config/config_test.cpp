// A config as its author meant it: short forms, merge patches, flags and sweeps, and what of them
// reaches the resolved plan.
//
// What is wrong in a config stands in bad_config_test.cpp.

#include "config/read_config.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "model/model_config.hpp"
#include "model/read_model.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::error_of;
using testing::plan_error;
using testing::plan_of;

// The model that a config's base describes.
ModelConfig model_of(const std::string& text, const Overrides& overrides = {}) {
  const Config config = read_config(text, "my.json", overrides);
  return read_model(ObjectReader(*config.base, config.keys->table(), config.place()));
}

std::string fact(const PlannedCase& planned, const char* name) {
  const CaseResult shape = planned.model->shape();
  return FormatSpec().format(*shape.scalar(name));
}

std::string where(const std::optional<Error>& error) { return error ? error->where() : "no error"; }

TEST(Config, OfTheGuideMeansWhatItSays) {
  const ModelConfig model =
      model_of(R"({ "width": 512, "depth": 50, "activation": "relu", "init": "he" })");
  EXPECT_EQ(model.stack.width, 512);
  EXPECT_EQ(model.stack.depth, 50);
  EXPECT_EQ(model.stack.tokens, 1);
  EXPECT_EQ(model.stack.activation.row->name, "relu");
  EXPECT_EQ(model.inits.size(), 1U);
  EXPECT_EQ(model.inits[0].row->name, "he");
  EXPECT_EQ(model.inits[0].gain, 1);
}

TEST(Config, HasTheDocumentedDefaults) {
  const ModelConfig model = model_of("{}");
  EXPECT_EQ(model.stack.width, 512);
  EXPECT_EQ(model.stack.depth, 50);
  EXPECT_EQ(model.stack.tokens, 1);
  EXPECT_EQ(model.stack.layer, LayerKind::dense);
  EXPECT_EQ(model.stack.activation.row->name, "linear");
  EXPECT_EQ(model.inits[0].row->name, "lecun");
  EXPECT_FALSE(model.stack.norm.present());
  EXPECT_FALSE(model.stack.residual.present());
  EXPECT_EQ(model.stack.norm.eps, 1e-5);
  EXPECT_EQ(model.stack.residual.skip, 1);
  EXPECT_EQ(model.stack.residual.branch, 1);
  EXPECT_EQ(model.input_spread, 1);
  EXPECT_EQ(model.upstream, Upstream::normal);
  EXPECT_EQ(model.dtype->name, "float64");
  EXPECT_EQ(model.random.generator->name, "philox");
  EXPECT_EQ(model.random.seed, Seed(0));
  EXPECT_EQ(model.random.each,
            (std::vector{DrawItem::input, DrawItem::weights, DrawItem::upstream}));
  EXPECT_TRUE(model.random.shared.empty());
}

TEST(Config, DefaultsThatDependOnOtherKeysFollowThem) {
  EXPECT_EQ(model_of(R"({"width": 96, "layer": "mlp"})").stack.hidden, 384);
  EXPECT_EQ(model_of(R"({"norm": "rmsnorm"})").stack.placement->name, "post");
  EXPECT_EQ(model_of(R"({"norm": "rmsnorm", "residual": "plain"})").stack.placement->name, "pre");
  EXPECT_EQ(model_of(R"({"width": 2, "input": {"values": [1, 2]}})").input_values.size(), 2U);
  const ModelConfig cross =
      model_of(R"({"width": 64, "upstream": {"kind": "cross_entropy", "classes": 10}})");
  EXPECT_EQ(cross.head_init.spread(64, 10), 1.0 / 8);
  EXPECT_EQ(cross.random.each,
            (std::vector{DrawItem::input, DrawItem::weights, DrawItem::head, DrawItem::targets}));
  EXPECT_EQ(model_of(R"({"upstream": "none"})").random.each,
            (std::vector{DrawItem::input, DrawItem::weights}));
  EXPECT_EQ(model_of(R"({"random": {"generator": "torch", "shared": ["weights"]}})").random.each,
            (std::vector{DrawItem::input, DrawItem::upstream}));
}

TEST(Config, FansBelongToTheLayer) {
  const ModelConfig model = model_of(
      R"({"width": 4, "layer": {"kind": "mlp", "hidden": 16}, "init": {"kind": "he", "mode": "fan_out"}})");
  ASSERT_EQ(model.inits.size(), 2U);
  EXPECT_DOUBLE_EQ(model.inits[0].spread(4, 16), std::sqrt(2.0 / 16));
  EXPECT_DOUBLE_EQ(model.inits[1].spread(16, 4), std::sqrt(2.0 / 4));
}

TEST(Config, AMatrixCanHaveItsOwnInit) {
  const ModelConfig model = model_of(
      R"({"layer": "mlp", "init": {"kind": "he", "gain": 2, "W1": {"gain": 3}, "W2": {"kind": "normal", "spread": 0.1}}})");
  EXPECT_EQ(model.inits[0].row->name, "he");
  EXPECT_EQ(model.inits[0].gain, 3);
  EXPECT_EQ(model.inits[1].row->name, "normal");  // names its own kind, so it stands alone
  EXPECT_EQ(model.inits[1].gain, 1);
  const ModelConfig named =
      model_of(R"({"layer": "mlp", "init": {"gain": 2, "W2": "orthogonal"}})");
  EXPECT_EQ(named.inits[0].row->name, "lecun");
  EXPECT_EQ(named.inits[0].gain, 2);
  EXPECT_EQ(named.inits[1].row->name, "orthogonal");
  EXPECT_EQ(named.inits[1].gain, 1);
}

TEST(Config, XavierTakesAnotherFanWhereAsked) {
  const ModelConfig model = model_of(R"({"init": {"kind": "xavier_uniform", "mode": "fan_in"}})");
  EXPECT_EQ(model.inits[0].mode, FanMode::fan_in);
}

TEST(Config, VarianceScalingNamesItsFanAndDistribution) {
  const auto spread = [](const std::string& init) {
    const ModelConfig model = model_of(R"({"width": 8, "layer": "mlp", "init": )" + init + "}");
    return model.inits.front().spread(8, 32);
  };
  EXPECT_DOUBLE_EQ(spread(R"("variance_scaling")"), std::sqrt(1.0 / 8));
  EXPECT_DOUBLE_EQ(spread(R"({"kind": "variance_scaling", "scale": 2, "mode": "fan_out"})"),
                   std::sqrt(2.0 / 32));
  for (const DistributionRow& row : scaling_distribution_table()) {
    const std::string init = R"({"kind": "variance_scaling", "distribution": ")" +
                             std::string(row.name) + R"(", "mode": "fan_avg"})";
    EXPECT_DOUBLE_EQ(spread(init), std::sqrt(1.0 / 20)) << row.name;
    EXPECT_EQ(model_of(R"({"init": )" + init + "}").inits.front().row->distribution,
              row.distribution);
  }
  const ModelConfig own = model_of(
      R"({"layer": "mlp", "init": {"kind": "variance_scaling", "distribution": "normal",
          "W2": {"distribution": "uniform"}}})");
  EXPECT_EQ(own.inits[0].row->distribution, Distribution::normal);
  EXPECT_EQ(own.inits[1].row->distribution, Distribution::uniform);
}

TEST(Cases, ChangeFieldsByObjectsAndReplaceByStrings) {
  const Plan plan = plan_of(R"({"width": 4, "depth": 2, "init": {"kind": "normal", "spread": 0.1},
      "norm": {"kind": "layernorm", "placement": "none", "eps": 1}, "residual": "plain",
      "cases": [{"name": "same"}, {"name": "he", "init": "he"}, {"name": "rms", "norm": "rmsnorm"},
                {"name": "default", "norm": null, "depth": null}]})");
  ASSERT_EQ(plan.cases.size(), 4U);
  EXPECT_EQ(fact(plan.cases[0], "init"), "normal");
  EXPECT_EQ(fact(plan.cases[1], "init"), "he");  // no spread is left over
  EXPECT_EQ(fact(plan.cases[2], "norm"), "rmsnorm");
  EXPECT_EQ(fact(plan.cases[3], "norm"), "none");
  EXPECT_EQ(fact(plan.cases[3], "depth"), "50");
}

TEST(Cases, MayGiveWhatTheBaseLeavesOpen) {
  const Plan plan = plan_of(R"({"width": 4, "init": {"kind": "normal"}, "activation": "elu",
      "cases": [{"name": "a", "init": {"spread": 0.1}}, {"name": "b", "init": {"spread": 0.2}}]})");
  EXPECT_EQ(plan.cases.size(), 2U);
  const Json resolved = Json::parse(plan.resolved);
  EXPECT_FALSE(resolved["init"].contains("spread"));
  EXPECT_EQ(resolved["activation"].dump(), R"({"kind":"elu","alpha":1.0})");
}

TEST(Null, RestoresTheDefaultEverywhere) {
  EXPECT_EQ(model_of(R"({"depth": null, "norm": null, "init": {"gain": null}})").stack.depth, 50);
  EXPECT_EQ(read_config(R"({"experiment": null})", "my.json", {}).kind->name, "depth");
  const Overrides null_depth{{"depth=null", "norm=null"}, {}, {}};
  const ModelConfig model = model_of(R"({"depth": 3, "norm": "rmsnorm"})", null_depth);
  EXPECT_EQ(model.stack.depth, 50);
  EXPECT_FALSE(model.stack.norm.present());
  EXPECT_EQ(plan_of(R"({"sweep": {"depth": [null, 6]}, "width": 2})").cases[0].model->rows(), 50);
}

TEST(Sweep, RunsEveryCombinationWithTheFirstKeySlowest) {
  const Plan plan = plan_of(R"({"width": 4, "residual": "plain", "norm": "layernorm",
      "sweep": {"norm.placement": ["post", "pre"], "depth": [2, 3, 1]}})");
  std::vector<std::string> points;
  for (const PlannedCase& planned : plan.cases) points.push_back(planned.point_text);
  EXPECT_EQ(points,
            (std::vector<std::string>{"norm.placement=post,depth=2", "norm.placement=post,depth=3",
                                      "norm.placement=post,depth=1", "norm.placement=pre,depth=2",
                                      "norm.placement=pre,depth=3", "norm.placement=pre,depth=1"}));
}

TEST(Sweep, TakesWholeObjectsAndShortForms) {
  const Plan plan = plan_of(
      R"({"width": 4, "sweep": {"init": ["he", {"kind": "normal", "spread": 0.5}], "random.seed": [18446744073709551615]}})");
  EXPECT_EQ(plan.cases[1].point_text,
            R"(init={"kind":"normal","spread":0.5},random.seed=18446744073709551615)");
  EXPECT_EQ(fact(plan.cases[1], "init"), "normal");
  EXPECT_EQ(plan.units[0].seed.text(), "18446744073709551615");
}

TEST(Seeds, AreAListOrARange) {
  const auto seeds = [](const char* text) {
    std::vector<std::string> texts;
    const Config config = read_config(text, "my.json", {});
    for (const Seed& seed : *config.seeds) texts.push_back(seed.text());
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(seeds(R"({"seeds": [3, "5", 0]})"), (Texts{"3", "5", "0"}));
  EXPECT_EQ(seeds(R"({"seeds": {"from": 7, "count": 3}})"), (Texts{"7", "8", "9"}));
  EXPECT_EQ(seeds(R"({"seeds": {"count": 2}})"), (Texts{"0", "1"}));
  EXPECT_EQ(seeds(R"({"seeds": {"from": 9007199254740992, "count": 2}})"),
            (Texts{"9007199254740992", "9007199254740993"}));
}

TEST(Seeds, OfAnySizeAreNumpys) {
  const std::string wide = "340282366920938463463374607431768211456";
  const Plan plan = plan_of(R"({"width": 2, "random": "numpy", "seeds": [")" + wide + R"("]})");
  EXPECT_EQ(plan.units[0].seed.text(), wide);
}

TEST(SetFlag, ChangesTheBaseAndKeepsTheRest) {
  const char* text = R"({"depth": 3, "norm": {"kind": "layernorm", "eps": 1}})";
  const ModelConfig model =
      model_of(text, {{"norm.placement=none", "width=7", "activation=relu"}, {}, {}});
  EXPECT_EQ(model.stack.norm.eps, 1);
  EXPECT_EQ(model.stack.placement->name, "none");
  EXPECT_EQ(model.stack.width, 7);
  EXPECT_EQ(model.stack.activation.row->name, "relu");
}

TEST(SetFlag, TakesShortFormsAndFieldsInAnyOrder) {
  const ModelConfig model = model_of("{}", {{"norm=rmsnorm", "norm.eps=0.5"}, {}, {}});
  EXPECT_EQ(model.stack.norm.row->name, "rmsnorm");
  EXPECT_EQ(model.stack.norm.eps, 0.5);
  const ModelConfig replaced = model_of("{}", {{"norm.eps=0.5", "norm=rmsnorm"}, {}, {}});
  EXPECT_EQ(replaced.stack.norm.eps, 1e-5);  // a string replaces the whole value
  EXPECT_EQ(model_of("{}", {{"depth=4", "depth=5"}, {}, {}}).stack.depth, 5);
}

TEST(SetFlag, TakesJsonOrText) {
  EXPECT_EQ(read_config("{}", "my.json", {{"title=a b = c"}, {}, {}}).title, "a b = c");
  EXPECT_EQ(read_config("{}", "my.json", {{"title=\"5\""}, {}, {}}).title, "5");
  EXPECT_EQ(model_of("{}", {{"width=2", "input={\"values\": [1, 2]}"}, {}, {}}).input_values.size(),
            2U);
}

TEST(SetFlag, ChoosesTheKindOfExperiment) {
  const Config config = read_config("{}", "my.json", {{"experiment=norm_arithmetic"}, {}, {}});
  EXPECT_EQ(config.kind->name, "norm_arithmetic");
}

TEST(SetFlag, IsRefusedWhereTheConfigOverrulesIt) {
  const char* text = R"({"width": 4, "sweep": {"depth": [1, 2]}, "norm": "layernorm",
      "cases": [{"name": "a", "norm": "rmsnorm"}, {"name": "b", "norm": {"eps": 1}, "activation": "relu"}]})";
  EXPECT_EQ(where(plan_error(text, {{"depth=5"}, {}, {}})), "--set: depth");
  EXPECT_EQ(where(plan_error(text, {{"norm.eps=5"}, {}, {}})), "--set: norm.eps");
  EXPECT_EQ(where(plan_error(text, {{"activation=tanh"}, {}, {}})), "no error");  // case a keeps it
  EXPECT_EQ(where(plan_error(text, {{"norm.placement=none"}, {}, {}})), "no error");
  EXPECT_EQ(where(plan_error(R"({"cases": [{"name": "a", "report": {"layers": [1]}}]})",
                             {{}, {}, {"2"}})),
            "--layers: report.layers");
}

TEST(Places, PointIntoWhatTheAuthorWrote) {
  EXPECT_EQ(where(plan_error(R"({"depth": 0})")), "my.json: /depth");
  EXPECT_EQ(
      where(plan_error(
          R"({"cases": [{"name": "a"}, {"name": "b", "norm": {"eps": -1, "kind": "rmsnorm"}}]})")),
      "my.json: /cases/1/norm/eps");
  EXPECT_EQ(where(plan_error(R"({"cases": [{"name": "a", "norm": "rms"}]})")),
            "my.json: /cases/0/norm");
  EXPECT_EQ(where(plan_error(R"({"sweep": {"depth": [1, 0]}})")),
            "my.json: /sweep/depth/1: /depth");
  EXPECT_EQ(where(plan_error("{}", {{"norm.placement=pre"}, {}, {}})), "--set: /norm/placement");
  EXPECT_EQ(where(plan_error(R"({"depth": 5})", {{"depth=x"}, {}, {}})), "--set: /depth");
  EXPECT_EQ(where(plan_error("{}", {{"experiment=dpth"}, {}, {}})), "--set: /experiment");
  EXPECT_EQ(where(plan_error(R"({"depth": 5})", {{}, {}, {"1", "6"}})),
            "--layers: /report/layers/1");
  EXPECT_EQ(where(plan_error("{}", {{}, {"18446744073709551616"}, {}})), "--seed");
  EXPECT_EQ(where(plan_error(R"({"seeds": ["18446744073709551616"]})")), "my.json: /seeds");
}

TEST(Resolved, HoldsEveryDefaultOfTheTable) {
  const Json resolved =
      Json::parse(plan_of(R"({"width": 4, "norm": "rmsnorm", "seeds": [1, 2]})").resolved);
  EXPECT_EQ(resolved["width"], 4);
  EXPECT_EQ(resolved["depth"], 50);
  EXPECT_EQ(resolved["norm"].dump(),
            R"({"kind":"rmsnorm","eps":1e-05,"gain":1,"bias":0,"final":false})");
  EXPECT_EQ(resolved["seeds"].dump(), "[1,2]");
  EXPECT_FALSE(resolved["random"].contains("seed"));
  EXPECT_EQ(resolved["name"], "my");
}

TEST(Resolved, RunsToTheSamePlan) {
  const Plan plan = plan_of(
      R"({"width": 4, "depth": 3, "activation": "leaky_relu", "init": {"kind": "he", "W": {"gain": 2}},
      "sweep": {"tokens": [1, 2]}, "cases": [{"name": "a"}, {"name": "b", "residual": "plain"}]})");
  const Plan again = plan_of(plan.resolved);
  EXPECT_EQ(again.resolved, plan.resolved);
  ASSERT_EQ(again.cases.size(), plan.cases.size());
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    EXPECT_EQ(again.cases[i].name, plan.cases[i].name);
    EXPECT_EQ(again.cases[i].point_text, plan.cases[i].point_text);
    EXPECT_EQ(fact(again.cases[i], "residual"), fact(plan.cases[i], "residual"));
  }
}

}  // namespace
}  // namespace sigstab
