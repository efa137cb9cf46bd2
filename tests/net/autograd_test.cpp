// Whole stacks against PyTorch's autograd in float64: 160 models of every activation, norm,
// placement and residual form, with the stream, every gradient of it and every weight gradient.
//
// Tolerance: 1e-10 of the largest entry of each tensor. Both sides are float64; what differs is the
// order of summation and, in tails of gelu, that PyTorch forms 1 + erf where we keep erfc.

#include <gtest/gtest.h>

#include <cmath>

#include "base/named_table.hpp"
#include "net/dense_stack.hpp"
#include "support/reference_file.hpp"

namespace sigstab {
namespace {

using nlohmann::json;

constexpr double kTolerance = 1e-10;

StackSpec spec_of(const json& model) {
  StackSpec spec;
  spec.width = model["width"].get<std::int64_t>();
  spec.depth = model["depth"].get<std::int64_t>();
  spec.tokens = model["tokens"].get<std::int64_t>();
  const bool mlp = model["block"] == "mlp";
  spec.layer = mlp ? LayerKind::mlp : LayerKind::dense;
  if (mlp) spec.hidden = model["hidden"].get<std::int64_t>();
  std::string activation = model["activation"].get<std::string>();
  if (activation == "softcap30") activation = "softcap";
  spec.activation.row = find_row(activation_table(), activation);
  for (std::size_t i = 0; i < spec.activation.row->parameters.size(); ++i) {
    spec.activation.parameters[i] = spec.activation.row->parameters[i].fallback;
  }
  spec.norm = {find_row(norm_table(), model["norm"].get<std::string>()),
               model["eps"].get<double>()};
  spec.placement = find_row(placement_table(), model["placement"].get<std::string>());
  spec.final_norm = model["final_norm"].get<bool>();
  spec.residual.row = find_row(residual_table(), model["residual"].get<bool>() ? "plain" : "none");
  spec.residual.skip = model["skip"].get<double>();
  spec.residual.branch = model["branch"].get<double>();
  return spec;
}

Matrix<double> matrix_of(const json& values, std::int64_t rows, std::int64_t cols) {
  Matrix<double> m(rows, cols);
  for (std::int64_t i = 0; i < m.size(); ++i) {
    m.data()[i] = values[static_cast<std::size_t>(i)].get<double>();
  }
  return m;
}

void expect_same(std::span<const double> ours, const json& theirs, const std::string& what) {
  ASSERT_EQ(ours.size(), theirs.size()) << what;
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double value = theirs[i].get<double>();
    largest = std::max(largest, std::fabs(value));
    worst = std::max(worst, std::fabs(ours[i] - value));
  }
  EXPECT_LE(worst, kTolerance * largest) << what;
}

class Compare final : public Probe<double> {
 public:
  Compare(const json& reference, std::size_t matrices)
      : reference_(reference), matrices_(matrices) {}

  bool wants(Site) const override { return true; }
  void see(Site site, const Seen<double>& seen) override {
    const auto layer = static_cast<std::size_t>(seen.layer);
    if (site == Site::stream && layer > 0) {
      expect_same(seen.value.all(), reference_["stream"][layer - 1],
                  "stream " + std::to_string(layer));
      ++seen_;
    } else if (site == Site::output) {
      expect_same(seen.value.all(), reference_["output"], "output");
    } else if (site == Site::stream_gradient) {
      expect_same(seen.value.all(), reference_["stream_gradient"][layer],
                  "gradient " + std::to_string(layer));
      ++seen_;
    } else if (site == Site::weight_gradient) {
      Matrix<double> dw(seen.beside.cols, seen.value.cols);
      multiply_tn(seen.beside, seen.value, dw.view());
      const std::size_t index = (layer - 1) * matrices_ + seen.matrix;
      expect_same(dw.all(), reference_["weight_gradient"][index],
                  "weight gradient " + std::to_string(index));
      ++seen_;
    }
  }
  std::size_t seen() const { return seen_; }

 private:
  const json& reference_;
  std::size_t matrices_;
  std::size_t seen_ = 0;
};

TEST(Autograd, EveryReferenceStackAgreesWithPytorch) {
  const json reference = testing::reference_file("autograd_reference.json");
  ASSERT_EQ(reference["cases"].size(), 160u);
  for (Layout layout : {Layout::out_in, Layout::in_out}) {
    for (std::size_t c = 0; c < reference["cases"].size(); ++c) {
      const json& one = reference["cases"][c];
      SCOPED_TRACE("case " + std::to_string(c) + " " + one["model"].dump());
      const StackSpec spec = spec_of(one["model"]);
      const std::vector<MatrixSpec> matrices = block_matrices(spec);
      StoredWeights<double> weights(layout);
      for (std::size_t i = 0; i < one["weights"].size(); ++i) {
        const MatrixSpec& m = matrices[i % matrices.size()];
        const Matrix<double> out_in = matrix_of(one["weights"][i], m.fan_out, m.fan_in);
        Matrix<double> w(layout == Layout::out_in ? m.fan_out : m.fan_in,
                         layout == Layout::out_in ? m.fan_in : m.fan_out);
        for (std::int64_t r = 0; r < m.fan_out; ++r) {
          for (std::int64_t k = 0; k < m.fan_in; ++k) {
            (layout == Layout::out_in ? w.view()(r, k) : w.view()(k, r)) = out_in.view()(r, k);
          }
        }
        weights.add(std::move(w));
      }
      DenseStack<double> stack(spec, weights);
      Compare probe(one, matrices.size());
      stack.forward(matrix_of(one["x"], spec.tokens, spec.width), probe, true);
      stack.backward(matrix_of(one["u"], spec.tokens, spec.width), probe);
      const auto depth = static_cast<std::size_t>(spec.depth);
      EXPECT_EQ(probe.seen(), depth + depth + 1 + depth * matrices.size());
    }
  }
}

}  // namespace
}  // namespace sigstab
