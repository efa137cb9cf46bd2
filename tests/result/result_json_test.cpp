// Results written and read back: every double the same, and files of others refused plainly.

#include "result/result_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/formats.hpp"
#include "result/csv.hpp"
#include "support/made_result.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::error_of;
using testing::made_result;
using testing::made_spec;
using testing::same;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_same_values(const Column& a, const Column& b) {
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    EXPECT_TRUE(same(a.values[i], b.values[i]))
        << a.name << " " << a.values[i] << " " << b.values[i];
  }
}

void expect_same_cases(const Result& a, const Result& b) {
  ASSERT_EQ(a.cases.size(), b.cases.size());
  for (std::size_t i = 0; i < a.cases.size(); ++i) {
    EXPECT_EQ(a.cases[i].label(), b.cases[i].label());
    EXPECT_EQ(a.cases[i].seed, b.cases[i].seed);
    ASSERT_EQ(a.cases[i].columns.size(), b.cases[i].columns.size());
    for (std::size_t c = 0; c < a.cases[i].columns.size(); ++c) {
      expect_same_values(a.cases[i].columns[c], b.cases[i].columns[c]);
    }
    ASSERT_EQ(a.cases[i].scalars.size(), b.cases[i].scalars.size());
    for (std::size_t s = 0; s < a.cases[i].scalars.size(); ++s) {
      EXPECT_EQ(a.cases[i].scalars[s].name, b.cases[i].scalars[s].name);
      EXPECT_TRUE(same(std::get<double>(a.cases[i].scalars[s].value),
                       std::get<double>(b.cases[i].scalars[s].value)));
    }
  }
}

TEST(ResultJson, ComesBackAsItWasWritten) {
  const Result written = made_result();
  const std::vector<Result> read = read_results(write_json(written), "r.json");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].experiment, "made");
  EXPECT_EQ(read[0].row_name, "layer");
  EXPECT_TRUE(read[0].complete);
  expect_same_cases(written, read[0]);
}

TEST(ResultJson, KeepsEveryDoubleBitForBit) {
  Result result = made_result();
  result.cases.resize(1);
  std::vector<double>& values = result.cases[0].columns[0].values;
  values = {0.0,
            -0.0,
            5e-324,
            -5e-324,
            2.2250738585072014e-308,
            1.7976931348623157e308,
            0.1,
            1.0 / 3,
            1e22,
            1e23,
            123456789012345678.0,
            kInfinity,
            -kInfinity,
            std::numeric_limits<double>::quiet_NaN()};
  double walk = 1e-300;
  for (int i = 0; i < 2000; ++i) values.push_back(walk *= -2.0123456789);
  for (std::size_t c = 1; c < result.cases[0].columns.size(); ++c) {
    result.cases[0].columns[c].values.assign(values.size(), 1);
  }
  expect_same_cases(result, read_results(write_json(result), "r.json")[0]);
  expect_same_cases(result, read_results(write_jsonl(result), "r.jsonl")[0]);
  const Result csv = read_csv(render_csv(result, made_spec), "r.csv");
  expect_same_values(csv.cases[0].columns[0], result.cases[0].columns[0]);
}

// Lines that each read it would cost the square of a config that names many seeds.
TEST(ResultJsonl, OnlyTheFirstLineReadsTheConfig) {
  Result result = made_result();
  result.config = "no json";
  const std::string line = jsonl_line(result, result.cases[0], false);
  EXPECT_TRUE(line.starts_with(kLineStart)) << line;
  EXPECT_EQ(line.find("config"), std::string::npos);
  EXPECT_ANY_THROW(jsonl_line(result, result.cases[0], true));
}

TEST(ResultJson, HasTheFixedFrame) {
  const Json frame = Json::parse(write_json(made_result()));
  EXPECT_EQ(frame["schema"], 1);
  EXPECT_EQ(frame["experiment"], "made");
  EXPECT_EQ(frame["config"]["depth"], 3);
  EXPECT_EQ(frame["provenance"]["blas_core"], "Haswell");
  EXPECT_EQ(frame["complete"], true);
  const Json& one = frame["cases"][1];
  EXPECT_EQ(one["point"]["depth"], 14);
  EXPECT_EQ(one["seed"], 7);
  EXPECT_EQ(one["output_rms"], 0.5);
  EXPECT_EQ(one["layers"][0]["layer"], 1);
  EXPECT_EQ(one["layers"][2]["forward_rms"], "nan");
  EXPECT_EQ(one["layers"][13]["forward_rms"], "inf");
  EXPECT_EQ(one["layers"][2]["weight_gradients"].dump(), R"([{"name":"W2","rms":1.0}])");
}

TEST(ResultJsonl, IsALineACaseAndHoldsSeveralExperiments) {
  Result other = made_result();
  other.experiment = "other";
  const std::string text = write_jsonl(made_result()) + write_jsonl(other) + "\n";
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  const std::vector<Result> read = read_results(text, "r.jsonl");
  ASSERT_EQ(read.size(), 2U);
  expect_same_cases(made_result(), read[0]);
  EXPECT_EQ(read[1].experiment, "other");
}

TEST(ResultJson, TakesRowsByTheirNumber) {
  Json frame = Json::parse(write_json(made_result()));
  frame["cases"][0]["layers"].erase(0);  // a filter kept layer 2 only
  const Result read = read_results(frame.dump(), "r.json")[0];
  EXPECT_EQ(read.cases[0].row_numbers, std::vector<std::int64_t>{2});
}

