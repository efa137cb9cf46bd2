#pragma once
// The instruction sets that the vector code was compiled for, and a way to force one of them.
//
// Without forcing, the best that this machine has is chosen at the first draw. Forcing is for tests
// and for scripts/compare_draws.py --target: every target gives the same bits.

#include <string_view>
#include <vector>

namespace sigstab {

// Names of the targets that this machine can run, best first: "avx3_ifma", "avx3", "avx2", ...,
// "scalar".
std::vector<std::string_view> vector_targets();

// Draws go through this target from now on; an empty name restores the best. Not thread-safe.
// Errors: false, and nothing changed, for a name that is not in vector_targets().
bool force_vector_target(std::string_view name);

// Whether the AVX3 target may use what Highway 1.0.3 has no target for: AVX-512 with IFMA, VBMI and
// VBMI2 (Ice Lake, Zen 4 and later).
bool has_avx512_ifma();

}  // namespace sigstab
