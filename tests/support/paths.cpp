#include "support/paths.hpp"

namespace sigstab::testing {

std::string source_path(const std::string& below) { return SIGSTAB_SOURCE_DIR "/" + below; }
std::string binary_path() { return SIGSTAB_BINARY; }

}  // namespace sigstab::testing
