#pragma once
// Tables of cells that a command computes itself, written as text, markdown, csv or json.
//
// The text formats show 9 significant digits; csv and json have all.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sigstab {

// A positive number by its logarithm, which may be far outside the range of a double.
struct FromLog {
  double log;
};
// Nothing where there is no such value.
using Cell = std::variant<std::monostate, double, FromLog, std::string>;

struct CellTable {
  std::string name, title;  // the key in json; the line above the table
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

struct CellFormat {
  std::string_view name, help;
  std::string (*render)(std::span<const CellTable> tables);
};
std::span<const CellFormat> cell_formats();

}  // namespace sigstab
