// sigstab gains, run as a user does.

#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

// The cells of the first line whose first cells are these.
std::vector<std::string> row_of(const std::string& text, const std::vector<std::string>& starts) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; stream >> cell;) cells.push_back(cell);
    if (cells.size() > starts.size() &&
        std::ranges::equal(starts, std::span(cells).first(starts.size())))
      return cells;
  }
  ADD_FAILURE() << starts[0] << " is not in\n" << text;
  return std::vector<std::string>(20);
}

class Gains : public Command {};

// Nine digits, computed at 30 (tests/reference/make_gains_reference.py).
TEST_F(Gains, PrintsTheGainsOfEveryActivationToNineDigits) {
  const Outcome outcome = run({"gains"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto tanh = row_of(outcome.out, {"tanh", "0"});
  EXPECT_EQ(tanh, (std::vector<std::string>{"tanh", "0", "0.39429449", "0.464402902", "1.59253742",
                                            "unreachable", "1.46741359"}));
  EXPECT_EQ(row_of(outcome.out, {"gelu", "0.282094792"}),
            (std::vector<std::string>{"gelu", "0.282094792", "0.425221483", "0.455850866",
                                      "1.53353044", "1.46801126", "1.48111441"}));
  EXPECT_EQ(row_of(outcome.out, {"selu"})[1], "0");
  EXPECT_EQ(row_of(outcome.out, {"tanh", "torch"}),
            (std::vector<std::string>{"tanh", "torch", "1.66666667", "1.17848049", "1.20983132",
                                      "0.430899386", "stable", "0.651347048", "87.6862516"}));
  EXPECT_EQ(row_of(outcome.out, {"relu_squared", "preactivation"})[7], "10^-9.91305661e+13");
  EXPECT_FALSE(has(outcome.out, "swiglu"));
}

TEST_F(Gains, ShowsTheEdgeOfOneActivationAndTakesItsParameters) {
  const Outcome tanh = run({"gains", "tanh"});
  EXPECT_EQ(row_of(tanh.out, {"tanh", "0.05"}),
            (std::vector<std::string>{"tanh", "0.05", "1.76095464", "0.570047882", "0.518186484",
                                      "stable"}));
  const Outcome leaky = run({"gains", "leaky_relu:negative_slope=0.2", "--biases", "0,0.1"});
  EXPECT_EQ(row_of(leaky.out, {"leaky_relu:negative_slope=0.2", "0.319153824"})[4], "1.38675049");
  EXPECT_EQ(row_of(leaky.out, {"leaky_relu:negative_slope=0.2", "0"})[3], "any");
  EXPECT_EQ(row_of(leaky.out, {"leaky_relu:negative_slope=0.2", "0.1"})[2], "none");
  EXPECT_FALSE(has(run({"gains", "tanh", "gelu"}).out, "edge"));
}

TEST_F(Gains, FindsFixedPointsAndDepthScales) {
  const Outcome outcome =
      run({"gains", "tanh", "--weights", "1.3,0.9", "--biases", "0.05", "--only", "fixed_points"});
  const auto row = row_of(outcome.out, {"tanh", "1.3", "0.05"});
  EXPECT_EQ(row[3].substr(0, 8), "0.315316");
  EXPECT_EQ(row[4].substr(0, 8), "0.880163");
  EXPECT_EQ(row[5], "ordered");
  EXPECT_EQ(row[6].substr(0, 5), "7.834");
  EXPECT_EQ(row_of(outcome.out, {"tanh", "0.9"})[5], "ordered");
}

TEST_F(Gains, SaysWhereFormatsEnd) {
  // 65504 = 2^16 (1 - 2^-11); bfloat16 and float32 share their exponents.
  const Outcome doubled = run({"gains", "--layer-gain", "2"});
  EXPECT_EQ(row_of(doubled.out, {"float16"})[2], "15.9992954");
  EXPECT_EQ(row_of(doubled.out, {"float64"})[2], "1024");
  EXPECT_EQ(row_of(doubled.out, {"float32"})[4], "never");
  const Outcome halved = run({"gains", "--layer-gain", "0.5"});
  EXPECT_EQ(row_of(halved.out, {"float16"})[6], "24");
  EXPECT_EQ(row_of(halved.out, {"float32"})[4], "126");
  EXPECT_EQ(row_of(halved.out, {"float32"})[6], "149");
  EXPECT_EQ(row_of(halved.out, {"bfloat16"})[6], "133");
  EXPECT_EQ(row_of(run({"gains", "--layer-gain", "1"}).out, {"float64"})[2], "never");
  // Spread 1 at width 512: a gain of sqrt(512).
  const Outcome wide = run({"gains", "--layer-gain", "22.627416998"});
  EXPECT_EQ(row_of(wide.out, {"float16"})[2].substr(0, 4), "3.55");
  EXPECT_EQ(row_of(wide.out, {"float32"})[2].substr(0, 4), "28.4");
  EXPECT_EQ(row_of(wide.out, {"float64"})[2].substr(0, 5), "227.5");
}

TEST_F(Gains, WritesTheSameNumbersInEveryFormat) {
  const std::string json = run({"gains", "tanh", "--format", "json"}).out;
  EXPECT_EQ(json.substr(0, 15), "{\n \"schema\": 1,");
  EXPECT_TRUE(has(json, "\"second_moment\": 0.394294490")) << json;
  EXPECT_TRUE(has(json, "\"output_gain\": \"unreachable\"")) << json;
  const std::string csv = run({"gains", "tanh", "--only", "gains", "--format", "csv"}).out;
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "activation,mean,second_moment,slope_second_moment,preactivation_gain,output_gain,"
            "backward_gain");
  EXPECT_TRUE(has(csv, "\ntanh,0,0.394294490")) << csv;
  const std::string markdown = run({"gains", "tanh", "--format", "markdown"}).out;
  EXPECT_TRUE(has(markdown, "| tanh | 0 | 0.39429449 | 0.464402902 |")) << markdown;
}

TEST_F(Gains, RefusesWhatMeansNothing) {
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> wrong = {
      {{"tanhh"}, {"unknown activation \"tanhh\"", "did you mean \"tanh\""}},
      {{"swish"}, {"unknown activation", "did you mean \"silu\""}},
      {{"swiglu"}, {"gate of a gated mlp: silu"}},
      {{"elu:beta=1"}, {"elu:beta=1: elu has no parameter \"beta\"", "alpha"}},
      {{"tanh:x=1"}, {"no parameter", "it has none"}},
      {{"elu:alpha"}, {"no value for \"alpha\"", "elu:alpha=1"}},
      {{"elu:alpha=1x"}, {"expected a number, got \"1x\""}},
      {{"softcap:cap=0"}, {"expected cap in [1e-06, 1e+06], got 0"}},
      {{"--size", "0"}, {"--size: expected a number in [1e-30, 1e30], got 0"}},
      {{"--size", "nan"}, {"--size"}},
      {{"--weights", "-1"}, {"--weights"}},
      {{"--biases", "0.1"}, {"--biases: nothing here depends on it", "--edge"}},
      {{"tanh", "--biases=-0.1"}, {"--biases"}},
      {{"--layer-gain", "0"}, {"--layer-gain"}},
      {{"--depth", "0"}, {"--depth: expected an integer in [1, 100000], got 0"}},
      {{"--format", "article"}, {"--format: unknown name \"article\"", "known"}},
      {{"--format", "csv"}, {"holds one table, and 2 were asked for", "--only"}},
      {{"--only", "edges"}, {"did you mean \"edge\""}},
      {{"--only", "fixed_points"}, {"fixed_points needs --weights"}},
      {{"--only", "formats"}, {"formats needs --layer-gain"}},
  };
  for (const auto& [arguments, parts] : wrong) {
    std::vector<std::string> all = {"gains"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2) << arguments[0];
    EXPECT_EQ(outcome.out, "") << arguments[0];
    EXPECT_EQ(outcome.err.substr(0, 16), "sigstab: error: ") << outcome.err;
    for (const std::string& part : parts)
      EXPECT_TRUE(has(outcome.err, part)) << outcome.err << part;
  }
}

}  // namespace
}  // namespace sigstab::testing
