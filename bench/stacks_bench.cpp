// What a pass costs beside what it cannot do without, and the machine's limits in the same run.
//
// limit/read, limit/gemm   memory bandwidth of one reading thread, GFLOP/s of a square sgemm
// stack/WIDTH/TOKENS       forward and backward through a float32 ReLU stack on the torch stream,
// one
//                          thread. Three timings take turns, and their minima are counted:
//     pass_ms    the passes as `run` makes them, weights drawn while they are multiplied
//     draws_ms   drawing every matrix twice, into one panel
//     calls_ms   the same products as one sgemm (one token: sgemv) a matrix, on stored weights
//     ratio      (pass - draws) / calls
//     gflops     of the calls; ns_weight: the pass, a weight and pass

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "base/named_table.hpp"
#include "math/blas.hpp"
#include "net/dense_stack.hpp"
#include "net/drawn_weights.hpp"
#include "random/generators.hpp"

namespace sigstab {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

template <class Body>
void keep_fastest(double& seconds, const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  seconds = std::min(seconds, took.count());
}

Matrix<float> ones(std::int64_t rows, std::int64_t cols) {
  Matrix<float> m(rows, cols);
  std::ranges::fill(m.all(), 1.0F);
  return m;
}

void read_limit(benchmark::State& state) {
  const std::vector<double> x(std::size_t{1} << 25, 1.0);
  double seconds = kNever;
  for (auto _ : state) {
    keep_fastest(seconds, [&] {
      double sums[16] = {};
      for (std::size_t i = 0; i < x.size(); i += 16) {
        for (std::size_t lane = 0; lane < 16; ++lane) sums[lane] += x[i + lane];
      }
      benchmark::DoNotOptimize(sums);
    });
  }
  state.counters["GB_s"] = static_cast<double>(x.size() * sizeof(double)) / seconds / 1e9;
}

void gemm_limit(benchmark::State& state) {
  constexpr std::int64_t kSide = 1024;
  const Matrix<float> a = ones(kSide, kSide), b = ones(kSide, kSide);
  Matrix<float> c(kSide, kSide);
  double seconds = kNever;
  for (auto _ : state) {
    keep_fastest(seconds, [&] { multiply_nt(a.view(), b.view(), c.view()); });
  }
  state.counters["GFLOP_s"] = 2 * std::pow(static_cast<double>(kSide), 3) / seconds / 1e9;
}

StackSpec relu_stack(std::int64_t width, std::int64_t tokens) {
  StackSpec spec;
  spec.width = width;
  spec.depth = 8;
  spec.tokens = tokens;
  spec.activation.row = find_row(activation_table(), "relu");
  spec.norm.row = find_row(norm_table(), "none");
  spec.residual.row = find_row(residual_table(), "none");
  return spec;
}

void stack_against_calls(benchmark::State& state, std::int64_t width, std::int64_t tokens) {
  const StackSpec spec = relu_stack(width, tokens);
  const InitRow* he = find_row(init_table(), "he");
  const Init init{he, {}, 1, he->mode};
  std::vector<MatrixDraw> draws;
  for (std::uint32_t layer = 1; layer <= spec.depth; ++layer) {
    draws.push_back({init, 1, width, width, {TensorId::kWeights, layer}, {}, {}});
  }
  const auto stream = find_row(kGenerators, "torch")->make(Seed(0), "", "");
  Team alone(1);
  Matrix<float> panel(panel_rows(width, sizeof(float), tokens), width);
  const Matrix<float> stored = ones(width, width), x = ones(tokens, width);
  Matrix<float> y(tokens, width);
  Probe<float> nothing;
  double pass = kNever, drawing = kNever, calls = kNever;
  for (auto _ : state) {
    keep_fastest(pass, [&] {
      DrawnWeights<float> weights(draws, Layout::out_in, stream->clone(), true, alone);
      DenseStack<float> stack(spec, weights);
      Matrix<float> in = ones(tokens, width);
      stack.backward(stack.forward(std::move(in), nothing, true), nothing);
    });
    keep_fastest(drawing, [&] {
      const auto own = stream->clone();
      for (std::int64_t i = 0; i < 2 * spec.depth; ++i) {
        RowDraw<float> draw(init, Layout::out_in, 1, width, width, {TensorId::kWeights, 1}, *own);
        for (std::int64_t row = 0; row < width; row += panel.rows()) {
          draw.next(panel.view().row_block(0, std::min(panel.rows(), width - row)));
        }
      }
    });
    keep_fastest(calls, [&] {
      for (std::int64_t i = 0; i < spec.depth; ++i) {
        multiply_nt(x.view(), stored.view(), y.view());
        multiply_nn(x.view(), stored.view(), y.view());
      }
    });
  }
  const double passes = 2 * static_cast<double>(spec.depth * width * width);
  state.counters["pass_ms"] = 1e3 * pass;
  state.counters["draws_ms"] = 1e3 * drawing;
  state.counters["calls_ms"] = 1e3 * calls;
  state.counters["ratio"] = (pass - drawing) / calls;
  state.counters["gflops"] = 2 * passes * static_cast<double>(tokens) / calls / 1e9;
  state.counters["ns_weight"] = 1e9 * pass / passes;
}

void register_all() {
  const auto ms = benchmark::kMillisecond;
  benchmark::RegisterBenchmark("limit/read", read_limit)->Unit(ms);
  benchmark::RegisterBenchmark("limit/gemm", gemm_limit)->Unit(ms);
  for (const std::int64_t width : {256, 512, 1024, 2048}) {
    for (const std::int64_t tokens : {1, 16, 64, 256, 1024}) {
      if (width == 2048 && tokens == 1024) continue;  // seconds a pass
      const std::string name = "stack/" + std::to_string(width) + "/" + std::to_string(tokens);
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        stack_against_calls(state, width, tokens);
      })->Unit(ms);
    }
  }
}

}  // namespace
}  // namespace sigstab

int main(int argc, char** argv) {
  sigstab::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