TEST(ResultJson, IgnoresKeysThatLaterVersionsAdd) {
  Json frame = Json::parse(write_json(made_result()));
  frame["later"] = Json::object();
  frame["cases"][0]["later"] = Json::array({"x"});
  EXPECT_NO_THROW(read_results(frame.dump(), "r.json"));
}

std::string refusal(const std::string& text, const std::string& file) {
  const auto error = error_of([&] { read_results(text, file); });
  return error ? error->where() + ": " + error->message() : "no error";
}

TEST(ResultJson, RefusesWhatIsNoResult) {
  const std::string no = "r.json: not a sigstab result: ";
  EXPECT_EQ(refusal("", "r.json"), no + "it is empty");
  EXPECT_EQ(refusal(" \n", "r.jsonl"), "r.jsonl: not a sigstab result: it is empty");
  EXPECT_EQ(refusal("[]", "r.json"), no + "no schema");
  EXPECT_EQ(refusal(R"({"depth": 5})", "r.json"), no + "no schema");
  EXPECT_EQ(refusal(R"({"schema": 1})", "r.json"), no + "no experiment");
  EXPECT_EQ(refusal(R"({"schema": 2})", "r.json"), "r.json: schema 2, expected 1");
  EXPECT_EQ(refusal(R"({"schema": "1"})", "r.json"), "r.json: schema \"1\", expected 1");
  EXPECT_EQ(refusal("{\"schema\": 1", "r.json").substr(0, 13), "r.json:1:13: ");
}

TEST(ResultJson, RefusesABrokenFrameWithoutFailingItself) {
  const Json good = Json::parse(write_json(made_result()));
  const auto broken = [&](const char* pointer, Json value) {
    Json frame = good;
    frame[Json::json_pointer(pointer)] = std::move(value);
    return refusal(frame.dump(), "r.json");
  };
  const std::string no = "r.json: not a sigstab result: ";
  EXPECT_EQ(broken("/complete", "yes"), no + "complete is \"yes\" (string)");
  EXPECT_EQ(broken("/cases", 5), no + "no cases");
  EXPECT_EQ(broken("/cases", Json::array()), no + "it holds no case");
  EXPECT_EQ(broken("/cases/0", 5), no + "a case is 5 (number)");
  EXPECT_EQ(broken("/row", nullptr), no + "no row");
  EXPECT_EQ(broken("/cases/0/layers/0", 5), no + "a row is 5 (number)");
  EXPECT_EQ(broken("/cases/0/layers/0/layer", "one"), no + "a row has no layer number");
  EXPECT_EQ(broken("/cases/0/layers/0/forward_rms", "much"),
            no + "forward_rms is \"much\" (string)");
  EXPECT_EQ(broken("/cases/0/layers/0/weight_gradients/0", 5),
            no + "weight_gradients holds 5 (number)");
  EXPECT_EQ(broken("/cases/0/layers/0/weight_gradients/0/name", 5),
            no + R"(weight_gradients holds {"name":5,"rms":0.3333333333333333} (object))");
}

TEST(ResultJson, OfAnyTruncationIsRefusedPlainly) {
  const std::string text = write_json(made_result());
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    EXPECT_NE(refusal(text.substr(0, length), "r.json"), "no error") << length;
  }
}

TEST(ResultCsv, ComesBackWithItsKeysAndEdges) {
  const Result read = read_csv(render_csv(made_result(), made_spec), "r.csv");
  ASSERT_EQ(read.cases.size(), 2U);
  EXPECT_EQ(read.row_name, "layer");
  EXPECT_EQ(read.cases[0].name, "a, \"first\"");
  EXPECT_EQ(read.cases[0].label(), "a, \"first\", depth=2");
  EXPECT_EQ(read.cases[1].seed, "7");
  EXPECT_EQ(read.cases[1].row_numbers.size(), 14U);
  EXPECT_EQ(std::get<double>(*read.cases[0].scalar("input_rms")), 1.25);
  EXPECT_EQ(std::get<double>(*read.cases[0].scalar("output_rms")), 0.5);
}

TEST(ResultCsv, RefusesRaggedRowsAndForeignHeaders) {
  const std::string header = "case,seed,layer,forward_rms\n";
  EXPECT_EQ(refusal(header + "a,0,1\n", "r.csv"), "r.csv line 2: expected 4 cells, got 3");
  EXPECT_EQ(refusal(header + "a,0,1,2\na,0,2,3,4\n", "r.csv"),
            "r.csv line 3: expected 4 cells, got 5");
  EXPECT_EQ(refusal(header + "a,0,1,much\n", "r.csv"),
            "r.csv line 2: expected a number, got \"much\"");
  for (const char* row : {"", "x", "1e300", "-1", "0", "1.5", "99999999999999999999"}) {
    EXPECT_EQ(
        refusal(header + "a,0," + row + ",2\n", "r.csv"),
        "r.csv line 2: expected a row number, input or output, got \"" + std::string(row) + "\"");
  }
  EXPECT_EQ(refusal(header, "r.csv"), "r.csv: not a sigstab result: it holds no case");
  for (const char* text :
       {"name,value\na,1\n", "case,layer,x\n", "case,seed,layer\na,0,1\n", "case,seed\n"}) {
    EXPECT_NE(refusal(text, "r.csv").find("not a sigstab csv"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace sigstab
