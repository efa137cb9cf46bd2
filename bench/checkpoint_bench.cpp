// How fast a checkpoint is read and measured, beside the machine's limits in the same run.
//
// limit/memory     one thread that reads a buffer larger than the caches
// read/pread/KB    the file through a buffer of that size, added up as 64-bit words
// read/mmap        the same through a mapping, made and dropped each time
// inspect/N        what `inspect` does, on N threads
// The file is in the page cache. GB_s is of the fastest round, GB_cpu_s a second of processor time,
// which other programs disturb less.
//
// usage: checkpoint_bench [FORMAT]    (BF16)

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "base/named_table.hpp"
#include "checkpoint/inspect.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 29;

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Body>
void keep_fastest(benchmark::State& state, const Body& body) {
  double seconds = std::numeric_limits<double>::infinity(), cpu = seconds;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    body();
    cpu = std::min(cpu, cpu_seconds() - cpu_start);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    seconds = std::min(seconds, took.count());
  }
  state.counters["GB_s"] = static_cast<double>(kBytes) / seconds / 1e9;
  state.counters["GB_cpu_s"] = static_cast<double>(kBytes) / cpu / 1e9;
}

std::uint64_t sum_of(const void* bytes, std::size_t count) {
  const auto* words = static_cast<const std::uint64_t*>(bytes);
  std::uint64_t sums[8] = {};
  for (std::size_t i = 0; i < count / 8; i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += words[i + lane];
  }
  std::uint64_t sum = 0;
  for (std::uint64_t lane : sums) sum += lane;
  return sum;
}

// One tensor of 16-bit patterns, or any other format's, that are all finite numbers.
std::string write_file(const std::string& format) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "sigstab_bench.safetensors").string();
  const std::size_t each = find_row(stored_format_table(), format)->bits / 8;
  std::string header = "{\"w\": {\"dtype\": \"" + format + "\", \"shape\": [" +
                       std::to_string(kBytes / each) + "], \"data_offsets\": [0, " +
                       std::to_string(kBytes) + "]}}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::ofstream file(path, std::ios::binary);
  const std::uint64_t length = header.size();
  file.write(reinterpret_cast<const char*>(&length), sizeof length) << header;
  std::vector<unsigned char> part(std::size_t{1} << 20);
  for (std::size_t i = 0; i < part.size(); ++i) {
    part[i] = static_cast<unsigned char>(i % each == each - 1 ? 0x30 + i % 7 : i * 37 % 251);
  }
  for (std::size_t done = 0; done < kBytes; done += part.size()) {
    file.write(reinterpret_cast<const char*>(part.data()),
               static_cast<std::streamsize>(part.size()));
  }
  return path;
}

void register_all(const std::string& path) {
  const auto add = [](const std::string& name, auto body) {
    benchmark::RegisterBenchmark(name.c_str(), [body](benchmark::State& state) {
      body(state);
    })->Unit(benchmark::kMillisecond);
  };
  add("limit/memory", [](benchmark::State& state) {
    const std::vector<std::uint64_t> memory(kBytes / 8, 1);
    keep_fastest(state, [&] { benchmark::DoNotOptimize(sum_of(memory.data(), kBytes)); });
  });
  for (const std::size_t kilobytes : {64u, 256u, 1024u, 4096u}) {
    add("read/pread/" + std::to_string(kilobytes), [path, kilobytes](benchmark::State& state) {
      const InputFile file(path);
      std::vector<std::byte> buffer(kilobytes * 1024);
      keep_fastest(state, [&] {
        for (std::size_t at = 0; at < kBytes; at += buffer.size()) {
          file.read(file.size() - kBytes + at, buffer);
          benchmark::DoNotOptimize(sum_of(buffer.data(), buffer.size()));
        }
      });
    });
  }
  add("read/mmap", [path](benchmark::State& state) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    keep_fastest(state, [&] {
      void* bytes = ::mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
      ::madvise(bytes, kBytes, MADV_SEQUENTIAL);
      benchmark::DoNotOptimize(sum_of(bytes, kBytes));
      ::munmap(bytes, kBytes);
    });
    ::close(descriptor);
  });
  for (const int threads : {1, 2}) {
    add("inspect/" + std::to_string(threads), [path, threads](benchmark::State& state) {
      const Checkpoint checkpoint(path);
      std::vector<InspectedTensors> rows = list_tensors(checkpoint, {});
      Team team(threads);
      keep_fastest(state, [&] { measure_tensors(team, rows); });
    });
  }
}

}  // namespace
}  // namespace sigstab

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::string path = sigstab::write_file(argc > 1 ? argv[1] : "BF16");
  sigstab::register_all(path);
  benchmark::RunSpecifiedBenchmarks();
  std::filesystem::remove(path);
  return 0;
}
