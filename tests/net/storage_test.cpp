// Stacks stored in 16 bits against PyTorch's casts, and what is too large or too small for them.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/named_table.hpp"
#include "math/rounding.hpp"
#include "net/dense_stack.hpp"
#include "run/run.hpp"
#include "support/plan_of.hpp"
#include "support/reference_file.hpp"

namespace sigstab {
namespace {

using nlohmann::json;
using testing::plan_of;

Matrix<float> matrix_of(const json& values, std::int64_t rows, std::int64_t cols) {
  Matrix<float> m(rows, cols);
  for (std::size_t i = 0; i < values.size(); ++i) m.data()[i] = values[i].get<float>();
  return m;
}

class Streams final : public Probe<float> {
 public:
  void see(Site site, const Seen<float>& seen) override {
    if (site != Site::stream || seen.layer == 0) return;
    layers.emplace_back(seen.value.all().begin(), seen.value.all().end());
  }
  std::vector<std::vector<float>> layers;
};

TEST(Storage, RoundsAsPytorchCastsAfterEveryOperation) {
  const json reference = testing::reference_file("storage_reference.json");
  for (const json& one : reference["cases"]) {
    const auto dtype = one["dtype"].get<std::string>(), norm = one["norm"].get<std::string>();
    SCOPED_TRACE(dtype + " norm " + norm);
    const NumberFormat* format = find_row(kNumberFormats, dtype);
    StackSpec spec;
    spec.width = one["width"].get<std::int64_t>();
    spec.depth = one["depth"].get<std::int64_t>();
    spec.tokens = one["tokens"].get<std::int64_t>();
    spec.activation.row = find_row(activation_table(), "relu");
    spec.norm.row = find_row(norm_table(), norm == "none" ? "none" : "rmsnorm");
    spec.norm.eps = one["eps"].get<double>();
    if (norm == "steps") spec.norm.steps = format;
    spec.placement = find_row(placement_table(), norm == "none" ? "none" : "pre");
    spec.residual.row = find_row(residual_table(), "plain");
    spec.residual.branch = 0.5;
    spec.storage = format;
    StoredWeights<float> weights(Layout::out_in);
    for (const json& w : one["weights"]) weights.add(matrix_of(w, spec.width, spec.width));
    DenseStack<float> stack(spec, weights);
    Streams probe;
    stack.forward(matrix_of(one["x"], spec.tokens, spec.width), probe, false);
    for (std::size_t layer = 0; layer < probe.layers.size(); ++layer) {
      for (std::size_t i = 0; i < probe.layers[layer].size(); ++i) {
        const float ours = probe.layers[layer][i];
        const float theirs = one["stream"][layer][i].get<float>();
        float stored = ours;
        format->round({&stored, 1});
        EXPECT_EQ(stored, ours) << "not a number of the format";
        // A product summed in another order may fall on the other side of a rounding, once a layer.
        const double step = std::ldexp(1.0, 1 - format->significand);
        EXPECT_NEAR(ours, theirs,
                    2 * step * (std::fabs(theirs) + 0.1 * static_cast<double>(layer > 0)))
            << "layer " << layer + 1 << ", entry " << i;
      }
    }
  }
}

CaseResult run_one(const std::string& config) {
  return run(plan_of(config), {1, 1e12}).cases.at(0);
}

TEST(Storage, NamesTheLayerThatOverflowsOrLeavesTheNormalNumbers) {
  const CaseResult up = run_one(R"({"width": 512, "depth": 8, "dtype": "float16",
      "init": {"kind": "normal", "spread": 1}, "upstream": "none"})");
  // 512^(l/2) passes 65504 at layer 3.56.
  EXPECT_NE(up.verdicts.at(0).find("overflows first at layer 4"), std::string::npos)
      << up.verdicts.at(0);
  const CaseResult down = run_one(R"({"width": 512, "depth": 40, "dtype": "float16",
      "init": {"kind": "lecun", "gain": 0.5}, "upstream": "none"})");
  // 2^-14 lies below after 14 halvings or so, 2^-24 is the last number: entries die at layer 26.
  EXPECT_NE(down.verdicts.at(1).find("below float16's normal numbers (6.1e-05) from layer 1"),
            std::string::npos)
      << down.verdicts.at(1);
  EXPECT_NE(down.verdicts.at(0).find("is zero first at layer 2"), std::string::npos)
      << down.verdicts.at(0);
  // bfloat16 has float32's range.
  const CaseResult wide = run_one(R"({"width": 512, "depth": 8, "dtype": "bfloat16",
      "init": {"kind": "normal", "spread": 1}, "upstream": "none"})");
  EXPECT_TRUE(std::isfinite(wide.column("forward_rms")->values.back()));
}

// The article's remark: in float16 eps 1e-8 is stored as 0, and a norm of small values computed in
// the format divides by 0 where float32 holds.
TEST(Storage, ANormInTheFormatLosesWhatFloat32Keeps) {
  const std::string base = R"({"width": 64, "depth": 1, "dtype": "float16", "init": "identity",
      "input": {"spread": 1e-5}, "upstream": "none", "norm": {"kind": "rmsnorm", "eps": 1e-8,
      "placement": "pre", "compute": ")";
  EXPECT_NEAR(std::get<double>(*run_one(base + "float32\"}}").scalar("output_rms")), 0.1, 0.03);
  const double lost = std::get<double>(*run_one(base + "dtype\"}}").scalar("output_rms"));
  EXPECT_FALSE(std::isfinite(lost)) << lost;
}

}  // namespace
}  // namespace sigstab
