#include "report/text_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/format_spec.hpp"

namespace sigstab {

std::string digits(double value) { return value == 0 ? "0" : FormatSpec("#.4g").format(value); }

std::string aligned(const TextGrid& grid, std::size_t left) {
  std::vector<std::size_t> widths(grid.front().size());
  for (const auto& row : grid) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : grid) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i < left ? fmt::format("  {:<{}}", row[i], widths[i])
                       : fmt::format("  {:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace sigstab
