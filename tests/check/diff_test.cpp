// Two results, value by value: tolerances, values that are not finite, and what one side lacks.

#include "check/diff.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "report/formats.hpp"
#include "result/result_json.hpp"
#include "support/made_result.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::made_result;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Result one_value(double value) {
  Result result;
  result.experiment = "x";
  result.config = "{}";
  CaseResult one;
  one.name = "a";
  one.columns = {{.name = "forward_rms", .values = {value}}};
  result.cases = {one};
  return result;
}

bool agree(double a, double b, Tolerance tolerance = {}) {
  const DiffVerdict verdict = diff({one_value(a)}, {one_value(b)}, {tolerance, {}});
  EXPECT_EQ(verdict.compared, 1U);
  return verdict.same();
}

TEST(Diff, FindsNothingBetweenEqualResults) {
  const DiffVerdict verdict = diff({made_result()}, {made_result()}, {});
  EXPECT_TRUE(verdict.same());
  EXPECT_EQ(verdict.compared, 2U * 4 + 3 * (2 + 14));
}

TEST(Diff, IsExactWithoutTolerance) {
  EXPECT_TRUE(agree(1, 1));
  EXPECT_TRUE(agree(0.0, -0.0));
  EXPECT_FALSE(agree(1, 1 + std::numeric_limits<double>::epsilon()));
  EXPECT_FALSE(agree(0, 5e-324));
}

TEST(Diff, AllowsARelativeOrAnAbsoluteTolerance) {
  EXPECT_TRUE(agree(100, 101, {0.01, 0}));  // 1/101
  EXPECT_FALSE(agree(100, 101.02, {0.01, 0}));
  EXPECT_TRUE(agree(100, 101, {0, 1}));
  EXPECT_FALSE(agree(100, 101.5, {0, 1}));
  EXPECT_TRUE(agree(1e-30, 2e-30, {0, 1e-20}));
  EXPECT_FALSE(agree(1, -1, {0.5, 0}));
  EXPECT_TRUE(agree(1.7e308, 1.6e308, {0.1, 0}));
  EXPECT_FALSE(agree(1.7e308, -1.7e308, {0.1, 1}));
}

TEST(Diff, TakesNanAsNanAndInfinityAsItself) {
  EXPECT_TRUE(agree(kNan, kNan));
  EXPECT_TRUE(agree(kInfinity, kInfinity));
  EXPECT_FALSE(agree(kInfinity, -kInfinity, {1, 1e300}));
  EXPECT_FALSE(agree(kNan, 1, {1, 1e300}));
  EXPECT_FALSE(agree(kInfinity, 1e308, {1, 1e300}));
}

TEST(Diff, TellsWhatEitherSideLacks) {
  Result a = made_result(), b = made_result();
  a.cases[0].columns[0].values.pop_back();
  b.cases.pop_back();
  const DiffVerdict verdict = diff({a}, {b}, {});
  EXPECT_TRUE(verdict.differences.empty());
  EXPECT_EQ(verdict.only_a.size(), 4U + 3 * 14);
  EXPECT_EQ(verdict.only_b.size(), 1U);
  EXPECT_FALSE(verdict.same());
}

TEST(Diff, NamesTheValueAndPutsTheWorstFirst) {
  Result b = made_result();
  b.cases[0].columns[0].values[0] *= 1.001;
  b.cases[1].columns[1].values[3] *= 2;
  const DiffVerdict verdict = diff({made_result()}, {b}, {{1e-6, 0}, {}});
  ASSERT_EQ(verdict.differences.size(), 2U);
  EXPECT_EQ(verdict.differences[0].address, "b, depth=14, seed 7, gradient_rms[4]");
  EXPECT_DOUBLE_EQ(verdict.differences[0].distance, 0.5);
  EXPECT_EQ(verdict.differences[1].address, "a, \"first\", depth=2, seed 7, forward_rms[1]");
  EXPECT_EQ(verdict.differences[1].a, "0.01");
}

TEST(Diff, ComparesRowsByTheirNumbers) {
  const ReportSpec some{{2, 14}, {"forward_rms"}, std::nullopt};
  const ReportSpec fewer{{14}, {"forward_rms"}, std::nullopt};
  Result result = made_result();
  result.cases.erase(result.cases.begin());
  const auto csv = [&](const ReportSpec& spec) {
    return read_results(
        render_csv(result, [&](const CaseResult&) -> const ReportSpec& { return spec; }), "r.csv");
  };
  EXPECT_TRUE(diff(csv(some), csv(some), {}).same());
  const DiffVerdict verdict = diff(csv(some), csv(fewer), {});
  EXPECT_EQ(verdict.only_a, std::vector<std::string>{"b, depth=14, seed 7, forward_rms[2]"});
  EXPECT_FALSE(verdict.same());
}

