// Plans: the order of results, what shares a stream, and what is too large to run.

#include "run/plan.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "config/read_config.hpp"
#include "run/run.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::error_of;
using testing::plan_error;
using testing::plan_of;

// "seed case point" of every result, from the units alone.
std::vector<std::string> order_of(const Plan& plan) {
  std::vector<std::string> order(plan.results);
  for (const Unit& unit : plan.units) {
    for (std::size_t i : unit.cases) {
      order.at(unit.first_result + i) =
          unit.seed.text() + " " + plan.cases[i].name + " " + plan.cases[i].point_text;
    }
  }
  return order;
}

std::vector<std::size_t> unit_sizes(const Plan& plan) {
  std::vector<std::size_t> sizes;
  for (const Unit& unit : plan.units) sizes.push_back(unit.cases.size());
  return sizes;
}
using Sizes = std::vector<std::size_t>;

TEST(Plan, OrdersResultsBySeedThenCaseThenGrid) {
  for (const char* generator : {"philox", "torch"}) {
    const Plan plan = plan_of(R"({"width": 2, "random": ")" + std::string(generator) +
                              R"(", "seeds": [7, 5], "cases": [{"name": "b"}, {"name": "a"}],
                              "sweep": {"depth": [2, 1], "tokens": [1, 2]}})");
    EXPECT_EQ(order_of(plan),
              (std::vector<std::string>{
                  "7 b depth=2,tokens=1", "7 b depth=2,tokens=2", "7 b depth=1,tokens=1",
                  "7 b depth=1,tokens=2", "7 a depth=2,tokens=1", "7 a depth=2,tokens=2",
                  "7 a depth=1,tokens=1", "7 a depth=1,tokens=2", "5 b depth=2,tokens=1",
                  "5 b depth=2,tokens=2", "5 b depth=1,tokens=1", "5 b depth=1,tokens=2",
                  "5 a depth=2,tokens=1", "5 a depth=2,tokens=2", "5 a depth=1,tokens=1",
                  "5 a depth=1,tokens=2"}))
        << generator;
  }
}

TEST(Plan, WithoutCasesOrSweepIsOneResult) {
  const Plan plan = plan_of("{}");
  EXPECT_EQ(plan.results, 1U);
  EXPECT_EQ(order_of(plan), std::vector<std::string>{"0  "});
  EXPECT_EQ(plan.experiment, "my");
}

TEST(Units, KeepTheCasesOfASequentialStreamTogether) {
  const std::string cases = R"("cases": [{"name": "a"}, {"name": "b"}, {"name": "c"}])";
  const auto sizes = [&](const std::string& random) {
    return unit_sizes(
        plan_of(R"({"width": 2, "depth": 1, "random": )" + random + ", " + cases + "}"));
  };
  EXPECT_EQ(sizes(R"("philox")"), (Sizes{1, 1, 1}));
  EXPECT_EQ(sizes(R"("numpy")"), (Sizes{3}));
  EXPECT_EQ(sizes(R"({"generator": "torch", "reseed": true})"), (Sizes{1, 1, 1}));
  EXPECT_EQ(sizes(R"({"generator": "torch", "reseed": true, "shared": ["weights"]})"), (Sizes{3}));
}

TEST(Units, StartAFreshStreamForEverySeed) {
  const Plan plan = plan_of(
      R"({"width": 2, "random": "numpy", "seeds": [0, 1], "cases": [{"name": "a"}, {"name": "b"}]})");
  EXPECT_EQ(unit_sizes(plan), (Sizes{2, 2}));
  EXPECT_EQ(plan.units[1].first_result, 2U);
}

TEST(Units, PartCasesWithSeedsOfTheirOwn) {
  const Plan plan = plan_of(R"({"width": 2, "random": "numpy",
      "cases": [{"name": "a", "random": {"seed": 1}}, {"name": "b", "random": {"seed": 2}},
                {"name": "c", "random": {"seed": 1}}]})");
  EXPECT_EQ(unit_sizes(plan), (Sizes{2, 1}));
  EXPECT_EQ(plan.units[0].cases, (Sizes{0, 2}));
  EXPECT_EQ(order_of(plan), (std::vector<std::string>{"1 a ", "2 b ", "1 c "}));
}

TEST(Cost, CountsWeightsAndOperations) {
  const Plan plan =
      plan_of(R"({"width": 8, "depth": 3, "tokens": 2, "layer": {"kind": "mlp", "hidden": 16},
      "seeds": [0, 1]})");
  const Cost cost = total_cost(plan);
  const double weights = 2 * 3 * 2 * 8 * 16;  // seeds, layers, matrices
  EXPECT_EQ(cost.weights, weights);
  // Forward and input gradients: two products a matrix, two operations an entry.
  EXPECT_EQ(cost.flops, 2 * 2 * weights * 2);
  EXPECT_GE(cost.bytes, 3 * 2 * (8 + 16) * 8);
  // A third where something asks for the weight gradients.
  const Plan more =
      plan_of(R"({"width": 8, "depth": 3, "tokens": 2, "layer": {"kind": "mlp", "hidden": 16},
      "seeds": [0, 1], "report": {"columns": ["weight_gradient_rms.W2"]}})");
  EXPECT_EQ(total_cost(more).flops, 2 * 2 * weights * 3);
}

TEST(Cost, CountsWhatIsKeptOfEveryResult) {
  const char* text = R"({"width": 1, "depth": 100000, "seeds": {"count": 1000}})";
  // Two columns, 8 bytes a value.
  EXPECT_GE(total_cost(plan_of(text)).bytes, 1000.0 * 100000 * 2 * 8);
}

