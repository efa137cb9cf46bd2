// Finds a config by canned name or path; describes this build.

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/machine.hpp"
#include "base/named_table.hpp"
#include "build_facts.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "math/blas.hpp"
#include "pipeline/canned.hpp"

namespace sigstab {

NamedText load_config(const std::string& name) {
  const bool path = name.find('/') != std::string::npos || name.ends_with(".json");
  if (!path) {
    if (const CannedConfig* canned = find_row(canned_configs(), name)) {
      return {name, std::string(canned->text)};
    }
    std::error_code ignored;
    if (!std::filesystem::exists(name, ignored)) {
      throw Error("", "no experiment and no file is named \"" + name + "\"",
                  name_hint(name, row_names(canned_configs())));
    }
  }
  return {name, read_file(name)};
}

Provenance this_build(const Limits& limits) {
  Provenance p;
  p.version = build::kVersion;
  p.revision = build::kRevision;
  p.build_type = build::kBuildType;
  p.compiler = build::kCompiler;
  p.blas = blas_version();
  p.blas_core = blas_core();
  p.threads = limits.threads;
  return p;
}

Limits read_limits(const std::string& threads, const std::string& memory) {
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

std::string version_text() {
  const Provenance p = this_build({});
  return "sigstab " + p.version + " (revision " + p.revision + ", " + p.build_type + ")\n" +
         "compiler " + p.compiler + "\n" + p.blas + ", running its " + p.blas_core + " kernels\n";
}

}  // namespace sigstab
