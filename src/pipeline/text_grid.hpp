#pragma once
// Rows of text cells, the first row a heading, and how they are set.

#include <string>
#include <vector>

namespace sigstab {

using TextGrid = std::vector<std::vector<std::string>>;

// Columns flush right, two spaces apart.
std::string aligned(const TextGrid& grid);
std::string markdown_table(const TextGrid& grid);
std::string escaped_markdown(const std::string& text);

// Four significant digits, kept zeros, so that a column lines up; zero is plain.
std::string digits(double value);

}  // namespace sigstab
