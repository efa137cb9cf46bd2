#pragma once
// Rows of text cells, the first row a heading.

#include <string>
#include <vector>

namespace sigstab {

using TextGrid = std::vector<std::vector<std::string>>;

// Columns flush right, the first `left` ones flush left, two spaces apart.
std::string aligned(const TextGrid& grid, std::size_t left = 0);

// Quoted where a csv cell needs it (RFC 4180).
std::string csv_cell(const std::string& text);

// Four significant digits, kept zeros, so that a column lines up; zero is plain.
std::string digits(double value);

}  // namespace sigstab
