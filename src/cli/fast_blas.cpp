#include "cli/fast_blas.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "math/blas.hpp"

namespace sigstab {
namespace {

// How often the program has started itself; set by nobody else.
constexpr const char* kAttempts = "SIGSTAB_BLAS_ATTEMPTS";
constexpr const char* kCoreType = "OPENBLAS_CORETYPE";

constexpr std::array<std::string_view, 6> kAvx2Cores = {
    "Haswell", "Zen", "SkylakeX", "Excavator", "Cooperlake", "SapphireRapids"};

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

}  // namespace

std::optional<std::string> core_type_to_try(std::string_view core, CpuFeatures cpu, int attempts) {
  const bool fast = std::ranges::find(kAvx2Cores, core) != kAvx2Cores.end();
  if (fast || !cpu.avx2_fma) return std::nullopt;
  if (attempts == 0) return "";  // let OpenBLAS detect
  if (attempts == 1) return cpu.avx512 ? "SkylakeX" : "Haswell";
  return std::nullopt;
}

void ensure_fast_blas(char** argv) {
  const char* own = std::getenv(kAttempts);
  if (std::getenv(kCoreType) != nullptr && own == nullptr) return;  // the user's choice
  const int attempts = own == nullptr ? 0 : own[0] == '1' ? 1 : 2;
  const auto core_type = core_type_to_try(blas_core(), this_cpu(), attempts);
  if (core_type) {
    ::setenv(kCoreType, core_type->c_str(), 1);
    ::setenv(kAttempts, attempts == 0 ? "1" : "2", 1);
    ::execv("/proc/self/exe", argv);
    std::fprintf(stderr, "sigstab: note: OpenBLAS runs its slow %s kernels; set %s=Haswell\n",
                 blas_core().c_str(), kCoreType);
  }
  ::unsetenv(kAttempts);
}

}  // namespace sigstab
