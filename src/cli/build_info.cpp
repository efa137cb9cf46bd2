#include "cli/build_info.hpp"

#include "build_facts.hpp"
#include "math/blas.hpp"

namespace sigstab {

Provenance this_build(int threads) {
  Provenance p;
  p.version = build::kVersion;
  p.revision = build::kRevision;
  p.build_type = build::kBuildType;
  p.compiler = build::kCompiler;
  p.blas = blas_version();
  p.blas_core = blas_core();
  p.threads = threads;
  return p;
}

std::string version_text() {
  const Provenance p = this_build(1);
  return "sigstab " + p.version + " (revision " + p.revision + ", " + p.build_type + ")\n" +
         "compiler " + p.compiler + "\n" + p.blas + ", running its " + p.blas_core + " kernels\n";
}

}  // namespace sigstab
