#pragma once
// What this build of the program is: version, revision, compiler, BLAS.

#include <string>

#include "result/result.hpp"

namespace sigstab {

// Loads the BLAS, to name the kernels that it runs.
Provenance this_build(int threads);
// The text of --version.
std::string version_text();

}  // namespace sigstab
