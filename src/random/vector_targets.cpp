// Names for Highway's target bits, and one more of our own.

#include "random/vector_targets.hpp"

#include <array>
#include <atomic>
#include <cstdint>

#include "hwy/targets.h"

namespace sigstab {
namespace {

struct Target {
  std::string_view name;
  std::int64_t highway;
  bool ifma;
};

constexpr std::array kTargets = {
    Target{"avx3_ifma", HWY_AVX3, true}, Target{"avx3", HWY_AVX3, false},
    Target{"avx2", HWY_AVX2, false},     Target{"neon", HWY_NEON, false},
    Target{"scalar", HWY_SCALAR, false},
};

bool cpu_has_ifma() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512vbmi2");
#else
  return false;
#endif
}

std::atomic<bool> ifma_allowed{true};

// What the machine has, whatever is forced now.
std::int64_t supported_targets() {
  static const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets | HWY_SCALAR;
}

}  // namespace

std::vector<std::string_view> vector_targets() {
  std::vector<std::string_view> names;
  for (const Target& target : kTargets) {
    if ((supported_targets() & target.highway) != 0 && (!target.ifma || cpu_has_ifma())) {
      names.push_back(target.name);
    }
  }
  return names;
}

bool force_vector_target(std::string_view name) {
  // Asks for the machine's own targets before the first change.
  const std::int64_t supported = supported_targets();
  if (name.empty()) {
    hwy::SetSupportedTargetsForTest(0);
    ifma_allowed = true;
    return true;
  }
  for (const Target& target : kTargets) {
    if (target.name != name) continue;
    if ((supported & target.highway) == 0 || (target.ifma && !cpu_has_ifma())) return false;
    hwy::SetSupportedTargetsForTest(target.highway);
    ifma_allowed = target.ifma;
    return true;
  }
  return false;
}

bool has_avx512_ifma() {
  static const bool cpu = cpu_has_ifma();
  return cpu && ifma_allowed.load(std::memory_order_relaxed);
}

}  // namespace sigstab
