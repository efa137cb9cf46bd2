// Nanoseconds per draw of each generator, kind and dtype, into a tensor that stays in L2.
//
//   draws_bench [--target=NAME] [google-benchmark's options]
// Counters: min_ns and median_ns over single calls, per element. scripts/bench_draws.py runs this
// side by side with NumPy and PyTorch.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "random/generators.hpp"
#include "random/vector_targets.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kElements = 16384;
constexpr TensorId kId{TensorId::kWeights, 1};

template <typename Call>
void time_calls(benchmark::State& state, Call call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (auto _ : state) {
    const auto start = Clock::now();
    call();
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  state.counters["min_ns"] = times.front() / kElements;
  state.counters["median_ns"] = times[times.size() / 2] / kElements;
}

template <typename Real>
void register_reals(const Generator& generator, const char* dtype) {
  const std::string name(generator.name);
  benchmark::RegisterBenchmark((name + "/normal/" + dtype).c_str(), [&](benchmark::State& state) {
    const auto stream = generator.make(Seed(0), "", "");
    std::vector<Real> x(kElements);
    time_calls(state, [&] { stream->normal(kId, std::span<Real>(x)); });
  });
  benchmark::RegisterBenchmark((name + "/uniform/" + dtype).c_str(), [&](benchmark::State& state) {
    const auto stream = generator.make(Seed(0), "", "");
    std::vector<Real> x(kElements);
    time_calls(state, [&] { stream->uniform(kId, std::span<Real>(x), 0.0, 1.0); });
  });
}

void register_all() {
  for (const Generator& generator : kGenerators) {
    register_reals<float>(generator, "float32");
    register_reals<double>(generator, "float64");
    const std::string name(generator.name);
    benchmark::RegisterBenchmark((name + "/integers/int64").c_str(), [&](benchmark::State& state) {
      const auto stream = generator.make(Seed(0), "", "");
      std::vector<std::int64_t> x(kElements);
      time_calls(state, [&] { stream->integers(kId, x, 100); });
    });
  }
}

}  // namespace
}  // namespace sigstab

int main(int argc, char** argv) {
  constexpr const char* kTarget = "--target=";
  if (argc > 1 && std::strncmp(argv[1], kTarget, std::strlen(kTarget)) == 0) {
    if (!sigstab::force_vector_target(argv[1] + std::strlen(kTarget))) {
      std::fprintf(stderr, "draws_bench: error: %s: this machine has", argv[1]);
      for (const auto name : sigstab::vector_targets()) std::fprintf(stderr, " %s", name.data());
      std::fprintf(stderr, "\n");
      return 2;
    }
    --argc;
    ++argv;
  }
  sigstab::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
