// Theory in reports: its columns beside what is measured, and the tables and JSON of `theory`.

#include "report/theory_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "base/named_table.hpp"
#include "kinds/depth_case.hpp"
#include "report/formats.hpp"
#include "result/result_json.hpp"
#include "run/run.hpp"
#include "support/plan_of.hpp"
#include "support/text.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

using nlohmann::json;
using testing::has;
using testing::plan_of;

Result result_of(const Plan& plan) { return run(plan, {1, 1e12}); }
std::string rendered(const char* format, const Plan& plan, const Result& result) {
  return find_row(format_table(), format)
      ->render(
          result, [&](const CaseResult& one) -> const auto& { return plan.report_of(one); });
}
double scalar(const CaseResult& one, std::string_view name) {
  return std::get<double>(*one.scalar(name));
}

TEST(TheoryColumns, StandBesideWhatIsMeasuredByDefault) {
  const Plan plan = plan_of(R"({"width": 64, "depth": 3, "activation": "relu", "init": "he"})");
  const Result result = result_of(plan);
  const CaseResult& one = result.cases[0];
  EXPECT_TRUE(has(rendered("table", plan, result),
                  "  layer  forward_rms  gradient_rms  forward_theory  gradient_theory  forward_z  "
                  "gradient_z\n"));
  EXPECT_NEAR(one.column("forward_theory")->values[2], 1, 1e-12);
  EXPECT_NEAR(scalar(one, "input_gradient_theory"), 1, 1e-12);
  // The score is that of ln RMS in the band.
  const MeanFieldBands& bands = plan.cases[0].model->theory()->of(true).bands;
  EXPECT_NEAR(one.column("forward_z")->values[2],
              (std::log(one.column("forward_rms")->values[2]) - bands.forward[3].mean) /
                  bands.forward[3].deviation,
              1e-12);
  EXPECT_NEAR(scalar(one, "input_gradient_z"),
              (std::log(scalar(one, "input_gradient_rms")) - bands.gradient[0].mean) /
                  bands.gradient[0].deviation,
              1e-12);
}

TEST(TheoryColumns, AreNotComputedWhereNobodyAsks) {
  const Plan plan = plan_of(R"({"width": 8, "depth": 2, "report": {"columns": ["forward_rms"]}})");
  EXPECT_EQ(result_of(plan).cases[0].column("forward_theory"), nullptr);
  const Plan figure = plan_of(R"({"width": 8, "depth": 2, "expect": [{"id": "a", "line": "x"}],
      "report": {"columns": ["forward_rms"], "line": "x"}})");
  EXPECT_EQ(result_of(figure).cases[0].column("forward_z"), nullptr);
  const Plan asked = plan_of(
      R"({"width": 8, "depth": 2, "report": {"columns": ["gradient_theory", "forward_rms"]}})");
  const CaseResult one = result_of(asked).cases[0];
  EXPECT_NE(one.column("gradient_theory"), nullptr);
  EXPECT_EQ(one.column("forward_z"), nullptr);
}

TEST(TheoryColumns, LeaveOutWhatHasNoPrediction) {
  const Plan plan = plan_of(R"({"width": 16, "depth": 2, "init": "identity"})");
  const Result result = result_of(plan);
  EXPECT_FALSE(has(rendered("table", plan, result), "forward_theory"));
  // Asked for all the same: nothing to show, null in JSON, an empty cell in CSV, and why.
  const Plan asked = plan_of(R"({"width": 16, "depth": 2, "init": "identity",
      "report": {"columns": ["forward_rms", "forward_theory"]}})");
  const Result absent = result_of(asked);
  EXPECT_FALSE(has(rendered("table", asked, absent), "forward_theory"));
  EXPECT_TRUE(has(rendered("table", asked, absent), "\n  no theory: W's weights are not random"));
  EXPECT_TRUE(has(rendered("csv", asked, absent), ",\n"));
  const json file = json::parse(rendered("json", asked, absent));
  EXPECT_TRUE(file["cases"][0]["layers"][1]["forward_theory"].is_null());
  EXPECT_TRUE(file["cases"][0]["input_theory"].is_null());
  // And what is written is read back.
  const std::vector<Result> read = read_results(file.dump(), "r.json");
  EXPECT_TRUE(std::isnan(read[0].cases[0].column("forward_theory")->values[1]));
}

