// What a file holds and what its config says make the whole result again.

#include "run/restore.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "config/canned.hpp"
#include "config/read_config.hpp"
#include "report/formats.hpp"
#include "result/result_json.hpp"
#include "run/run.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

constexpr Limits kLimits{2, 4e9};

std::string table_of(const Plan& plan, const Result& result) {
  return render_table(
      result, [&](const CaseResult& one) -> const ReportSpec& { return plan.report_of(one); });
}

// Written, read, restored: the same text in every format that holds all of it.
void expect_round_trip(const Plan& plan, const Result& result) {
  for (const std::string& text : {write_json(result), write_jsonl(result)}) {
    const std::string file =
        text.ends_with("}\n") && text.starts_with("{\n") ? "r.json" : "r.jsonl";
    std::vector<Result> read = read_results(text, file);
    ASSERT_EQ(read.size(), 1U);
    const Plan again = make_plan(read_result_config(read.front().config, file));
    const Result whole = restored(std::move(read.front()), again, file);
    EXPECT_EQ(write_json(whole), write_json(result));
    EXPECT_EQ(table_of(again, whole), table_of(plan, result));
    EXPECT_EQ(again.expectations.size(), plan.expectations.size());
    EXPECT_TRUE(whole.complete);
  }
}

class RestoredConfig : public ::testing::TestWithParam<CannedConfig> {};

TEST_P(RestoredConfig, PlansTheSame) {
  const Plan plan = make_plan(read_config(GetParam().text, std::string(GetParam().name), {}));
  const Plan again = make_plan(read_result_config(plan.resolved, "r.json"));
  EXPECT_EQ(nlohmann::json::parse(again.resolved), nlohmann::json::parse(plan.resolved));
  EXPECT_EQ(again.cases.size(), plan.cases.size());
  EXPECT_EQ(again.experiment, plan.experiment);
}

INSTANTIATE_TEST_SUITE_P(All, RestoredConfig, ::testing::ValuesIn(canned_configs()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST(Restored, EveryKindOfExperiment) {
  for (const char* text :
       {R"({"width": 8, "depth": 5, "activation": "relu", "seeds": [0, 1, 2]})",
        R"({"width": 8, "layer": "mlp", "norm": "layernorm", "residual": "plain",
            "upstream": {"kind": "cross_entropy", "classes": 3}, "tokens": 2,
            "report": {"columns": ["forward_rms", "weight_gradient_rms.W2"]},
            "cases": [{"name": "a"}, {"name": "b", "norm": {"placement": "post"}}],
            "sweep": {"depth": [2, 3], "init.gain": [0.5, 1.0]}})",
        R"({"experiment": "norm_arithmetic"})", R"({"experiment": "compounding"})",
        R"({"experiment": "variance_rules"})", R"({"experiment": "init_spreads"})",
        R"({"experiment": "activation_moments"})", R"({"experiment": "aligned_update"})",
        R"({"experiment": "jacobian", "width": 8, "depth": 3})"}) {
    const auto error = testing::error_of([&] {
      const Plan plan = testing::plan_of(text);
      expect_round_trip(plan, run(plan, kLimits));
    });
    EXPECT_FALSE(error.has_value()) << text << "\n" << error->what();
  }
}

TEST(Restored, ARunThatFlagsChanged) {
  Overrides overrides;
  overrides.set = {"depth=4"};
  overrides.seeds = {"0", "1"};
  const Plan plan = testing::plan_of(
      R"({"width": 4, "depth": 9, "report": {"layers": [1, 9]},
          "expect": [{"id": "x", "layer": 9, "column": "forward_rms", "printed": "1"}]})",
      overrides);
  expect_round_trip(plan, run(plan, kLimits));
}

TEST(Restored, AnInterruptedRunIsNotComplete) {
  const Plan plan = testing::plan_of(R"({"width": 4, "depth": 2, "seeds": [0, 1]})");
  Result result = run(plan, kLimits);
  result.cases.pop_back();
  const Result whole = restored(read_results(write_jsonl(result), "r.jsonl").front(), plan, "r");
  EXPECT_FALSE(whole.complete);
  EXPECT_EQ(whole.cases.size(), 1U);
}

TEST(Restored, WhatDoesNotFitItsConfigIsRefused) {
  const Plan plan = testing::plan_of(R"({"width": 4, "depth": 2, "cases": [{"name": "a"}]})");
  const Result good = run(plan, kLimits);
  const auto message = [&](const std::function<void(Result&)>& spoil) {
    Result read = read_results(write_json(good), "r.json").front();
    spoil(read);
    const auto error = testing::error_of([&] { restored(std::move(read), plan, "r.json"); });
    return error ? error->where() + ": " + error->message() : "";
  };
  EXPECT_EQ(message([](Result&) {}), "");
  EXPECT_EQ(message([](Result& r) { r.cases[0].name = "b"; }),
            "r.json: case \"b\": its config has no such case");
  EXPECT_EQ(message([](Result& r) { r.cases.push_back(r.cases[0]); }),
            "r.json: case \"a\": it is there twice");
  EXPECT_EQ(message([](Result& r) { r.cases[0].row_numbers[1] = 7; }),
            "r.json: case \"a\": expected layers 1 to 2");
  EXPECT_EQ(message([](Result& r) { r.cases[0].columns[0].values.pop_back(); }),
            "r.json: case \"a\": forward_rms is not in it and asked for now");
  EXPECT_EQ(message([](Result& r) { r.cases[0].columns.clear(); }),
            "r.json: case \"a\": forward_rms is not in it and asked for now");
  EXPECT_EQ(message([](Result& r) { r.cases[0].scalars.clear(); }),
            "r.json: case \"a\": input_rms is not in it and asked for now");
}

TEST(CaseIndex, FindsACaseByNameAndPoint) {
  const Plan plan = testing::plan_of(
      R"({"width": 4, "cases": [{"name": "a"}, {"name": "b"}], "sweep": {"depth": [2, 3]}})");
  const CaseIndex index(plan);
  CaseResult one;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    identify(one, plan.cases[i], "7");
    EXPECT_EQ(index.find(one), i);
  }
  one.name = "c";
  EXPECT_FALSE(index.find(one));
}

TEST(HoldsResult, ByItsSchemaAlone) {
  EXPECT_TRUE(holds_result("{\"schema\": 1}\n{\"schema\": 1}\n"));
  EXPECT_TRUE(holds_result("{\n \"schema\": 1\n}\n"));
  EXPECT_FALSE(holds_result("{\"depth\": 3}"));
  EXPECT_FALSE(holds_result("{\n \"title\": \"schema\"\n}\n"));
  EXPECT_FALSE(holds_result("[\"schema\"]"));
  EXPECT_FALSE(holds_result(""));
  EXPECT_FALSE(holds_result("{"));
}

}  // namespace
}  // namespace sigstab
