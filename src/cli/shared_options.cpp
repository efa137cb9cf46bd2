#include "cli/shared_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "base/machine.hpp"
#include "config/read_config.hpp"

namespace sigstab {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// "0..99" -> every seed between, both included.
std::vector<std::string> seed_range(const std::string& text) {
  constexpr std::uint64_t kMostSeeds = 1'000'000;
  const std::size_t dots = text.find("..");
  const auto from = Seed::parse(text.substr(0, dots));
  const auto to = dots == std::string::npos ? from : Seed::parse(text.substr(dots + 2));
  if (!from || !to || !from->as_uint64() || !to->as_uint64() ||
      *from->as_uint64() > *to->as_uint64() ||
      *to->as_uint64() - *from->as_uint64() >= kMostSeeds) {
    throw Error(
        "--seeds",
        fmt::format("expected a..b with a <= b, at most {} seeds, got \"{}\"", kMostSeeds, text),
        "write --seeds 0..99");
  }
  std::vector<std::string> seeds;
  for (std::uint64_t seed = *from->as_uint64();; ++seed) {
    seeds.push_back(std::to_string(seed));
    if (seed == *to->as_uint64()) return seeds;
  }
}

}  // namespace

Overrides ChangeOptions::overrides() const {
  Overrides changes;
  changes.set = set;
  if (seed && seeds) throw Error("--seed", "it excludes --seeds", "give one of them");
  if (seed) changes.seeds = {*seed};
  if (seeds) changes.seeds = seed_range(*seeds);
  if (layers) changes.rows = split(*layers, ',');
  return changes;
}

Option set_option(ChangeOptions& changes) {
  return {.name = "--set",
          .help = "change a key, such as norm.placement=post; may be repeated",
          .target = &changes.set,
          .value = "KEY=VALUE"};
}
Option seed_option(ChangeOptions& changes) {
  return {.name = "--seed", .help = "use this seed", .target = &changes.seed, .value = "N"};
}
Option seeds_option(ChangeOptions& changes, std::string help) {
  return {.name = "--seeds", .help = std::move(help), .target = &changes.seeds, .value = "A..B"};
}
Option layers_option(ChangeOptions& changes) {
  return {.name = "--layers",
          .help = "layers to show: 1,2,10,last or all",
          .target = &changes.layers,
          .value = "LAYERS"};
}

Limits LimitOptions::limits() const {
  constexpr int kMostThreads = 1024;
  constexpr double kShare = 0.8;  // of what is free
  const auto expect = [](bool right, const char* flag, const std::string& text, const char* rule) {
    if (!right) throw Error(flag, fmt::format("expected {}, got \"{}\"", rule, text));
  };
  Limits limits{static_cast<int>(std::max(1u, std::thread::hardware_concurrency())),
                kShare * available_memory()};
  if (!threads.empty()) {
    const auto [end, error] =
        std::from_chars(threads.data(), threads.data() + threads.size(), limits.threads);
    const bool whole = error == std::errc() && end == threads.data() + threads.size();
    expect(whole && limits.threads >= 1 && limits.threads <= kMostThreads, "--threads", threads,
           "an integer in [1, 1024]");
  }
  if (!memory.empty()) {
    constexpr std::string_view kUnits = "KMG";
    char* end = nullptr;
    limits.memory = std::strtod(memory.c_str(), &end);
    if (const std::size_t unit = kUnits.find(*end);
        *end != '\0' && unit != std::string_view::npos) {
      limits.memory *= std::pow(1024.0, static_cast<double>(unit + 1));
      ++end;
    }
    expect(
        end != memory.c_str() && *end == '\0' && limits.memory > 0 && std::isfinite(limits.memory),
        "--memory", memory, "bytes, or a number with K, M or G, such as 2G");
  }
  return limits;
}

Option threads_option(LimitOptions& limits) {
  return {.name = "--threads",
          .help = "threads to use (all cores); changes no bit",
          .target = &limits.threads,
          .value = "N"};
}
Option memory_option(LimitOptions& limits) {
  return {.name = "--memory",
          .help = "memory to use, such as 2G (80% of what is free)",
          .target = &limits.memory,
          .value = "SIZE"};
}

Option configs_option(std::vector<std::string>& names, bool required) {
  return {.name = "config",
          .help = "canned names or JSON files",
          .target = &names,
          .value = "CONFIG",
          .required = required};
}
Option format_option(std::string& format, Names choices) {
  std::string help = joined(choices);
  return {.name = "--format",
          .help = std::move(help),
          .target = &format,
          .value = "FORMAT",
          .choices = std::move(choices)};
}

}  // namespace sigstab
