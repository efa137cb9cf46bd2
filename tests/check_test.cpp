// Figures that a config expects, on results made by hand for its plan.

#include "pipeline/check.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "plan_of.hpp"

namespace sigstab {
namespace {

using testing::plan_of;

// The plan's results with forward_rms 0.8041 at layer 1, then the row number.
Result made_for(const Plan& plan) {
  Result result;
  for (const Unit& unit : plan.units) {
    for (std::size_t i : unit.cases) {
      CaseResult one = plan.cases[i].model->shape();
      identify(one, plan.cases[i], unit.seed.text());
      for (Column& column : one.columns) {
        column.values = {0.8041};
        for (std::int64_t row = 2; row <= plan.cases[i].model->rows(); ++row) {
          column.values.push_back(static_cast<double>(row));
        }
      }
      for (NamedScalar& scalar : one.scalars) scalar.value = 0.25;
      result.cases.resize(plan.results);
      result.cases[unit.first_result + i] = one;
    }
  }
  return result;
}

FigureVerdict verdict_of(const std::string& entry) {
  const Plan plan =
      plan_of(R"({"width": 2, "depth": 3, "report": {"line": "L1: {forward_rms[1]:.3g}"},
      "expect": [{"id": "a", )" +
              entry + "}]}");
  return check(plan, made_for(plan)).at(0);
}

TEST(Check, PassesWhenThePrintedValueIsTheSameText) {
  const FigureVerdict v = verdict_of(R"("layer": 1, "column": "forward_rms", "printed": "0.804")");
  EXPECT_TRUE(v.passed);
  EXPECT_EQ(v.id, "a");
  EXPECT_EQ(v.ours, "0.804");
  EXPECT_EQ(v.expected, "0.804");
  EXPECT_EQ(v.protocol, "exact");
  EXPECT_EQ(v.address, "forward_rms[1]");
}

TEST(Check, FailsOnAnyOtherTextAndShowsBoth) {
  for (const char* printed : {"0.805", "0.8", "0.8040", " 0.804", ""}) {
    const FigureVerdict v = verdict_of(R"("layer": 1, "column": "forward_rms", "printed": ")" +
                                       std::string(printed) + "\"");
    EXPECT_FALSE(v.passed) << printed;
    EXPECT_EQ(v.ours, "0.804");
    EXPECT_EQ(v.expected, printed);
  }
}

TEST(Check, PrintsWithTheGivenFormatAndNeverInfersIt) {
  EXPECT_TRUE(
      verdict_of(R"("layer": 1, "column": "forward_rms", "printed": "0.80410", "format": ".5f")")
          .passed);
  EXPECT_TRUE(
      verdict_of(R"("layer": "last", "column": "forward_rms", "printed": "3.0", "format": "")")
          .passed);
  EXPECT_FALSE(verdict_of(R"("layer": "last", "column": "forward_rms", "printed": "3.00")").passed);
}

TEST(Check, AddressesScalarsFactsColumnsAndLines) {
  EXPECT_TRUE(verdict_of(R"("column": "output_rms", "printed": "0.25")").passed);
  EXPECT_TRUE(verdict_of(R"("column": "activation", "printed": "linear", "format": "")").passed);
  EXPECT_TRUE(verdict_of(R"("column": "width", "printed": "2", "format": "d")").passed);
  EXPECT_TRUE(verdict_of(R"("column": "forward_rms", "printed": "[0.804 2.    3.   ]")").passed);
  EXPECT_TRUE(verdict_of(R"("line": "L1: 0.804")").passed);
  EXPECT_FALSE(verdict_of(R"("line": "L1: 0.805")").passed);
  EXPECT_EQ(verdict_of(R"("line": "L1: 0.805")").address, "line");
}

TEST(Check, TakesNearValuesWithinTheirTolerance) {
  const FigureVerdict v =
      verdict_of(R"("layer": 1, "column": "forward_rms", "near": 0.8, "rel": 0.01)");
  EXPECT_TRUE(v.passed);
  EXPECT_EQ(v.protocol, "near");
  EXPECT_EQ(v.expected, "0.8 within 1%");
  EXPECT_FALSE(
      verdict_of(R"("layer": 1, "column": "forward_rms", "near": 0.8, "rel": 0.005)").passed);
  EXPECT_FALSE(verdict_of(R"("layer": 1, "column": "forward_rms", "near": -0.8, "rel": 1)").passed);
}

TEST(Check, NeverPassesANanAsNear) {
  const Plan plan = plan_of(R"({"width": 2, "depth": 1, "expect": [
      {"id": "a", "column": "output_rms", "near": 1, "rel": 1e300}]})");
  Result result = made_for(plan);
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (NamedScalar& scalar : result.cases[0].scalars) scalar.value = value;
    EXPECT_FALSE(check(plan, result).at(0).passed) << value;
  }
}

