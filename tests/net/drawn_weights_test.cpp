// Weights that are never stored give what stored ones give, for any number of threads, to the bit.

#include "net/drawn_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/named_table.hpp"
#include "random/generators.hpp"

namespace sigstab {
namespace {

struct Setting {
  std::string_view generator, init;
  Layout layout;
  std::int64_t tokens, fan_in, fan_out;
};

// Shapes below one panel, of several panels, and with a last panel that is no multiple of 16
// elements.
std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const Generator& generator : kGenerators) {
    for (std::string_view init : {"normal", "uniform", "truncated_normal", "orthogonal", "sparse",
                                  "identity", "constant"}) {
      for (Layout layout : {Layout::out_in, Layout::in_out}) {
        for (std::int64_t tokens : {1, 3}) {
          for (auto [fan_in, fan_out] : {std::pair{5, 7}, {240, 350}, {133, 301}}) {
            if (init == "orthogonal" && fan_in > 100 && (tokens == 3 || generator.name != "numpy"))
              continue;  // slow, and no different
            all.push_back({generator.name, init, layout, tokens, fan_in, fan_out});
          }
        }
      }
    }
  }
  return all;
}

constexpr std::size_t kMatrices = 3;

std::vector<MatrixDraw> draws(const Setting& s) {
  const InitRow* row = find_row(init_table(), s.init);
  const Init init{row, {0.7, 1.5}, 1.3, row->mode};
  std::vector<MatrixDraw> matrices;
  for (std::uint32_t i = 0; i < kMatrices; ++i) {
    // The second has no bias; the others draw theirs between two matrices.
    const Bias bias{find_row(bias_table(), i == 1 ? "none" : "uniform"), {0.5}};
    matrices.push_back({init,
                        0.9,
                        s.fan_in,
                        s.fan_out,
                        {TensorId::kWeights, i + 1},
                        bias,
                        {TensorId::kBiases, i + 1}});
  }
  return matrices;
}

std::unique_ptr<Stream> stream_of(const Setting& s) {
  return find_row(kGenerators, s.generator)->make(Seed(3), "a", "b");
}

template <class T>
Matrix<T> waves(std::int64_t rows, std::int64_t cols) {
  Matrix<T> m(rows, cols);
  for (std::int64_t i = 0; i < m.size(); ++i)
    m.data()[i] = static_cast<T>(std::sin(static_cast<double>(i)));
  return m;
}

template <class T>
struct Products {
  std::vector<Matrix<T>> forward, backward;
};

template <class T>
Products<T> multiply_all(Weights<T>& weights, const Setting& s) {
  const Matrix<T> x = waves<T>(s.tokens, s.fan_in), dy = waves<T>(s.tokens, s.fan_out);
  Products<T> products;
  for (std::size_t i = 0; i < kMatrices; ++i) {
    products.forward.emplace_back(s.tokens, s.fan_out);
    weights.multiply(i, x.view(), products.forward.back().view());
  }
  for (std::size_t i = kMatrices; i-- > 0;) {
    products.backward.emplace_back(s.tokens, s.fan_in);
    weights.multiply_transposed(i, dy.view(), products.backward.back().view());
  }
  return products;
}

template <class T>
bool identical(const std::vector<Matrix<T>>& a, const std::vector<Matrix<T>>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(a[i].all().data(), b[i].all().data(), a[i].all().size_bytes()) != 0)
      return false;
  }
  return a.size() == b.size();
}

// Sums of at most 350 products of about 1 in another order: 350 roundings of sums of about 30.
template <class T>
void expect_near(const std::vector<Matrix<T>>& a, const std::vector<Matrix<T>>& b,
                 double tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a[i].all().size(); ++k) {
      ASSERT_NEAR(static_cast<double>(a[i].all()[k]), static_cast<double>(b[i].all()[k]), tolerance)
          << "matrix " << i << ", entry " << k;
    }
  }
}