TEST(Diff, ComparesSeveralExperimentsByTheirNames) {
  Result other = made_result();
  other.experiment = "other";
  EXPECT_TRUE(diff({made_result(), other}, {other, made_result()}, {}).same());
  other.cases[0].columns[0].values[0] = 0;
  const DiffVerdict verdict = diff({made_result(), made_result()}, {made_result(), other}, {});
  EXPECT_FALSE(verdict.same());
}

TEST(Diff, KeepsARunThatAFileHoldsTwice) {
  const std::string text = write_jsonl(made_result()) + write_jsonl(made_result());
  const std::vector<Result> twice = read_results(text, "r.jsonl");
  EXPECT_TRUE(diff(twice, twice, {}).same());
  EXPECT_EQ(diff(twice, {made_result()}, {}).only_a.size(), 2U * 4 + 3 * (2 + 14));
}

TEST(Diff, RefusesFilesWithNothingInCommon) {
  Result other = one_value(1);
  other.cases[0].columns[0].name = "gradient_rms";
  const auto error = testing::error_of([&] { diff({one_value(1)}, {other}, {}); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message(), "the two files have no value in common");
}

TEST(Diff, MeasuresSizesThatSpanDecadesByTheirLogarithms) {
  EXPECT_TRUE(agree(1e-10, 1.05e-10, {0, 0, 0.05}));
  EXPECT_FALSE(agree(1e-10, 1.06e-10, {0, 0, 0.05}));
  EXPECT_FALSE(agree(-1, -1.01, {0, 0, 0.05}));  // no logarithm
  const DiffVerdict verdict = diff({one_value(1e-10)}, {one_value(1e-4)}, {{0, 0, 0.05}, {}});
  EXPECT_NEAR(verdict.differences.at(0).distance, 6 * std::log(10), 1e-12);
  EXPECT_EQ(verdict.differences[0].unit, "ln");
}

TEST(Diff, HasTolerancesOfItsOwnForAColumn) {
  DiffRules rules;
  rules.columns = {{"forward_rms", {0.1}}};
  Result b = made_result();
  b.cases[0].columns[0].values[0] *= 1.05;
  EXPECT_TRUE(diff({made_result()}, {b}, rules).same());
  b.cases[1].columns[1].values[3] *= 1.05;  // gradient_rms
  EXPECT_EQ(diff({made_result()}, {b}, rules).differences.size(), 1U);
  rules.columns = {{"weight_gradient_rms", {0.1}}};
  EXPECT_EQ(rules.of("weight_gradient_rms.W2").relative, 0.1);
  EXPECT_EQ(rules.of("weight_gradient_frobenius.W2").relative, 0);
}

// A value of 1e-17 that should be 0 differs from it by all of it, whatever is allowed of sizes.
TEST(Diff, LeavesOutScores) {
  Result a = made_result(), b = a;
  for (Result* one : {&a, &b}) {
    CaseResult& first = one->cases.front();
    const double score = one == &a ? 1e-17 : 0.5;
    first.scalars.push_back({"input_gradient_z", score});
    first.columns.push_back(
        {.name = "forward_z", .values = {score, score}, .input_scalar = "input_z"});
  }
  a.cases.front().scalars.push_back({"input_z", 0.25});
  const DiffVerdict verdict = diff({a}, {b}, {});
  EXPECT_TRUE(verdict.same());
  EXPECT_EQ(verdict.compared, 2U * 4 + 3 * (2 + 14));
}

TEST(Diff, RefusesFilesOfScoresAlone) {
  Result scores = one_value(1);
  scores.cases[0].columns[0].name = "gradient_z";
  const auto error = testing::error_of([&] { diff({scores}, {scores}, {}); });
  ASSERT_TRUE(error.has_value());
  EXPECT_NE(error->hint().find("scores"), std::string::npos);
}

TEST(Diff, HasARuleForNoColumnThatIsNotThere) {
  const auto refused = [](const std::string& column) {
    DiffRules rules;
    rules.columns = {{column, {0.1}}};
    return testing::error_of([&] { check_rules(rules, {one_value(1)}, {made_result()}); });
  };
  EXPECT_FALSE(refused("gradient_rms"));
  EXPECT_FALSE(refused("input_rms"));
  EXPECT_FALSE(refused("weight_gradient_rms"));
  EXPECT_FALSE(refused("weight_gradient_rms.W2"));
  EXPECT_TRUE(refused("weight_gradient_rms.W3"));
  EXPECT_TRUE(refused("forward_z"));
  const auto error = refused("gradient_rsm");
  ASSERT_TRUE(error.has_value());
  EXPECT_NE(error->hint().find("did you mean \"gradient_rms\"?"), std::string::npos);
}

TEST(Diff, TellsNanFromNanWhereThatIsAsked) {
  DiffRules rules;
  rules.nan_equal = false;
  EXPECT_EQ(diff({one_value(kNan)}, {one_value(kNan)}, rules).differences.size(), 1U);
}

Result seeds_of(std::vector<double> values) {
  Result result = one_value(0);
  result.cases.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.cases.push_back(one_value(values[i]).cases[0]);
    result.cases.back().seed = std::to_string(i);
  }
  return result;
}

