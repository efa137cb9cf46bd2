#pragma once
// Which kernels OpenBLAS should run on this CPU.
//
// Debian 12's OpenBLAS 0.3.21 falls back to kernels without AVX2 on CPUs that came after it, 4 to 6
// times slower. Any value of OPENBLAS_CORETYPE, even an empty one, makes it look again; if it still
// finds nothing newer, the name of a core whose instruction sets the CPU has.

#include <optional>
#include <string_view>

namespace sigstab {

struct CpuFeatures {
  bool avx2_fma = false;
  bool avx512 = false;  // F, DQ, BW and VL: what the SkylakeX kernels use
};
CpuFeatures this_cpu();

// The core to name when OpenBLAS runs `core` on such a CPU; none if that is as good as can be had.
std::optional<std::string_view> better_core(std::string_view core, CpuFeatures cpu);

}  // namespace sigstab
