#pragma once
// Reads the independent numbers under tests/reference/. Keep the result in a variable: a range-for
// over a part of the temporary would run over nothing.

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace sigstab::testing {

inline nlohmann::json reference_file(const std::string& name) {
  std::ifstream file(std::string(SIGSTAB_SOURCE_DIR) + "/tests/reference/" + name);
  return nlohmann::json::parse(file);
}

}  // namespace sigstab::testing
