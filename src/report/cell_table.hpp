#pragma once
// Tables of cells that a command computes itself, written as text, markdown, csv or json.
//
// The text formats show numbers as the table asks; csv and json have all digits.

#include <cstdint>
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
using Cell = std::variant<std::monostate, double, FromLog, std::string, std::int64_t>;

struct CellTable {
  std::string name, title;  // the key in json; the line above the table
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::string_view spec = ".9g";  // of its numbers in text
  std::size_t left = 0;           // so many first columns are flush left
};

struct CellFormat {
  std::string_view name, help;
  std::string (*render)(std::span<const CellTable> tables);
};
std::span<const CellFormat> cell_formats();

}  // namespace sigstab