// Means of ln are 0.5 ln 2 apart; standard errors by hand: ln 2 / sqrt(2) / sqrt(2) each.
TEST(Diff, ComparesMeansOverSeedsInStandardErrors) {
  const Result a = seeds_of({1, 2}), b = seeds_of({2, 2, 2, 1, 4});
  DiffRules rules;
  const double spread = std::log(2) / 2, other = std::log(2) * std::sqrt(0.5 / 5);
  const double z = 0.5 * std::log(2) / std::hypot(spread, other);
  rules.z = z + 1e-9;
  EXPECT_TRUE(diff({a}, {b}, rules).same());
  rules.z = z - 1e-9;
  const DiffVerdict verdict = diff({a}, {b}, rules);
  ASSERT_EQ(verdict.differences.size(), 1U);
  EXPECT_NEAR(verdict.differences[0].distance, z, 1e-12);
  EXPECT_EQ(verdict.differences[0].address, "a, forward_rms[1]");
  const auto error = testing::error_of([&] { diff({a}, {seeds_of({1})}, rules); });
  ASSERT_TRUE(error.has_value());
  EXPECT_NE(error->hint().find("--seeds"), std::string::npos);
}

TEST(Diff, ASeedThatIsThereTwiceIsOneSeed) {
  Result twice = seeds_of({1, 2});
  twice.cases.push_back(twice.cases[1]);
  DiffRules rules;
  rules.z = 1e-9;
  EXPECT_TRUE(diff({seeds_of({1, 2})}, {twice}, rules).same());
}

TEST(Diff, OfOtherSeedsAloneHintsAtMeansWhereThereAreSeveral) {
  const auto hint = [](std::vector<double> left, std::vector<double> right, int width) {
    Result a = seeds_of(std::move(left)), b = seeds_of(std::move(right));
    a.config = R"({"width": 4, "depth": 3, "seeds": "0..1"})";
    b.config = R"({"width": )" + std::to_string(width) + R"(, "depth": 3, "seeds": "2..3"})";
    const auto error = testing::error_of([&] { diff({a}, {b}, {}); });
    return error ? error->hint() : "";
  };
  EXPECT_NE(hint({1, 2}, {1, 2}, 4).find("--z 3"), std::string::npos);
  EXPECT_NE(hint({1, 2}, {1}, 4).find("--any-config"), std::string::npos);
  EXPECT_NE(hint({1, 2}, {1, 2}, 5).find("--any-config"), std::string::npos);
}

TEST(Diff, RefusesResultsOfOtherConfigsUnlessToldTo) {
  Result a = one_value(1), b = one_value(1);
  a.config = R"({"width": 4, "title": "a", "norm": {"kind": "none"}})";
  b.config = R"({"width": 5, "title": "b", "norm": {"kind": "none"}, "depth": 2})";
  const auto error = testing::error_of([&] { diff({a}, {b}, {}); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message(), "these are results of different configs: width, depth");
  DiffRules rules;
  rules.any_config = true;
  EXPECT_TRUE(diff({a}, {b}, rules).same());
}

TEST(Diff, ASingleExperimentIsComparedWhateverItsName) {
  Result a = one_value(1), b = one_value(1);
  b.experiment = "y";
  EXPECT_TRUE(diff({a}, {b}, {}).same());
  a.config = R"({"width": 4})";
  b.config = R"({"width": 5})";
  EXPECT_TRUE(testing::error_of([&] { diff({a}, {b}, {}); }).has_value());
}

TEST(Diff, OneExperimentOfSeveralIsFoundByItsName) {
  Result other = one_value(2);
  other.experiment = "y";
  const DiffVerdict verdict = diff({one_value(1)}, {one_value(1), other}, {});
  EXPECT_EQ(verdict.compared, 1U);
  EXPECT_EQ(verdict.only_b, std::vector<std::string>{"y: a, forward_rms[1]"});
}

// Keys that a newer version knows have defaults, which the older one's results do not name.
TEST(Diff, AKeyLeftOutIsTheSameAsItsDefault) {
  Result a = one_value(1), b = one_value(1);
  a.config = R"({"width": 4, "depth": 3})";
  b.config = R"({"width": 4, "depth": 3, "tokens": 1, "norm": {"kind": "none"}})";
  EXPECT_TRUE(diff({a}, {b}, {}).same());
}

TEST(Diff, RefusesARunThatWasInterrupted) {
  Result part = made_result();
  part.complete = false;
  const auto error = testing::error_of([&] { check_whole({part}, "part.json"); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->where(), "part.json");
}

}  // namespace
}  // namespace sigstab
