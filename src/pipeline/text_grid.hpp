#pragma once
// Rows of text cells, the first row a heading.

#include <string>
#include <vector>

namespace sigstab {

using TextGrid = std::vector<std::vector<std::string>>;

// Columns flush right, two spaces apart.
std::string aligned(const TextGrid& grid);

// Four significant digits, kept zeros, so that a column lines up; zero is plain.
std::string digits(double value);

}  // namespace sigstab