TEST(TheoryColumns, ShowNoScoreOfASizeThatANormHasFixed) {
  const Plan plan = plan_of(R"({"width": 32, "depth": 2, "norm": "rmsnorm"})");
  const std::string table = rendered("table", plan, result_of(plan));
  EXPECT_FALSE(has(table, "forward_z")) << table;
  EXPECT_TRUE(has(table, "gradient_z")) << table;
}

// Predictions once, and the score of the geometric mean: the sum of the seeds' over sqrt(n).
TEST(TheoryColumns, AreShownOnceForAllSeedsWithTheirJointScore) {
  const Plan plan = plan_of(
      R"({"width": 32, "depth": 2, "seeds": {"from": 0, "count": 4}, "activation": "tanh"})");
  const Result result = result_of(plan);
  const std::string table = rendered("table", plan, result);
  EXPECT_TRUE(has(table, "forward_rms     p5     p95") || has(table, "forward_theory")) << table;
  EXPECT_EQ(table.find("forward_theory"), table.rfind("forward_theory"));
  EXPECT_EQ(table.find("forward_z"), table.rfind("forward_z"));
  const json file = json::parse(rendered("json", plan, result));
  const json& layer = file["aggregates"][0]["layers"][0];
  EXPECT_EQ(layer["forward_theory"], file["cases"][0]["layers"][0]["forward_theory"]);
  double sum = 0;
  for (const json& one : file["cases"]) sum += one["layers"][0]["forward_z"].get<double>();
  EXPECT_NEAR(layer["forward_z"].get<double>(), sum / 2, 1e-12);
}

TEST(TheoryText, WritesSizesBeyondADouble) {
  EXPECT_EQ(size_text(0), "1.000");
  EXPECT_EQ(size_text(-HUGE_VAL), "0");
  EXPECT_EQ(size_text(std::nan("")), "-");
  EXPECT_EQ(size_text(std::numbers::ln10 * (3000 + std::log10(1.5))), "1.500e+3000");
  EXPECT_EQ(size_text(-std::numbers::ln10 * 3000.00001), "1.000e-3000");
}

TEST(TheoryText, HasATableACaseAndTellsWhatBecomesOfTheSizes) {
  const Plan plan = plan_of(R"({"name": "two", "title": "of", "width": 256, "depth": 40,
      "cases": [{"name": "a", "activation": "relu"}, {"name": "b", "activation": "silu"}]})");
  const std::string text = theory_table(plan);
  EXPECT_EQ(text.substr(0, 8), "two: of\n");
  EXPECT_TRUE(has(text, "\na   (relu)\n")) << text;
  EXPECT_TRUE(has(text, "  forward vanishes by x0.7071 a layer")) << text;
  EXPECT_TRUE(has(text, "  at layer 40: chi_1 0.5000, size slope 1.000\n")) << text;
  EXPECT_TRUE(has(text, "95% of draws"));
  EXPECT_EQ(theory_table(plan), text);
}

TEST(TheoryText, TellsWhereADtypeEnds) {
  const std::string text = theory_table(
      plan_of(R"({"depth": 60, "init": {"kind": "normal", "spread": 1}, "dtype": "float32"})"));
  // 512^(l/2) passes float32's largest number at 28.4 layers.
  EXPECT_TRUE(has(text, "overflows first at layer 29")) << text;
}

TEST(TheoryText, HasJsonOfEveryMatrix) {
  const json file = json::parse(theory_json(plan_of(
      R"({"width": 64, "depth": 14, "layer": {"kind": "mlp", "hidden": 32}, "activation": "swiglu",
          "tokens": 2, "input": {"cosine": 0.5}, "report": {"layers": [14]}})")));
  const json& one = file["cases"][0];
  ASSERT_EQ(one["layers"].size(), 2U);
  EXPECT_EQ(one["layers"][0]["forward_rms"], 1.0);
  EXPECT_EQ(one["layers"][0]["cosine"], 0.5);
  const json& last = one["layers"][1];
  EXPECT_EQ(last["weight_gradients"].size(), 3U);
  EXPECT_EQ(last["weight_gradients"][0]["name"], "Wg");
  // A product of two small numbers is smaller yet: beyond a double.
  EXPECT_TRUE(last["forward_rms"].is_null());
  EXPECT_LT(last["log10_forward_rms"].get<double>(), -400);
}

TEST(TheoryText, IsOfStacksAlone) {
  const auto error = testing::error_of(
      [] { theory_table(plan_of(R"({"experiment": "compounding", "gain": 2, "depth": 3})")); });
  ASSERT_TRUE(error);
  EXPECT_TRUE(has(error->message(), "compounding"));
}

}  // namespace
}  // namespace sigstab
