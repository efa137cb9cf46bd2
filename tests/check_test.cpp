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

}  // namespace
}  // namespace sigstab
