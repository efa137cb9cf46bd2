// Initialisers against PyTorch's own draws, and their spreads against formulas and samples.

#include "net/init.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "base/named_table.hpp"
#include "math/moments.hpp"
#include "random/generators.hpp"
#include "reference_file.hpp"

namespace sigstab {
namespace {

using nlohmann::json;

Init init_of(std::string_view name, double gain = 1, ParameterValues parameters = {}) {
  const InitRow* row = find_row(init_table(), name);
  return {row, parameters, gain, row->mode};
}

double hex(const json& text) { return std::strtod(text.get<std::string>().c_str(), nullptr); }

// Exact for uniforms; 4e-7 absolute and relative for float32 normals, whose last units differ
// between CPU types inside PyTorch; 1e-5 where a factorisation or an inverse function lies between.
void expect_drawn(const json& row, const char* key, const Init& init, std::int64_t fan_out,
                  std::int64_t fan_in, double tolerance) {
  const Seed seed = *Seed::parse(row["seed"].get<std::string>());
  const auto stream = find_row(kGenerators, "torch")->make(seed, "", "");
  Matrix<float> w(fan_out, fan_in);
  draw_weights(init, Layout::out_in, 1, {TensorId::kWeights, 1}, *stream, w.view());
  const json& theirs = row["init"][key];
  ASSERT_EQ(static_cast<std::int64_t>(theirs.size()), w.size());
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const double value = hex(theirs[i]), ours = static_cast<double>(w.all()[i]);
    EXPECT_LE(std::fabs(ours - value), tolerance * (1 + std::fabs(value)))
        << key << "[" << i << "], seed " << seed.text();
  }
}

TEST(Init, draws_are_pytorchs_own) {
  const nlohmann::json torch = testing::reference_file("random_reference.json")["torch"];
  for (const auto& row : torch) {
    expect_drawn(row, "xavier_uniform_6x4", init_of("xavier_uniform"), 6, 4, 0);
    expect_drawn(row, "kaiming_uniform_relu_6x4", init_of("he_uniform"), 6, 4, 0);
    expect_drawn(row, "nn.Linear(4,6).weight", init_of("torch_default"), 6, 4, 0);
    expect_drawn(row, "xavier_normal_6x4", init_of("xavier"), 6, 4, 4e-7);
    expect_drawn(row, "kaiming_normal_relu_6x4", init_of("he"), 6, 4, 4e-7);
    expect_drawn(row, "normal_0.02_6x4", init_of("normal", 1, {0.02}), 6, 4, 4e-7);
    expect_drawn(row, "orthogonal_5x5", init_of("orthogonal"), 5, 5, 1e-5);
    expect_drawn(row, "orthogonal_6x4", init_of("orthogonal"), 6, 4, 1e-5);
    expect_drawn(row, "orthogonal_4x6", init_of("orthogonal"), 4, 6, 1e-5);
    expect_drawn(row, "trunc_normal_6x4", init_of("truncated_normal", 1, {1, 2}), 6, 4, 1e-5);
  }
}

TEST(Init, spreads_are_the_formulas) {
  EXPECT_DOUBLE_EQ(init_of("he").spread(50, 200), std::sqrt(2.0 / 50));
  EXPECT_DOUBLE_EQ(init_of("lecun").spread(50, 200), std::sqrt(1.0 / 50));
  EXPECT_DOUBLE_EQ(init_of("xavier").spread(50, 200), std::sqrt(2.0 / 250));
  EXPECT_DOUBLE_EQ(init_of("torch_default").spread(50, 200), std::sqrt(1.0 / 150));
  EXPECT_DOUBLE_EQ(init_of("xavier_uniform").limit(50, 200), std::sqrt(6.0 / 250));
  EXPECT_DOUBLE_EQ(init_of("uniform", 1, {0.3}).limit(50, 200), 0.3);
  // The truncated normal's real spread at two spreads: 0.879625661 of the nominal (R, scipy,
  // theory.md).
  EXPECT_NEAR(init_of("truncated_normal", 1, {1, 2}).spread(50, 200), 0.8796256610342398, 1e-14);
}

// 80,000 draws: the relative sampling error of a spread is at most 1/sqrt(2 n) = 0.25% (less for
// bounded distributions); 4 of these is 1%. With gain, each mode, both layouts, one generator.
TEST(Init, samples_of_every_init_have_its_spread_in_either_layout) {
  for (const InitRow& row : init_table()) {
    for (const FanModeRow& mode : fan_mode_table()) {
      for (Layout layout : {Layout::out_in, Layout::in_out}) {
        Init init = init_of(row.name, 1.5, {0.4, 1.2});
        if (row.mode != FanMode::fixed) init.mode = mode.mode;
        const std::int64_t fan_in = 400, fan_out = 200;
        Matrix<double> w(layout == Layout::out_in ? fan_out : fan_in,
                         layout == Layout::out_in ? fan_in : fan_out);
        const auto stream = find_row(kGenerators, "philox")->make(Seed(5), "", "");
        draw_weights(init, layout, 2.0, {TensorId::kWeights, 1}, *stream, w.view());
        const double spread = root_mean_square(std::as_const(w).all());
        EXPECT_NEAR(spread / (2 * init.spread(fan_in, fan_out)), 1, 0.01) << row.name << mode.name;
        EXPECT_LT(std::fabs(mean(std::as_const(w).all())), 0.02 * spread) << row.name;
      }
    }
  }
}

TEST(Init, orthogonal_matrices_have_orthonormal_rows_or_columns) {
  for (auto [rows, cols] : {std::pair{40, 40}, {60, 25}, {25, 60}}) {
    Matrix<double> w(rows, cols);
    const auto stream = find_row(kGenerators, "philox")->make(Seed(1), "", "");
    draw_weights(init_of("orthogonal", 1.7), Layout::out_in, 1, {TensorId::kWeights, 1}, *stream,
                 w.view());
    const bool tall = rows >= cols;
    const std::int64_t n = std::min(rows, cols), m = std::max(rows, cols);
    for (std::int64_t a = 0; a < n; ++a) {
      for (std::int64_t b = 0; b < n; ++b) {
        double sum = 0;
        for (std::int64_t k = 0; k < m; ++k) {
          sum += tall ? w.view()(k, a) * w.view()(k, b) : w.view()(a, k) * w.view()(b, k);
        }
        EXPECT_NEAR(sum, a == b ? 1.7 * 1.7 : 0, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace sigstab
