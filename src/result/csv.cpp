#include "result/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

#include "base/error.hpp"

namespace sigstab {
namespace {

using Cells = std::vector<std::string>;

// One record from `at` on, which then stands after its line end.
Cells read_record(std::string_view text, std::size_t& at) {
  Cells cells(1);
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      const bool doubled = c == '"' && at + 1 < text.size() && text[at + 1] == '"';
      if (doubled) ++at;
      if (c == '"' && !doubled)
        quoted = false;
      else
        cells.back() += c;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      cells.emplace_back();
    } else if (c == '\n') {
      ++at;
      break;
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

double read_cell(const std::string& cell, const std::string& where) {
  if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (end != cell.c_str() + cell.size()) {
    throw Error(where, fmt::format("expected a number, got \"{}\"", cell), "write the file again");
  }
  return value;
}

std::int64_t read_row_number(const std::string& cell, const std::string& where) {
  std::int64_t row = 0;
  const char* end = cell.data() + cell.size();
  const auto [stopped, failed] = std::from_chars(cell.data(), end, row);
  if (failed != std::errc() || stopped != end || row < 1) {
    throw Error(where, fmt::format("expected a row number, input or output, got \"{}\"", cell),
                "write the file again");
  }
  return row;
}

// The scalar that continues a column, as the depth kind names it: input_rms continues forward_rms.
std::string edge_scalar(const std::string& label, const std::string& column) {
  constexpr std::string_view kForward = "forward_";
  return label + "_" + (column.starts_with(kForward) ? column.substr(kForward.size()) : column);
}

}  // namespace

Result read_csv(std::string_view text, const std::string& file) {
  std::size_t at = 0;
  const Cells header = read_record(text, at);
  const auto seed = std::ranges::find(header, "seed");
  if (header.front() != "case" || seed == header.end() || header.end() - seed < 3) {
    throw Error(file, "not a sigstab csv: its header must be case,...,seed,<row>,<columns>",
                "write one with: sigstab run ... -o " + file);
  }
  if (!text.ends_with('\n')) {
    throw Error(file, "its last line has no end: the file is cut off", "write the file again");
  }
  const auto seed_at = static_cast<std::size_t>(seed - header.begin());
  Result result;
  result.row_name = header[seed_at + 1];
  std::map<Cells, std::size_t> case_of_keys;
  for (std::size_t line = 2; at < text.size(); ++line) {
    const Cells cells = read_record(text, at);
    const std::string where = fmt::format("{} line {}", file, line);
    if (cells.size() != header.size()) {
      throw Error(where, fmt::format("expected {} cells, got {}", header.size(), cells.size()),
                  "write the file again");
    }
    const Cells keys(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(seed_at) + 1);
    const auto [known, fresh] = case_of_keys.try_emplace(keys, result.cases.size());
    if (fresh) {
      CaseResult one;
      one.name = cells[0];
      for (std::size_t i = 1; i < seed_at; ++i) one.point.push_back({header[i], cells[i]});
      one.seed = cells[seed_at];
      for (std::size_t i = seed_at + 2; i < header.size(); ++i) {
        one.columns.push_back({.name = header[i]});
      }
      result.cases.push_back(std::move(one));
    }
    CaseResult& one = result.cases[known->second];
    const std::string& label = cells[seed_at + 1];
    const bool edge = label == "input" || label == "output";
    if (!edge) one.row_numbers.push_back(read_row_number(label, where));
    for (std::size_t i = seed_at + 2; i < header.size(); ++i) {
      const double value = read_cell(cells[i], where);
      if (!edge)
        one.columns[i - seed_at - 2].values.push_back(value);
      else if (!cells[i].empty())
        one.scalars.push_back({edge_scalar(label, header[i]), value});
    }
  }
  return result;
}

}  // namespace sigstab
