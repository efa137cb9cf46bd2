#pragma once
// Reads the independent numbers under tests/reference/.

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace sigstab::testing {

inline nlohmann::json reference_file(const std::string& name) {
  std::ifstream file(std::string(SIGSTAB_SOURCE_DIR) + "/tests/reference/" + name);
  return nlohmann::json::parse(file);
}

}  // namespace sigstab::testing
