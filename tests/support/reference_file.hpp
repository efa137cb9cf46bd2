#pragma once
// Reads the independent numbers under tests/reference/. Keep the result in a variable: a range-for
// over a part of the temporary would run over nothing.

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/paths.hpp"

namespace sigstab::testing {

inline nlohmann::json reference_file(const std::string& name) {
  std::ifstream file(source_path("tests/reference/" + name));
  return nlohmann::json::parse(file);
}

}  // namespace sigstab::testing
