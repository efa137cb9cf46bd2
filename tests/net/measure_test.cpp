// Every measure, bias, gated block and residual factor against PyTorch, over small stacks.

#include "net/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "base/named_table.hpp"
#include "net/dense_stack.hpp"
#include "support/reference_file.hpp"

namespace sigstab {
namespace {

using nlohmann::json;

StackSpec spec_of(const json& model) {
  StackSpec spec;
  spec.width = model["width"].get<std::int64_t>();
  spec.hidden = model["hidden"].get<std::int64_t>();
  spec.depth = model["depth"].get<std::int64_t>();
  spec.tokens = model["tokens"].get<std::int64_t>();
  spec.layer = model["layer"] == "mlp" ? LayerKind::mlp : LayerKind::dense;
  spec.activation.row = find_row(activation_table(), model["activation"].get<std::string>());
  spec.norm.row = find_row(norm_table(), model["norm"].get<std::string>());
  spec.norm.eps = model["eps"].get<double>();
  spec.norm.gain = model["norm_gain"].get<double>();
  spec.norm.bias = model["norm_bias"].get<double>();
  spec.placement = find_row(placement_table(), model["placement"].get<std::string>());
  Residual& residual = spec.residual;
  residual.row = find_row(residual_table(), model["residual"].get<std::string>());
  for (std::size_t i = 0; i < residual.row->parameters.size(); ++i) {
    residual.parameters[i] = residual.row->parameters[i].fallback;
  }
  residual.skip = model["skip"].get<double>();
  residual.branch = model["branch"].get<double>();
  residual.size.depth = spec.depth;
  residual.size.stages = block_stages(spec);
  return spec;
}

Matrix<double> matrix_of(const json& values, std::int64_t rows, std::int64_t cols) {
  Matrix<double> m(rows, cols);
  for (std::size_t i = 0; i < values.size(); ++i) m.data()[i] = values[i].get<double>();
  return m;
}

StoredWeights<double> weights_of(const json& one, const StackSpec& spec) {
  const std::vector<MatrixSpec> matrices = block_matrices(spec);
  StoredWeights<double> weights(Layout::out_in);
  for (std::size_t i = 0; i < one["unit_weights"].size(); ++i) {
    const MatrixSpec& m = matrices[i % matrices.size()];
    const BlockFactors factors =
        spec.residual.factors(1 + static_cast<std::int64_t>(i / matrices.size()));
    Matrix<double> w = matrix_of(one["unit_weights"][i], m.fan_out, m.fan_in);
    for (double& v : w.all()) v *= m.last ? factors.last_weights : factors.other_weights;
    weights.add(std::move(w), one["biases"][i].get<std::vector<double>>());
  }
  return weights;
}

// Every row of the table at every layer, by column name.
class AllMeasures final : public Probe<double> {
 public:
  explicit AllMeasures(const StackSpec& spec) : spec_(spec), matrices_(block_matrices(spec)) {}
  bool wants(Site) const override { return true; }
  void see(Site site, const Seen<double>& seen) override {
    if (seen.layer == 0) return;
    for (const MeasureRow& row : measure_table()) {
      if (row.site != site || (row.applies != nullptr && !row.applies(spec_))) continue;
      std::string name(row.name);
      if (row.each_matrix()) name += "." + std::string(matrices_[seen.matrix].name);
      values[name][seen.layer] = row.of(seen);
    }
  }
  std::map<std::string, std::map<std::int64_t, double>> values;

 private:
  const StackSpec& spec_;
  std::vector<MatrixSpec> matrices_;
};

TEST(Measures, AgreeWithPytorchAtEveryLayerOfEveryReferenceStack) {
  const json reference = testing::reference_file("measure_reference.json");
  std::set<std::string> covered;
  for (const json& one : reference["cases"]) {
    SCOPED_TRACE(one["model"].dump());
    const StackSpec spec = spec_of(one["model"]);
    ASSERT_NE(spec.activation.row, nullptr);
    StoredWeights<double> weights = weights_of(one, spec);
    DenseStack<double> stack(spec, weights);
    AllMeasures probe(spec);
    stack.forward(matrix_of(one["x"], spec.tokens, spec.width), probe, true);
    stack.backward(matrix_of(one["u"], spec.tokens, spec.width), probe);
    for (const auto& [name, theirs] : one["measures"].items()) {
      covered.insert(name.substr(0, name.find('.')));
      ASSERT_TRUE(probe.values.contains(name)) << name;
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        const double ours = probe.values[name][static_cast<std::int64_t>(i) + 1];
        // Both are sums of a few dozen float64 terms.
        EXPECT_NEAR(ours, theirs[i].get<double>(), 1e-11 * (1 + std::fabs(ours)))
            << name << " at layer " << i + 1;
      }
    }
  }
  for (const MeasureRow& row : measure_table()) {
    EXPECT_TRUE(covered.contains(std::string(row.name))) << row.name << " has no reference";
  }
}

}  // namespace
}  // namespace sigstab
