#include "report/cell_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/error.hpp"
#include "base/format_spec.hpp"
#include "base/printable.hpp"
#include "json/json.hpp"
#include "report/markdown.hpp"
#include "report/text_grid.hpp"

namespace sigstab {
namespace {

constexpr double kLogEnd = 700;  // e^700 and e^-700 are doubles still
constexpr const char* kNothing = "-";

std::string power_of_ten(double log) { return fmt::format("10^{:.9g}", log / std::numbers::ln10); }

std::string text_of(const Cell& cell, const FormatSpec& spec) {
  if (const auto* number = std::get_if<double>(&cell)) return spec.format(*number);
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
  if (const auto* value = std::get_if<FromLog>(&cell)) {
    if (std::fabs(value->log) > kLogEnd) return power_of_ten(value->log);
    return spec.format(std::exp(value->log));
  }
  return kNothing;
}

// Full precision; what no double holds as text, what is missing as null.
Json json_of(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return number_json(*number);
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* value = std::get_if<FromLog>(&cell)) {
    if (std::fabs(value->log) > kLogEnd) return power_of_ten(value->log);
    return number_json(std::exp(value->log));
  }
  return nullptr;
}

std::string csv_of(const Cell& cell) {
  const Json value = json_of(cell);
  if (value.is_null()) return "";
  if (value.is_string()) return csv_cell(printable(value.get<std::string>()));
  return value.is_number_integer() ? value.dump() : fmt::format("{}", value.get<double>());
}

TextGrid grid_of(const CellTable& table) {
  TextGrid grid = {table.columns};
  const FormatSpec spec(table.spec);
  for (const std::vector<Cell>& row : table.rows) {
    grid.emplace_back();
    for (const Cell& cell : row) grid.back().push_back(text_of(cell, spec));
  }
  return grid;
}

std::string render_text(std::span<const CellTable> tables) {
  std::string text;
  for (const CellTable& table : tables) {
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", table.title,
                        aligned(grid_of(table), table.left));
  }
  return text;
}

std::string render_markdown_tables(std::span<const CellTable> tables) {
  std::string text;
  for (const CellTable& table : tables) {
    text += fmt::format("{}## {}\n\n{}", text.empty() ? "" : "\n", escaped_markdown(table.title),
                        markdown_table(grid_of(table)));
  }
  return text;
}

std::string render_csv_table(std::span<const CellTable> tables) {
  if (tables.size() != 1) {
    throw Error("--format csv",
                fmt::format("holds one table, and {} were asked for", tables.size()),
                "choose one with --only, or use json");
  }
  std::string text = fmt::format("{}\n", fmt::join(tables.front().columns, ","));
  for (const std::vector<Cell>& row : tables.front().rows) {
    std::vector<std::string> cells;
    for (const Cell& cell : row) cells.push_back(csv_of(cell));
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

std::string render_json_tables(std::span<const CellTable> tables) {
  Json all = {{"schema", 1}};
  for (const CellTable& table : tables) {
    Json rows = Json::array();
    for (const std::vector<Cell>& row : table.rows) {
      Json entry = Json::object();
      for (std::size_t i = 0; i < row.size(); ++i) entry[table.columns[i]] = json_of(row[i]);
      rows.push_back(std::move(entry));
    }
    all[table.name] = std::move(rows);
  }
  return all.dump(1) + "\n";
}

constexpr CellFormat kFormats[] = {
    {"table", "aligned columns for people", render_text},
    {"json", "an array a table, an object a row, full precision", render_json_tables},
    {"csv", "one table, full precision", render_csv_table},
    {"markdown", "tables for a pull request", render_markdown_tables},
};

}  // namespace

std::span<const CellFormat> cell_formats() { return kFormats; }

}  // namespace sigstab
