// Statistics over seeds and pivot tables, on results made by hand; numbers from NumPy.

#include "result/aggregate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/named_table.hpp"
#include "report/pivot.hpp"
#include "result/result_json.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

CaseResult made(const std::string& name, std::int64_t depth, const std::string& seed,
                std::vector<double> sizes) {
  CaseResult one;
  one.name = name;
  one.point = {{"depth", depth}};
  one.seed = seed;
  one.traits = {"wide", "seed " + seed};
  one.scalars = {{"output_rms", sizes.back()}, {"input_rms", 1.0}};
  one.columns = {{"forward_rms", std::move(sizes), "input_rms", "output_rms"}};
  return one;
}

// Two cases, five seeds.
Result made_seeds() {
  Result result;
  result.experiment = "made";
  result.row_name = "layer";
  result.config = "{}";
  const double values[] = {1, 4, 2, 16, 8};
  for (int seed = 0; seed < 5; ++seed) {
    const std::string text = std::to_string(seed);
    result.cases.push_back(made("a", 2, text, {values[seed], 10 * values[seed]}));
    result.cases.push_back(made("b", 2, text, {1, seed == 3 ? kInf : 2.0 + seed}));
  }
  return result;
}

std::vector<const StatisticRow*> rows_of(std::initializer_list<const char*> names) {
  std::vector<const StatisticRow*> rows;
  for (const char* name : names) rows.push_back(find_row(statistic_table(), name));
  return rows;
}

TEST(Aggregate, HasOneCaseForEachCaseAndPointWithTheStatisticsOfItsSeeds) {
  const auto statistics = rows_of({"mean", "standard_deviation", "standard_error", "geometric_mean",
                                   "median", "p5", "p95", "nonfinite"});
  const Result all = aggregate(made_seeds(), statistics);
  ASSERT_EQ(all.cases.size(), 2u);
  const CaseResult& a = all.cases[0];
  EXPECT_EQ(a.label(), "a, depth=2");
  EXPECT_EQ(a.traits, (std::vector<std::string>{"wide", "5 seeds"}));
  // numpy: x = [1, 4, 2, 16, 8]; x.mean(), x.std(ddof=1), that / sqrt(5), exp(log(x).mean()),
  // median(x), percentile(x, 5), percentile(x, 95)
  const double expected[] = {6.2, 6.099180272790763, 2.727636339397171, 4, 4, 1.2, 14.4, 0};
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    const Column* column = a.column(statistic_name("forward_rms", *statistics[i]));
    ASSERT_NE(column, nullptr);
    EXPECT_NEAR(column->values[0], expected[i], 1e-14 * expected[i]) << statistics[i]->name;
    const double tenth = i + 1 == statistics.size() ? 1 : 10;
    EXPECT_NEAR(column->values[1], tenth * expected[i], 1e-13 * expected[i]);
    EXPECT_EQ(column->input_scalar, statistic_name("input_rms", *statistics[i]));
  }
  EXPECT_NEAR(std::get<double>(*a.scalar("output_rms mean")), 62, 1e-12);
}

TEST(Aggregate, LeavesOutWhatIsNotFiniteAndCountsIt) {
  const Result all = aggregate(made_seeds(), rows_of({"mean", "nonfinite"}));
  const CaseResult& b = all.cases[1];
  EXPECT_DOUBLE_EQ(b.column("forward_rms mean")->values[1], (2 + 3 + 4 + 6) / 4.0);
  EXPECT_EQ(b.column("forward_rms nonfinite")->values[1], 1);
  ASSERT_EQ(b.verdicts.size(), 1u);
  EXPECT_EQ(b.verdicts[0],
            "1 of 5 seeds have values of forward_rms that are not finite, from layer 2 on; "
            "statistics leave these out");
}

TEST(Aggregate, JoinsScoresToThatOfTheGeometricMean) {
  Result result = made_seeds();
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    Column score{.name = "forward_z", .values = {0.5, static_cast<double>(i)}};
    score.role = ColumnRole::score;
    result.cases[i].columns.push_back(score);
  }
  const Result all = aggregate(result, rows_of({"mean"}));
  // Five seeds: 5 * 0.5 / sqrt(5), and cases 0, 2, 4, 6, 8 of the list.
  EXPECT_NEAR(all.cases[0].column("forward_z")->values[0], 2.5 / std::sqrt(5), 1e-15);
  EXPECT_NEAR(all.cases[0].column("forward_z")->values[1], 20 / std::sqrt(5), 1e-14);
}

