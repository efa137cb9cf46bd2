// Finds a config by canned name or path; describes this build.

#include <filesystem>

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

std::vector<std::string> article_names() {
  std::vector<std::string> names;
  for (const CannedConfig& canned : canned_configs()) {
    if (canned.folder == "article") names.emplace_back(canned.name);
  }
  return names;
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

std::string version_text() {
  const Provenance p = this_build({});
  return "sigstab " + p.version + " (revision " + p.revision + ", " + p.build_type + ")\n" +
         "compiler " + p.compiler + "\n" + p.blas + ", running its " + p.blas_core + " kernels\n";
}

}  // namespace sigstab
