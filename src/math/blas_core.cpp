#include "math/blas_core.hpp"

#include <algorithm>
#include <array>

namespace sigstab {
namespace {

constexpr std::array<std::string_view, 6> kAvx2Cores = {
    "Haswell", "Zen", "SkylakeX", "Excavator", "Cooperlake", "Sapphirerapids"};

}  // namespace

CpuFeatures this_cpu() {
  CpuFeatures cpu;
#if defined(__x86_64__)
  __builtin_cpu_init();
  cpu.avx2_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  cpu.avx512 = cpu.avx2_fma && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl");
#endif
  return cpu;
}

std::optional<std::string_view> better_core(std::string_view core, CpuFeatures cpu) {
  const bool fast = std::ranges::find(kAvx2Cores, core) != kAvx2Cores.end();
  if (fast || !cpu.avx2_fma) return std::nullopt;
  return cpu.avx512 ? "SkylakeX" : "Haswell";
}

}  // namespace sigstab
