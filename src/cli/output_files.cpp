#include "cli/output_files.hpp"

#include <filesystem>

#include "cli/files.hpp"

namespace sigstab {

void OutputFiles::claim(const std::string& flag, const std::string& path) {
  const std::string where = flag + " " + path;
  if (!claimed_.insert(path).second) {
    throw Error(where, "the file is named twice", "name each once");
  }
  for (const std::string& name : read_) {
    std::error_code missing;
    if (!std::filesystem::equivalent(name, path, missing)) continue;
    throw Error(where, "it is the file that is to be read", "name another file");
  }
  check_writable(path);
}

}  // namespace sigstab