TEST(Aggregate, TellsWhatGeometricMeansDoFromLayerToLayer) {
  Result result = made_seeds();
  for (CaseResult& one : result.cases) {
    one.columns.front().told = {"forward", Direction::forward};
  }
  const Result all = aggregate(result, {});
  // Geometric means 4 and 40; of single seeds none is told.
  ASSERT_EQ(all.cases[0].verdicts.size(), 1u);
  EXPECT_EQ(all.cases[0].verdicts[0],
            "forward grows by x10 a layer: x10 over layers 1 to 2; layer 1 itself x4");
}

TEST(Aggregate, IsPartOfTheJson) {
  const auto json = nlohmann::json::parse(write_json(made_seeds()));
  ASSERT_EQ(json["aggregates"].size(), 2u);
  const auto& a = json["aggregates"][0];
  EXPECT_EQ(a["name"], "a");
  EXPECT_EQ(a["point"]["depth"], 2);
  EXPECT_NEAR(a["layers"][1]["forward_rms"]["geometric_mean"].get<double>(), 40, 1e-12);
  EXPECT_NEAR(a["output_rms"]["median"].get<double>(), 40, 1e-12);
  Result alone = made_seeds();
  alone.cases.resize(2);
  EXPECT_FALSE(nlohmann::json::parse(write_json(alone)).contains("aggregates"));
}

TEST(Pivot, HasARowAndAColumnForEachValueOfItsKeys) {
  Result result = made_seeds();
  result.cases.push_back(made("a", 4, "0", {1, 7}));
  PivotSpec spec;
  spec.rows = "depth";
  spec.columns = "case";
  spec.value = "forward_rms";
  spec.row = 2;
  spec.statistic = find_row(statistic_table(), "mean");
  spec.format = FormatSpec(".1f");
  const TextGrid grid = {{"depth", "a", "b"}, {"2", "62.0", "inf"}, {"4", "7.0", ""}};
  EXPECT_EQ(pivot_grid(result, spec), grid);
  EXPECT_EQ(pivot_heading(result, spec),
            "forward_rms at layer 2, mean over 5 seeds, by depth and case");
}

TEST(Pivot, AveragesSizesByTheirGeometricMeanAndAllElseByTheMean) {
  const auto statistic_of = [](const std::string& value) {
    const Plan plan = testing::plan_of(
        R"({"width": 2, "tokens": 2, "depth": 2, "sweep": {"init.gain": [1, 2]}, "seeds": [0, 1], "report":
            {"columns": ["forward_rms", "cosine"],
             "pivot": {"rows": "init.gain", "columns": "seed", "value": ")" +
        value + R"("}}})");
    return plan.cases[0].report.pivot->statistic->name;
  };
  EXPECT_EQ(statistic_of("forward_rms"), "geometric_mean");
  EXPECT_EQ(statistic_of("input_gradient_rms"), "geometric_mean");
  EXPECT_EQ(statistic_of("cosine"), "mean");
}

TEST(Pivot, RefusesKeysThatDoNotVaryAndOnesThatWouldBeAveragedUnseen) {
  const std::string base = R"({"width": 2, "depth": 2, "seeds": [0, 1],
      "sweep": {"tokens": [1, 2], "depth": [1, 2]}, "report": {"pivot": )";
  const auto refused = [&](const std::string& pivot, const std::string& text) {
    const auto error = testing::plan_error(base + pivot + "}}");
    ASSERT_TRUE(error.has_value()) << pivot;
    EXPECT_NE(std::string(error->what()).find(text), std::string::npos) << error->what();
  };
  refused(R"({"rows": "tokens"})", "/report/pivot/columns");
  refused(R"({"rows": "tokens", "columns": "width"})", "\"width\" does not vary");
  refused(R"({"rows": "tokens", "columns": "seed"})", "\"depth\" varies as well");
  refused(R"({"rows": "tokens", "columns": "depth", "value": "forward"})", "forward_rms");
  refused(R"({"rows": "tokens", "columns": "depth", "layer": 3})", "expected a layer");
  refused(R"({"rows": "tokens", "columns": "depth", "format": "d"})", "/report/pivot/format");
  EXPECT_FALSE(testing::plan_error(base + R"({"rows": "tokens", "columns": "depth"}}})"));
}

}  // namespace
}  // namespace sigstab