TEST(Check, PicksTheResultByCasePointAndSeed) {
  const Plan plan =
      plan_of(R"({"width": 2, "seeds": [4, "5"], "cases": [{"name": "a"}, {"name": "b"}],
      "sweep": {"depth": [1, 2]}, "expect": [
      {"id": "x", "case": "b", "point": {"depth": 2}, "seed": 5, "layer": 2, "column": "forward_rms", "printed": "2"},
      {"id": "y", "case": "a", "point": {"depth": 1.0}, "seed": "4", "layer": "last", "column": "forward_rms", "printed": "9"}]})");
  Result result = made_for(plan);
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    result.cases[i].columns[0].values.back() = i == 7 ? 2 : i == 0 ? 9 : 0;
  }
  const std::vector<FigureVerdict> verdicts = check(plan, result);
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_TRUE(verdicts[0].passed);
  EXPECT_EQ(verdicts[0].address, "b, depth=2, forward_rms[2]");
  EXPECT_TRUE(verdicts[1].passed);
}

// Three seeds whose values at layer 1 are 1, 2 and 4: mean 7/3, deviation 1.5275, geometric mean 2.
FigureVerdict over_seeds(const std::string& entry) {
  const Plan plan = plan_of(R"({"width": 2, "depth": 3, "seeds": [5, 6, 7], "expect": [{"id": "a",
      "layer": 1, "column": "forward_rms", )" +
                            entry + "}]}");
  Result result = made_for(plan);
  for (std::size_t i = 0; i < 3; ++i) {
    result.cases[i].columns[0].values[0] = static_cast<double>(1 << i);
  }
  return check(plan, result).at(0);
}

TEST(Check, TakesStatisticsOverSeeds) {
  const auto printed = [](const char* statistic, const char* text) {
    const FigureVerdict v = over_seeds(std::string(R"("statistic": ")") + statistic +
                                       R"(", "printed": ")" + text + R"(", "format": ".4g")");
    EXPECT_TRUE(v.passed) << statistic << " is " << v.ours;
  };
  printed("mean", "2.333");
  printed("standard_deviation", "1.528");
  printed("standard_error", "0.8819");
  printed("geometric_mean", "2");
  printed("median", "2");
  EXPECT_FALSE(over_seeds(R"("statistic": "mean", "printed": "2.4")").passed);
  EXPECT_TRUE(over_seeds(R"("statistic": "mean", "near": 2.3, "rel": 0.02)").passed);
}

TEST(Check, TakesAFigureWithinItsSpreadOverSeeds) {
  const FigureVerdict inside = over_seeds(R"("near": 5.3, "within_z": 2)");
  EXPECT_TRUE(inside.passed) << inside.expected;
  EXPECT_EQ(inside.protocol, "spread");
  EXPECT_EQ(inside.ours, "2.333 +- 1.5 over 3 seeds");
  EXPECT_FALSE(over_seeds(R"("near": 5.5, "within_z": 2)").passed);
  EXPECT_FALSE(over_seeds(R"("near": -1, "within_z": 2)").passed);
}

TEST(Check, RefusesWhatHasNoMeaningOverSeeds) {
  const auto refused = [](const std::string& config, const std::string& entry) {
    return testing::plan_error("{" + config + R"("expect": [{"id": "a", )" + entry + "}]}")
        .has_value();
  };
  const std::string cell = R"("layer": 1, "column": "forward_rms", )",
                    seeds = R"("seeds": [1, 2], )";
  EXPECT_FALSE(refused(seeds, cell + R"("near": 1, "within_z": 3)"));
  EXPECT_TRUE(refused("", cell + R"("near": 1, "within_z": 3)")) << "one seed";
  EXPECT_TRUE(refused(seeds, cell + R"("printed": "1", "within_z": 3)"));
  EXPECT_TRUE(refused(seeds, cell + R"("near": 1, "rel": 0.1, "within_z": 3)"));
  EXPECT_TRUE(refused(seeds, cell + R"("near": 1, "within_z": 3, "statistic": "mean")"));
  EXPECT_TRUE(refused(seeds, cell + R"("printed": "1", "statistic": "mean", "seed": 1)"));
  EXPECT_TRUE(refused(seeds, cell + R"("printed": "1", "statistic": "average")"));
  EXPECT_TRUE(refused(seeds, R"("column": "init", "printed": "lecun", "statistic": "mean")"));
}

}  // namespace
}  // namespace sigstab
