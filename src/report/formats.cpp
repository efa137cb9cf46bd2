#include "report/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/extension.hpp"
#include "base/named_table.hpp"
#include "report/markdown.hpp"
#include "result/csv.hpp"
#include "result/result_json.hpp"

namespace sigstab {
namespace {

constexpr ReportFormat kFormats[] = {
    {.name = "table",
     .extension = ".txt",
     .help = "aligned columns for people",
     .holds_several = true,
     .spaced = true,
     .render = render_table},
    {.name = "article",
     .help = "one line a case, by the config's report.line",
     .holds_several = true,
     .needs_line = true,
     .render = render_article},
    {.name = "csv",
     .extension = ".csv",
     .help = "a row a layer, full precision",
     .render = render_csv,
     .read = [](std::string_view text,
                const std::string& file) { return std::vector{read_csv(text, file)}; }},
    {.name = "json",
     .extension = ".json",
     .help = "everything measured, with config and provenance",
     .provenance = true,
     .render = [](const Result& result, const ReportOf&) { return write_json(result); },
     .read = [](std::string_view text,
                const std::string& file) { return std::vector{read_json(text, file)}; }},
    {.name = "jsonl",
     .extension = ".jsonl",
     .help = "json, a line a case",
     .holds_several = true,
     .provenance = true,
     .render = [](const Result& result, const ReportOf&) { return write_jsonl(result); },
     .line = jsonl_line,
     .read = read_jsonl},
    {.name = "markdown",
     .extension = ".md",
     .help = "tables for a pull request",
     .holds_several = true,
     .spaced = true,
     .render = render_markdown},
};

std::string csv_number(double value) { return value != value ? "nan" : fmt::format("{}", value); }

// Where theory says nothing the cell is empty.
std::string csv_value(const Column& column, double value) {
  const bool absent = column.role != ColumnRole::measured && std::isnan(value);
  return absent ? "" : csv_number(value);
}

}  // namespace

std::span<const ReportFormat> format_table() { return kFormats; }

std::vector<Result> read_results(std::string_view text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    refuse_result(file, "it is empty");
  const ReportFormat* format = find_by_extension(format_table(), file);
  if (format == nullptr || format->read == nullptr) format = find_row(format_table(), "json");
  std::vector<Result> results = format->read(text, file);
  const bool any = std::ranges::any_of(results, [](const Result& r) { return !r.cases.empty(); });
  if (!any) refuse_result(file, "it holds no case");
  return results;
}

std::string render_table(const Result& result, const ReportOf& report_of) {
  const ResultTables tables = tables_of(result, report_of);
  std::string text = tables.headline + "\n";
  if (!tables.common.empty()) text += tables.common + "\n";
  for (const ResultTable& part : tables.parts) {
    text += "\n";
    if (!part.heading.empty()) text += part.heading + "\n";
    if (!part.scalars.empty()) text += "  " + part.scalars + "\n";
    text += aligned(part.grid);
    for (const std::string& verdict : part.verdicts) text += "  " + verdict + "\n";
  }
  return text;
}

std::string render_markdown(const Result& result, const ReportOf& report_of) {
  const ResultTables tables = tables_of(result, report_of);
  return fmt::format("## {}\n", escaped_markdown(tables.headline)) + markdown_tables(tables, "###");
}

std::string render_csv(const Result& result, const ReportOf& report_of) {
  std::vector<std::string> point_keys, columns;
  const auto add = [](std::vector<std::string>& list, const std::string& name) {
    if (std::ranges::find(list, name) == list.end()) list.push_back(name);
  };
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    for (const NamedScalar& entry : result.cases[i].point) add(point_keys, entry.name);
    for (const std::string& name : report_of(result.cases[i]).columns) add(columns, name);
  }
  std::string text = "case";
  for (const std::string& key : point_keys) text += "," + csv_cell(key);
  text += ",seed," + result.row_name;
  for (const std::string& name : columns) text += "," + csv_cell(name);
  text += "\n";

  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const CaseResult& one = result.cases[i];
    const ReportSpec& spec = report_of(result.cases[i]);
    std::string keys = csv_cell(one.name);
    for (const std::string& key : point_keys) {
      const auto entry = std::ranges::find(one.point, key, &NamedScalar::name);
      keys += "," + (entry == one.point.end() ? "" : csv_cell(FormatSpec().format(entry->value)));
    }
    keys += "," + one.seed;
    const auto add_row = [&](const std::string& label, auto value_of) {
      text += keys + "," + label;
      for (const std::string& name : columns) {
        const Column* column = one.column(name);
        text += "," + (column == nullptr ? "" : value_of(*column));
      }
      text += "\n";
    };
    const auto add_edge = [&](const Edge& edge) {
      if (!has_edge(one, spec, edge)) return;
      add_row(edge.label, [&](const Column& column) -> std::string {
        const std::string& scalar = column.*edge.scalar;
        return scalar.empty() ? "" : csv_value(column, std::get<double>(*one.scalar(scalar)));
      });
    };
    add_edge(kInputEdge);
    for (std::int64_t row = 1; row <= one.rows(); ++row) {
      if (!spec.rows.empty() && !std::ranges::binary_search(spec.rows, row)) continue;
      add_row(fmt::format("{}", row), [&](const Column& column) {
        return csv_value(column, column.values[static_cast<std::size_t>(row - 1)]);
      });
    }
    add_edge(kOutputEdge);
  }
  return text;
}

std::string render_article(const Result& result, const ReportOf& report_of) {
  std::string text;
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const ReportSpec& spec = report_of(result.cases[i]);
    if (!spec.line) {
      throw Error("", fmt::format("\"{}\" has no report.line to print", result.experiment),
                  "add \"report\": {\"line\": \"...\"}, or use --format table");
    }
    text += spec.line->render(result.cases[i]) + "\n";
  }
  return text;
}

}  // namespace sigstab
