#pragma once
// Where the checkout and the program under test are. Known to one object file, so that the others
// are the same wherever the checkout lies.

#include <string>

namespace sigstab::testing {

// An absolute path, from one below the checkout: "tests/reference/x.json".
std::string source_path(const std::string& below);
std::string binary_path();

}  // namespace sigstab::testing