TEST(CheckMemory, RefusesAPlanThatNeedsMoreThanThereIs) {
  const Plan plan = plan_of(R"({"width": 1048576, "depth": 100000, "tokens": 1048576})");
  const auto error = error_of([&] { check_memory(plan, {1, 16e9}); });
  ASSERT_TRUE(error.has_value());
  EXPECT_NE(error->message().find("GB of memory, and 16 GB are available"), std::string::npos);
  EXPECT_NE(error->hint().find("width"), std::string::npos);
  EXPECT_FALSE(error_of([&] { check_memory(plan, {1, std::numeric_limits<double>::infinity()}); }));
  const double needed = total_cost(plan_of("{}")).bytes;
  EXPECT_FALSE(error_of([&] { check_memory(plan_of("{}"), {1, needed}); }));
  EXPECT_TRUE(error_of([&] { check_memory(plan_of("{}"), {1, needed - 1}); }));
}

TEST(Plan, HoldsAtMostAMillionResults) {
  const auto swept = [](int values) {
    std::string list = "1";
    for (int i = 2; i <= values; ++i) list += "," + std::to_string(i);
    return R"({"width": 1, "seeds": {"count": 1000}, "sweep": {"depth": [)" + list + "]}}";
  };
  EXPECT_EQ(plan_of(swept(1000)).results, 1'000'000U);
  EXPECT_TRUE(plan_error(swept(1001)));
  EXPECT_TRUE(plan_error(R"({"seeds": {"count": 1000001}})"));
}

TEST(Plan, IsRefusedAsAWholeForOneWrongCase) {
  EXPECT_TRUE(plan_error(R"({"cases": [{"name": "a"}, {"name": "b", "depth": -1}]})"));
  EXPECT_TRUE(plan_error(R"({"sweep": {"depth": [1, 2, 0]}})"));
}

TEST(Report, RowsAreSortedAndOnce) {
  const Plan plan = plan_of(R"({"depth": 9, "report": {"layers": ["last", 3, 1, 9, 3]}})");
  EXPECT_EQ(plan.cases[0].report.rows, (std::vector<std::int64_t>{1, 3, 9}));
  EXPECT_EQ(plan_of(R"({"depth": 3, "report": {"layers": "all"}})").cases[0].report.rows,
            (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(Report, OfAResultIsThatOfItsCase) {
  const Plan plan = plan_of(R"({"width": 2, "depth": 9, "seeds": [0, 1], "cases": [
      {"name": "a", "report": {"layers": [1]}}, {"name": "b", "report": {"layers": [2]}}]})");
  const Result result = run(plan, {1, 1e12});
  ASSERT_EQ(result.cases.size(), 4u);
  EXPECT_EQ(plan.report_of(result.cases[2]).rows, std::vector<std::int64_t>{1});
  EXPECT_EQ(plan.report_of(result.cases[3]).rows, std::vector<std::int64_t>{2});
}

TEST(Run, GivesEveryResultItsCasePointAndSeed) {
  const Plan plan = plan_of(R"({"width": 2, "depth": 2, "random": "numpy", "seeds": [3, 4],
      "sweep": {"tokens": [1, 2]}})");
  const Result result = run(plan, {1, 1e12});
  ASSERT_EQ(result.cases.size(), 4U);
  EXPECT_EQ(result.cases[1].label(), "tokens=2");
  EXPECT_EQ(result.cases[1].seed, "3");
  EXPECT_EQ(result.cases[2].seed, "4");
  for (const CaseResult& one : result.cases) EXPECT_EQ(one.rows(), 2);
}

TEST(Run, OfPhiloxDoesNotDependOnOtherCases) {
  const auto size_of = [](const std::string& cases) {
    const Result result =
        run(plan_of(R"({"width": 8, "depth": 2, "cases": [)" + cases + "]}"), {1, 1e12});
    return result.cases.back().column("forward_rms")->values;
  };
  EXPECT_EQ(size_of(R"({"name": "b"})"), size_of(R"({"name": "a"}, {"name": "b"})"));
  EXPECT_NE(size_of(R"({"name": "b"})"), size_of(R"({"name": "a"})"));
}

TEST(Plan, LetsFlagsChangeWhatReportAndFiguresWereWrittenFor) {
  const char* const config = R"({"width": 4, "depth": 5, "report": {"layers": [1, 5],
      "line": "{forward_rms[5]:.3g}"}, "expect": [{"id": "a", "layer": 5, "column": "forward_rms",
      "printed": "1"}]})";
  EXPECT_EQ(plan_of(config).expectations.size(), 1u);
  Overrides shorter;
  shorter.set = {"depth=3"};
  const Plan plan = plan_of(config, shorter);
  EXPECT_TRUE(plan.expectations.empty());
  EXPECT_TRUE(plan.cases[0].report.rows.empty());
  EXPECT_FALSE(plan.cases[0].report.line.has_value());
  Overrides seeds;
  seeds.seeds = {"1", "2"};
  EXPECT_EQ(plan_of(config, seeds).cases[0].report.rows, (std::vector<std::int64_t>{1, 5}));
  shorter.rows = {"last"};
  EXPECT_EQ(plan_of(config, shorter).cases[0].report.rows, std::vector<std::int64_t>{3});
  shorter.rows = {"5"};
  EXPECT_TRUE(testing::plan_error(config, shorter).has_value()) << "what the flag itself asks for";
}

}  // namespace
}  // namespace sigstab