template <class T>
void check(double tolerance) {
  Team alone(1), three(3);
  for (const Setting& s : settings()) {
    SCOPED_TRACE(std::string(s.generator) + " " + std::string(s.init) + " " +
                 std::to_string(s.fan_in) + (s.layout == Layout::out_in ? " out_in " : " in_out ") +
                 std::to_string(s.tokens));
    StoredWeights<T> stored(s.layout);
    const auto stream = stream_of(s);
    for (const MatrixDraw& m : draws(s)) {
      const bool out_in = s.layout == Layout::out_in;
      Matrix<T> w(out_in ? m.fan_out : m.fan_in, out_in ? m.fan_in : m.fan_out);
      draw_weights(m.init, s.layout, m.scale, m.id, *stream, w.view());
      std::vector<T> bias(m.bias.present() ? static_cast<std::size_t>(m.fan_out) : 0);
      if (m.bias.present()) m.bias.draw(m.fan_in, m.bias_id, *stream, bias);
      stored.add(std::move(w), std::move(bias));
    }
    const Products<T> expected = multiply_all<T>(stored, s);

    DrawnWeights<T> drawn(draws(s), s.layout, stream_of(s), true, alone);
    const Products<T> ours = multiply_all<T>(drawn, s);
    expect_near(ours.forward, expected.forward, tolerance);
    expect_near(ours.backward, expected.backward, tolerance);

    DrawnWeights<T> shared_out(draws(s), s.layout, stream_of(s), true, three);
    const Products<T> together = multiply_all<T>(shared_out, s);
    EXPECT_TRUE(identical(ours.forward, together.forward));
    EXPECT_TRUE(identical(ours.backward, together.backward));

    // The stream goes on from the same place, drawn or only skipped.
    DrawnWeights<T> skipped(draws(s), s.layout, stream_of(s), true, alone);
    std::vector<double> next[3] = {std::vector<double>(20), std::vector<double>(20),
                                   std::vector<double>(20)};
    stream->normal({}, next[0]);
    shared_out.end()->normal({}, next[1]);
    skipped.end()->normal({}, next[2]);
    EXPECT_EQ(next[0], next[1]);
    EXPECT_EQ(next[0], next[2]);
  }
}

TEST(DrawnWeights, GiveWhatStoredWeightsGiveAndTheSameBitsForAnyTeam) {
  check<float>(4e-3);
  check<double>(1e-11);
}

// A matrix that is kept whole takes nothing from the buffer that an earlier, larger one used.
TEST(DrawnWeights, KeepWholeMatricesBesideOthersOfOtherShapes) {
  const InitRow* he = find_row(init_table(), "he");
  const auto init = [](const InitRow* row) { return Init{row, {}, 1, row->mode}; };
  const std::vector<MatrixDraw> draws = {
      {init(he), 1, 64, 256, {TensorId::kWeights, 1}, {}, {}},
      {init(find_row(init_table(), "orthogonal")), 1, 256, 20, {TensorId::kWeights, 2}, {}, {}},
      {init(he), 1, 20, 64, {TensorId::kWeights, 3}, {}, {}}};
  Team alone(1);
  for (double keep : {0.0, 1e9}) {
    const auto stream = find_row(kGenerators, "numpy")->make(Seed(3), "", "");
    DrawnWeights<double> drawn(draws, Layout::out_in, stream->clone(), true, alone, keep);
    for (int round = 0; round < 2; ++round) {
      const auto again = stream->clone();
      for (std::size_t i = 0; i < draws.size(); ++i) {
        const MatrixDraw& m = draws[i];
        Matrix<double> w(m.fan_out, m.fan_in), y(1, m.fan_out), expected(1, m.fan_out);
        draw_weights(m.init, Layout::out_in, 1, m.id, *again, w.view());
        const Matrix<double> x = waves<double>(1, m.fan_in);
        multiply_nt(x.view(), std::as_const(w).view(), expected.view());
        drawn.multiply(i, x.view(), y.view());
        for (std::size_t k = 0; k < y.all().size(); ++k) {
          ASSERT_NEAR(y.all()[k], expected.all()[k], 1e-12) << "matrix " << i << ", keep " << keep;
        }
      }
    }
  }
}

TEST(DrawnWeights, PanelsAreWholePiecesOfADraw) {
  for (std::int64_t cols : {1, 5, 7, 16, 511, 512, 4096, 1'000'000}) {
    for (std::size_t bytes : {4u, 8u}) {
      for (std::int64_t tokens : {1, 64}) {
        EXPECT_GE(panel_rows(cols, bytes, tokens), 1);
        EXPECT_EQ(panel_rows(cols, bytes, tokens) * cols % 16, 0) << cols;
      }
    }
  }
}

}  // namespace
}  // namespace sigstab
