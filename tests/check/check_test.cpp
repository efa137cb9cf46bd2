// Figures that a config expects, on results made by hand for its plan.

#include "check/check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "support/plan_of.hpp"

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
  EXPECT_EQ(v.protocol, Protocol::exact);
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
  EXPECT_EQ(v.protocol, Protocol::order);
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
  printed("root_mean_square", "2.646");  // sqrt(21 / 3)
  EXPECT_FALSE(over_seeds(R"("statistic": "mean", "printed": "2.4")").passed);
  EXPECT_TRUE(over_seeds(R"("statistic": "mean", "near": 2.3, "rel": 0.02)").passed);
}

TEST(Check, TakesAFigureWithinItsSpreadOverSeeds) {
  const FigureVerdict inside = over_seeds(R"("near": 5.3, "within_z": 2)");
  EXPECT_TRUE(inside.passed) << inside.expected;
  EXPECT_EQ(inside.protocol, Protocol::spread);
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

// Layer 1 holds 0.8041, layers 2 and 3 their numbers, every scalar 0.25.
TEST(Check, TakesOrdersOfMagnitudeStrictlyWithinTheirFactor) {
  const auto passes = [](const char* near, const char* factor) {
    return verdict_of(R"("layer": 3, "column": "forward_rms", "near": )" + std::string(near) +
                      R"(, "factor": )" + factor)
        .passed;
  };
  EXPECT_TRUE(passes("0.31", "10"));
  EXPECT_FALSE(passes("0.3", "10"));  // exactly ten times is not within
  EXPECT_TRUE(passes("29", "10"));
  EXPECT_FALSE(passes("30", "10"));
  EXPECT_FALSE(passes("-3", "10"));
  const FigureVerdict v =
      verdict_of(R"("layer": 3, "column": "forward_rms", "near": 1, "factor": 10)");
  EXPECT_EQ(v.protocol, Protocol::order);
  EXPECT_EQ(v.expected, "1 within a factor of 10");
}

TEST(Check, TakesValuesBelowABound) {
  EXPECT_TRUE(verdict_of(R"("layer": 3, "column": "forward_rms", "below": 3.01)").passed);
  EXPECT_FALSE(verdict_of(R"("layer": 3, "column": "forward_rms", "below": 3)").passed);
  const FigureVerdict v =
      verdict_of(R"("layer": 3, "column": "forward_rms", "below": 4, "protocol": "formula")");
  EXPECT_EQ(v.protocol, Protocol::formula);
  EXPECT_EQ(v.expected, "below 4");
}

TEST(Check, DividesByTheValueAtAnotherAddress) {
  const FigureVerdict rows = verdict_of(
      R"("layer": 3, "column": "forward_rms", "over": {"layer": 2}, "printed": "1.5", "protocol": "formula")");
  EXPECT_TRUE(rows.passed) << rows.ours;
  EXPECT_EQ(rows.protocol, Protocol::formula);
  EXPECT_EQ(rows.address, "forward_rms[3] / forward_rms[2]");
  const FigureVerdict scalar = verdict_of(
      R"("layer": 3, "column": "forward_rms", "over": {"layer": null, "column": "output_rms"}, "near": 12, "rel": 0)");
  EXPECT_TRUE(scalar.passed) << scalar.ours;
  EXPECT_FALSE(
      verdict_of(R"("layer": 3, "column": "forward_rms", "over": {"layer": 2}, "printed": "3")")
          .passed);
}

TEST(Check, DividesAcrossCasesPointsAndSeeds) {
  const Plan plan =
      plan_of(R"({"width": 2, "seeds": [1, 2], "cases": [{"name": "a"}, {"name": "b"}],
      "sweep": {"depth": [1, 2]}, "expect": [
      {"id": "x", "case": "a", "point": {"depth": 1}, "statistic": "mean", "layer": "last",
       "column": "forward_rms", "over": {"case": "b", "point": {"depth": 2}}, "printed": "0.6"},
      {"id": "z", "case": "a", "point": {"depth": 1}, "layer": "last", "column": "forward_rms",
       "over": {"case": "b"}, "near": 2.5, "within_z": 1}]})");
  Result result = made_for(plan);
  // Order: seed, case, depth. The means are 3 and 5; seed by seed a/b at depth 1 is 2 and 4.
  const double values[] = {2, 0, 1, 6, 4, 0, 1, 4};
  for (std::size_t i = 0; i < 8; ++i) result.cases[i].columns[0].values.back() = values[i];
  const std::vector<FigureVerdict> verdicts = check(plan, result);
  EXPECT_TRUE(verdicts[0].passed) << verdicts[0].ours;
  EXPECT_EQ(verdicts[0].address,
            "a, depth=1, forward_rms[1], mean over seeds / b, depth=2, forward_rms[2], mean over "
            "seeds");
  EXPECT_TRUE(verdicts[1].passed) << verdicts[1].ours;
  EXPECT_EQ(verdicts[1].ours, "3 +- 1.4 over 2 seeds");
}

TEST(Check, NamesWhatItDoesNotCheckAndNeverPassesIt) {
  for (const char* kind : {"outside", "later"}) {
    const FigureVerdict v = verdict_of(fmt::format(R"("{}": "a checkpoint")", kind));
    EXPECT_FALSE(v.passed);
    EXPECT_EQ(protocol_row(v.protocol).name, kind);
    EXPECT_EQ(v.ours, "");
    EXPECT_EQ(v.expected, "a checkpoint");
  }
}

TEST(Check, CountsFiguresByProtocolAndTheUncheckedApart) {
  const auto total = [](std::initializer_list<FigureVerdict> verdicts) {
    FigureTotals totals;
    for (const FigureVerdict& v : verdicts) totals.add(v);
    return std::pair{totals.text(), totals.all_passed()};
  };
  const auto figure = [](const char* id, Protocol protocol, bool passed) {
    return FigureVerdict{id, protocol, "", "", "", passed};
  };
  EXPECT_EQ(total({}), std::pair(std::string("0 figures: 0 failed"), true));
  EXPECT_EQ(total({figure("a", Protocol::exact, true)}),
            std::pair(std::string("1 figure: 1 exact, 0 failed"), true));
  EXPECT_EQ(total({figure("a", Protocol::order, true), figure("b", Protocol::exact, true),
                   figure("c", Protocol::exact, false), figure("d", Protocol::spread, true),
                   figure("e", Protocol::formula, true), figure("f", Protocol::formula, false)}),
            std::pair(std::string("6 figures: 1 exact, 1 by formula, 1 by order, 1 by spread, 2 "
                                  "failed"),
                      false));
  EXPECT_EQ(
      total({figure("a", Protocol::exact, true), figure("b", Protocol::later, false),
             figure("c", Protocol::outside, false), figure("d", Protocol::outside, false)}),
      std::pair(std::string("1 figure: 1 exact, 0 failed; outside: 2 (c, d), later: 1 (b)"), true));
}

}  // namespace
}  // namespace sigstab
