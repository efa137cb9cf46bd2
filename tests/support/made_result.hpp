#pragma once
// Results made by hand for the tests of renderers, files, check and diff: no numerics.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "report/formats.hpp"
#include "result/result.hpp"
#include "run/plan.hpp"

namespace sigstab::testing {

inline CaseResult made_case(const std::string& name, std::int64_t depth, double first) {
  CaseResult one;
  one.name = name;
  one.point = {{"depth", depth}};
  one.seed = "7";
  one.facts = {
      {"width", std::int64_t{4}}, {"depth", depth}, {"name", name}, {"seed", std::string("7")}};
  one.traits = {"4 wide", std::to_string(depth) + " deep", "seed 7"};
  one.scalars = {
      {"input_rms", 1.25}, {"output_rms", 0.5}, {"loss", 4.605}, {"input_gradient_rms", 1e-30}};
  std::vector<double> forward, gradient, weight;
  for (std::int64_t layer = 1; layer <= depth; ++layer) {
    forward.push_back(first * std::pow(10.0, static_cast<double>(layer)));
    gradient.push_back(1 / forward.back());
    weight.push_back(static_cast<double>(layer) / 3);
  }
  one.columns = {{"forward_rms", forward, "input_rms", "output_rms"},
                 {"gradient_rms", gradient, "input_gradient_rms", ""},
                 {"weight_gradient_rms.W2", weight, "", ""}};
  one.verdicts = {"forward explodes", "gradient vanishes"};
  return one;
}

inline Result made_result() {
  Result result;
  result.experiment = "made";
  result.kind = "depth";
  result.row_name = "layer";
  result.title = "two cases | by hand";
  result.source = "nowhere";
  result.config = R"({"depth":3})";
  result.provenance = {"1.2.3", "abc", "Release", "GNU 12", "OpenBLAS", "Haswell", 1};
  result.cases = {made_case("a, \"first\"", 2, 0.001), made_case("b", 14, 2e-8)};
  result.cases[1].columns[0].values[2] = std::numeric_limits<double>::quiet_NaN();
  result.cases[1].columns[0].values[13] = std::numeric_limits<double>::infinity();
  result.cases[1].columns[1].values[13] = -0.0;
  return result;
}

// Every column, every row that tells the story.
inline const ReportSpec& made_spec(const CaseResult&) {
  static const ReportSpec spec{
      {},
      {"forward_rms", "gradient_rms"},
      LineTemplate::parse("{name:12} first {forward_rms[1]:.3g} last {forward_rms[last]:.3g}")};
  return spec;
}

// The same doubles, bit by bit, but that all NaN are one.
inline bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace sigstab::testing
