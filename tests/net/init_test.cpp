// Initialisers against PyTorch's own draws, and their spreads against formulas and samples.

#include "net/init.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include "base/named_table.hpp"
#include "math/moments.hpp"
#include "random/generators.hpp"
#include "support/reference_file.hpp"

namespace sigstab {
namespace {

using nlohmann::json;

// Row r of a layer's matrix holds 100 * layer + r.
class NumberedRows final : public StoredMatrices {
 public:
  explicit NumberedRows(bool has_rows) : has_rows_(has_rows) {}
  std::string text() const override { return "numbers"; }
  void read(std::int64_t layer, std::int64_t first, View<float> rows) const override {
    fill(layer, first, rows);
  }
  void read(std::int64_t layer, std::int64_t first, View<double> rows) const override {
    fill(layer, first, rows);
  }
  bool has_rows() const override { return has_rows_; }

 private:
  template <class T>
  static void fill(std::int64_t layer, std::int64_t first, View<T> rows) {
    for (std::int64_t r = 0; r < rows.rows; ++r) {
      std::ranges::fill(rows.row(r), static_cast<T>(100 * layer + first + r));
    }
  }
  bool has_rows_;
};

Init init_of(std::string_view name, double gain = 1, ParameterValues parameters = {}) {
  const InitRow* row = find_row(init_table(), name);
  const bool stored = row->distribution == Distribution::stored;
  return {row, parameters, gain, row->mode,
          stored ? std::make_shared<NumberedRows>(true) : nullptr};
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

TEST(Init, DrawsArePytorchsOwn) {
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

TEST(Init, SpreadsAreTheFormulas) {
  EXPECT_DOUBLE_EQ(init_of("he").spread(50, 200), std::sqrt(2.0 / 50));
  EXPECT_DOUBLE_EQ(init_of("lecun").spread(50, 200), std::sqrt(1.0 / 50));
  EXPECT_DOUBLE_EQ(init_of("xavier").spread(50, 200), std::sqrt(2.0 / 250));
  EXPECT_DOUBLE_EQ(init_of("torch_default").spread(50, 200), std::sqrt(1.0 / 150));
  EXPECT_DOUBLE_EQ(init_of("xavier_uniform").limit(50, 200), std::sqrt(6.0 / 250));
  EXPECT_DOUBLE_EQ(init_of("uniform", 1, {0.3}).limit(50, 200), 0.3);
  EXPECT_DOUBLE_EQ(init_of("gpt2", 1, {0.02}).spread(50, 200), 0.02);
  EXPECT_EQ(find_row(init_table(), "gpt2")->parameters[0].fallback, 0.02);
  EXPECT_DOUBLE_EQ(init_of("small").spread(50, 200), std::sqrt(2.0 / 250));
  EXPECT_DOUBLE_EQ(init_of("small").spread(200, 50), std::sqrt(2.0 / 250));
  EXPECT_DOUBLE_EQ(init_of("identity", 2).spread(50, 200), 2 / std::sqrt(200.0));
  EXPECT_DOUBLE_EQ(init_of("constant", 2, {-0.5}).spread(50, 200), 1);
  EXPECT_DOUBLE_EQ(init_of("ones", 2).spread(50, 200), 2);
  EXPECT_EQ(init_of("zeros", 2).spread(50, 200), 0);
  // 0.1 of 25 outputs, rounded up: 3 of 25 are 0.
  EXPECT_DOUBLE_EQ(init_of("sparse", 2, {0.1, 0.01}).spread(50, 25), 0.02 * std::sqrt(22.0 / 25));
}

TEST(Init, ACutNormalsSpreadIsTheRootOfItsSecondMoment) {
  const json cases = testing::reference_file("net_reference.json")["truncated_normal"];
  ASSERT_GT(cases.size(), 5U);
  for (const json& row : cases) {
    const double cut = row[0].get<double>(), theirs = row[1].get<double>();
    EXPECT_NEAR(init_of("truncated_normal", 1, {1, cut}).spread(50, 200) / theirs, 1, 1e-14) << cut;
  }
}

// The variance is exact whatever it is drawn from. JAX and Keras divide the spread by this number
// before they cut at 2.
TEST(Init, VarianceScalingHasItsVarianceInEveryModeAndDistribution) {
  constexpr double kShareAtTwo = 0.87962566103423978;
  for (const DistributionRow& drawn : scaling_distribution_table()) {
    for (const FanModeRow& mode : fan_mode_table()) {
      Init init = init_of("variance_scaling", 1.5, {3});
      init.row = with_distribution(*init.row, drawn.distribution);
      ASSERT_NE(init.row, nullptr) << drawn.name;
      EXPECT_EQ(init.row->distribution, drawn.distribution);
      init.mode = mode.mode;
      const double fan = mode.name == "fan_in" ? 50 : mode.name == "fan_out" ? 200 : 125;
      const double spread = 1.5 * std::sqrt(3 / fan);
      EXPECT_NEAR(init.spread(50, 200) / spread, 1, 1e-15) << drawn.name << mode.name;
      if (drawn.distribution == Distribution::truncated_normal) {
        EXPECT_NEAR(init.factor(50, 200) / (spread / kShareAtTwo), 1, 1e-15);
        EXPECT_EQ(init.cut(), 2);
      }
    }
  }
  EXPECT_EQ(init_of("variance_scaling").row->distribution, Distribution::truncated_normal);
  EXPECT_EQ(with_distribution(*find_row(init_table(), "he"), Distribution::uniform), nullptr);
  EXPECT_EQ(with_distribution(*find_row(init_table(), "variance_scaling"), Distribution::sparse),
            nullptr);
}

template <class T>
Matrix<T> drawn(const Init& init, Layout layout, double scale, std::int64_t rows, std::int64_t cols,
                std::string_view generator = "philox") {
  Matrix<T> w(rows, cols);
  const auto stream = find_row(kGenerators, generator)->make(Seed(5), "", "");
  draw_weights(init, layout, scale, {TensorId::kWeights, 1}, *stream, w.view());
  return w;
}

// 80,000 draws: the relative sampling error of a spread is at most 1/sqrt(2 n) = 0.25% (less for
// bounded distributions, half as much again for the 40% that sparse leaves); 4 of these is 1%, and
// of the mean's 0.4% it is 1.6%. With gain, each mode and distribution, both layouts, one
// generator.
void expect_moments(const Init& init, const std::string& what) {
  for (Layout layout : {Layout::out_in, Layout::in_out}) {
    const std::int64_t fan_in = 400, fan_out = 200;
    const bool out_in = layout == Layout::out_in;
    const Matrix<double> w =
        drawn<double>(init, layout, 2, out_in ? fan_out : fan_in, out_in ? fan_in : fan_out);
    const double spread = root_mean_square(w.all()), expected = 2 * init.spread(fan_in, fan_out);
    EXPECT_NEAR(spread, expected, 0.01 * expected) << what;
    if (draws_nothing(init)) continue;
    EXPECT_GT(expected, 0) << what;
    EXPECT_LT(std::fabs(mean(w.all())), 0.016 * spread) << what;
  }
}

TEST(Init, SamplesOfEveryInitHaveItsSpreadInEitherLayout) {
  for (const InitRow& row : init_table()) {
    if (row.distribution == Distribution::stored) continue;  // whose spread is its own affair
    for (const FanModeRow& mode : fan_mode_table()) {
      Init init = init_of(row.name, 1.5, {0.4, 1.2});
      if (row.takes_mode) init.mode = mode.mode;
      for (const DistributionRow& choice : scaling_distribution_table()) {
        const InitRow* chosen = with_distribution(row, choice.distribution);
        init.row = chosen == nullptr ? &row : chosen;
        expect_moments(init, std::string(row.name) + " " + std::string(mode.name) + " " +
                                 std::string(distribution_name(init.row->distribution)));
        if (chosen == nullptr) break;
      }
      if (!row.takes_mode) break;
    }
  }
}

TEST(Init, WhatIsNotRandomHasExactEntriesAndTakesNothingFromTheStream) {
  for (auto [name, value] :
       {std::pair{"identity", 0.0}, {"constant", 0.4}, {"ones", 1.0}, {"zeros", 0.0}}) {
    const Init init = init_of(name, 1.5, {0.4});
    ASSERT_TRUE(draws_nothing(init));
    for (auto [rows, cols] : {std::pair<std::int64_t, std::int64_t>{5, 5}, {7, 4}, {4, 7}}) {
      for (const Generator& generator : kGenerators) {
        const auto stream = generator.make(Seed(5), "", ""), untouched = stream->clone();
        Matrix<float> w(rows, cols);
        const TensorId id{TensorId::kWeights, 1};
        draw_weights(init, Layout::out_in, 0.5, id, *stream, w.view());
        skip_weights<float>(init, rows, cols, id, *stream);
        for (std::int64_t r = 0; r < rows; ++r) {
          for (std::int64_t c = 0; c < cols; ++c) {
            const bool one = std::string_view(name) == "identity" && r == c;
            const double exact = 0.5 * 1.5 * (one ? 1 : value);
            EXPECT_EQ(w.view()(r, c), static_cast<float>(exact)) << name << r << c;
          }
        }
        Matrix<double> next(1, 9), first(1, 9);
        stream->normal(id, next.all());
        untouched->normal(id, first.all());
        EXPECT_TRUE(std::ranges::equal(next.all(), first.all())) << name << generator.name;
      }
    }
  }
}

TEST(Init, StoredMatricesAreReadByLayerAndRowAndScaled) {
  for (const bool has_rows : {true, false}) {
    Init init = init_of("checkpoint", 0.5);
    init.stored = std::make_shared<NumberedRows>(has_rows);
    EXPECT_EQ(drawn_whole(init), !has_rows);
    EXPECT_TRUE(draws_nothing(init));
    EXPECT_TRUE(std::isnan(init.spread(5, 5)));
    const auto stream = find_row(kGenerators, "numpy")->make(Seed(5), "", "");
    RowDraw<double> draw(init, Layout::out_in, 3, 7, 2, {TensorId::kWeights, 4}, *stream);
    Matrix<double> rows(2, 2);
    draw.next(rows.view());
    EXPECT_EQ(rows.view()(1, 0), 1.5 * 401) << has_rows;
    draw.skip(3);
    draw.next(rows.view());
    EXPECT_EQ(rows.view()(0, 1), 1.5 * 405) << has_rows;
  }
}

// What is left is what `normal` draws, and every input has as many zeros as torch.nn.init.sparse_
// makes in a column of its fan_out x fan_in matrix.
TEST(Init, SparseThinsOutTheWeightsOfEachInput) {
  const Init sparse = init_of("sparse", 1.5, {0.3, 0.4}), normal = init_of("normal", 1.5, {0.4});
  const std::int64_t fan_in = 30, fan_out = 21, zeros = 7;  // ceil(6.3)
  EXPECT_EQ(sparse.zeros(fan_out), zeros);
  for (const Generator& generator : kGenerators) {
    for (Layout layout : {Layout::out_in, Layout::in_out}) {
      const bool out_in = layout == Layout::out_in;
      const std::int64_t rows = out_in ? fan_out : fan_in, cols = out_in ? fan_in : fan_out;
      const Matrix<float> ours = drawn<float>(sparse, layout, 1, rows, cols, generator.name);
      const Matrix<float> all = drawn<float>(normal, layout, 1, rows, cols, generator.name);
      for (std::int64_t input = 0; input < fan_in; ++input) {
        std::int64_t found = 0;
        for (std::int64_t output = 0; output < fan_out; ++output) {
          const std::int64_t r = out_in ? output : input, c = out_in ? input : output;
          const bool zero = ours.view()(r, c) == 0;
          found += zero ? 1 : 0;
          EXPECT_TRUE(zero || ours.view()(r, c) == all.view()(r, c)) << generator.name;
        }
        EXPECT_EQ(found, zeros) << generator.name;
      }
    }
  }
}

// Were zeros chosen by the normals themselves, or by position, the rest would not be normal, or not
// every weight as likely to go: over 400 x 200 weights a share has an error of 0.17%, the fourth
// moment of 48,000 normals one of 1.5%, a row's 400 lots one of 2.3%.
TEST(Init, SparseChoosesItsZerosApartFromTheNormals) {
  for (const Generator& generator : kGenerators) {
    const Matrix<double> w =
        drawn<double>(init_of("sparse", 1, {0.4, 1}), Layout::out_in, 1, 200, 400, generator.name);
    double positive = 0, left = 0, fourth = 0;
    for (double v : w.all()) {
      left += v != 0 ? 1 : 0;
      positive += v > 0 ? 1 : 0;
      fourth += v * v * v * v;
    }
    EXPECT_EQ(left, 0.6 * 80'000) << generator.name;
    EXPECT_NEAR(positive / left, 0.5, 0.01) << generator.name;
    EXPECT_NEAR(fourth / left, 3, 0.2) << generator.name;
    for (std::int64_t r = 0; r < 200; ++r) {
      const auto row = w.view().row(r);
      const auto zeros = static_cast<double>(std::ranges::count(row, 0.0));
      EXPECT_NEAR(zeros / 400, 0.4, 0.12) << generator.name << " row " << r;
    }
  }
}

TEST(Init, SkippingAMatrixLeavesTheStreamWhereDrawingItDoes) {
  for (const Generator& generator : kGenerators) {
    for (const InitRow& row : init_table()) {
      const Init init = init_of(row.name, 1.5, {0.4, 1.2});
      const auto drawn = generator.make(Seed(5), "", ""), skipped = drawn->clone();
      const TensorId id{TensorId::kWeights, 1};
      Matrix<float> w(7, 5), a(1, 20), b(1, 20);
      draw_weights(init, Layout::out_in, 1, id, *drawn, w.view());
      skip_weights<float>(init, 7, 5, id, *skipped);
      drawn->uniform(id, a.all(), 0, 1);
      skipped->uniform(id, b.all(), 0, 1);
      EXPECT_TRUE(std::ranges::equal(a.all(), b.all())) << generator.name << " " << row.name;
    }
  }
}

TEST(Init, EveryRowNamesItsSource) {
  for (const InitRow& row : init_table()) EXPECT_FALSE(row.source.empty()) << row.name;
}

TEST(Init, OrthogonalMatricesHaveOrthonormalRowsOrColumns) {
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
