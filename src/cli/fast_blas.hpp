#pragma once
// Mends OpenBLAS's choice of kernels where it does not know a newer CPU.
//
// Debian 12's OpenBLAS 0.3.21 falls back to kernels without AVX2 on CPUs that came after it, 4 to 6
// times slower. Setting OPENBLAS_CORETYPE, even to nothing, makes it look again; but it reads the
// variable only when it is loaded, so the program starts itself once more. A value of the user's is
// never changed.

#include <optional>
#include <string>
#include <string_view>

namespace sigstab {

struct CpuFeatures {
  bool avx2_fma = false;
  bool avx512 = false;  // F, DQ, BW, VL: what SkylakeX kernels use
};

// The value of OPENBLAS_CORETYPE to start again with; none if the core is as good as can be had.
// `attempts` counts the starts so far that this program made itself.
std::optional<std::string> core_type_to_try(std::string_view core, CpuFeatures cpu, int attempts);

// Starts the program again if that gives faster kernels; returns if not. Where that fails, says so.
void ensure_fast_blas(char** argv);

}  // namespace sigstab
