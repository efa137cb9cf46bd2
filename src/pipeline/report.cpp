#include "pipeline/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "pipeline/aggregate.hpp"
#include "pipeline/headings.hpp"
#include "pipeline/pivot.hpp"
#include "pipeline/result_json.hpp"
#include "pipeline/text_grid.hpp"

namespace sigstab {
namespace {

constexpr ReportFormat kFormats[] = {
    {"table", ".txt", "aligned columns for people", true, false, render_table},
    {"article", "", "one line a case, by the config's report.line", true, false, render_article},
    {"csv", ".csv", "a row a layer, full precision", false, false, render_csv},
    {"json", ".json", "everything measured, with config and provenance", false, true,
     [](const Result& result, const ReportOf&) { return write_json(result); }},
    {"jsonl", ".jsonl", "json, a line a case", true, true,
     [](const Result& result, const ReportOf&) { return write_jsonl(result); }, jsonl_line},
    {"markdown", ".md", "tables for a pull request", true, false, render_markdown},
};

std::string scalar_text(const Scalar& value) {
  if (const auto* real = std::get_if<double>(&value)) return FormatSpec(".4g").format(*real);
  return FormatSpec().format(value);
}

// A case as a grid of text: a heading row, then one row a shown layer, with the input before the
// first and what follows the last where there is more.

struct Edge {
  const char* label;
  std::string Column::*scalar;
};
constexpr Edge kInput = {"input", &Column::input_scalar};
constexpr Edge kOutput = {"output", &Column::output_scalar};

bool has_edge(const CaseResult& result, const ReportSpec& spec, const Edge& edge) {
  return std::ranges::any_of(spec.columns, [&](const std::string& name) {
    const Column* column = result.column(name);
    if (column == nullptr || column->is_absent() || (column->*edge.scalar).empty()) return false;
    const auto* value = std::get_if<double>(result.scalar(column->*edge.scalar));
    // Without a final norm the output is the last layer again.
    return &edge == &kInput || (value != nullptr && !column->values.empty() &&
                                *value != column->values.back() && *value == *value);
  });
}

// Where nothing is asked for, also the last row before a value is lost and the first without it.
std::vector<std::int64_t> shown_rows(const CaseResult& result, const ReportSpec& spec) {
  if (!spec.rows.empty()) return spec.rows;
  std::vector<std::int64_t> rows = story_rows(result.rows());
  const auto lost = [](double v) { return v == 0 || !std::isfinite(v); };
  for (const std::string& name : spec.columns) {
    const Column* column = result.column(name);
    if (column == nullptr || column->role != ColumnRole::measured) continue;
    const std::vector<double>& values = column->values;
    for (std::size_t i = 1; i < values.size(); ++i) {
      if (lost(values[i]) == lost(values[i - 1])) continue;
      rows.push_back(static_cast<std::int64_t>(i));
      rows.push_back(static_cast<std::int64_t>(i) + 1);
      break;
    }
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// Theory that says nothing is no nan; its scores are told to two decimals.
std::string cell_text(const Column& column, double value) {
  if (column.role == ColumnRole::measured) return digits(value);
  if (std::isnan(value)) return "-";
  return column.role == ColumnRole::score ? fmt::format("{:+.2f}", value) : digits(value);
}

TextGrid grid_of(const CaseResult& result, const ReportSpec& spec, const std::string& row_name) {
  TextGrid grid;
  std::vector<const Column*> columns;
  std::vector<std::string> heading = {row_name};
  for (const std::string& name : spec.columns) {
    if (const Column* column = result.column(name); column != nullptr && !column->is_absent()) {
      columns.push_back(column);
      heading.push_back(column->label.empty() ? name : column->label);
    }
  }
  grid.push_back(heading);
  const auto add_edge = [&](const Edge& edge) {
    if (!has_edge(result, spec, edge)) return;
    std::vector<std::string> row = {edge.label};
    for (const Column* column : columns) {
      const Scalar* value = result.scalar(column->*edge.scalar);
      row.push_back((column->*edge.scalar).empty() || value == nullptr
                        ? ""
                        : cell_text(*column, std::get<double>(*value)));
    }
    grid.push_back(row);
  };
  add_edge(kInput);
  for (std::int64_t layer : shown_rows(result, spec)) {
    std::vector<std::string> row = {fmt::format("{}", layer)};
    for (const Column* column : columns) {
      row.push_back(cell_text(*column, column->values[static_cast<std::size_t>(layer - 1)]));
    }
    grid.push_back(row);
  }
  add_edge(kOutput);
  return grid;
}

// Measured scalars that no column's edge shows: "loss 4.61".
std::string loose_scalars(const CaseResult& result) {
  std::string text;
  for (const NamedScalar& scalar : result.scalars) {
    const bool on_edge = std::ranges::any_of(result.columns, [&](const Column& column) {
      return column.input_scalar == scalar.name || column.output_scalar == scalar.name;
    });
    if (on_edge) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : "   ", scalar.name, scalar_text(scalar.value));
  }
  return text;
}

std::string csv_number(double value) { return value != value ? "nan" : fmt::format("{}", value); }

// Where theory says nothing the cell is empty.
std::string csv_value(const Column& column, double value) {
  const bool absent = column.role != ColumnRole::measured && std::isnan(value);
  return absent ? "" : csv_number(value);
}

}  // namespace

std::span<const ReportFormat> format_table() { return kFormats; }

std::vector<std::int64_t> story_rows(std::int64_t rows) {
  constexpr std::int64_t kAllOf = 12;
  std::vector<std::int64_t> shown;
  if (rows <= kAllOf) {
    for (std::int64_t row = 1; row <= rows; ++row) shown.push_back(row);
    return shown;
  }
  for (std::int64_t decade = 1; decade < rows; decade *= 10) {
    for (std::int64_t row : {decade, 2 * decade, 5 * decade}) {
      if (row < rows) shown.push_back(row);
    }
  }
  shown.push_back(rows);
  return shown;
}

namespace {

// What table and markdown show: a headline, what all cases share, then a part a case. Several seeds
// are shown by their statistics, a pivot table alone.
struct Part {
  std::string heading, scalars;
  TextGrid grid;
  std::vector<std::string> verdicts;
};
struct Page {
  std::string headline, common;
  std::vector<Part> parts;
};

// Without a choice in the report: sizes multiply, all else adds.
constexpr const char *kSizeStatistics[] = {"geometric_mean", "p5", "p95"},
                     *kOtherStatistics[] = {"mean", "p5", "p95"};

std::vector<const StatisticRow*> statistics_of(const ReportSpec& spec, bool is_size) {
  if (!spec.statistics.empty()) return spec.statistics;
  std::vector<const StatisticRow*> rows;
  for (const char* name : is_size ? kSizeStatistics : kOtherStatistics) {
    rows.push_back(find_row(statistic_table(), name));
  }
  return rows;
}

// A case of the aggregate with only what the report shows of it, each column's first statistic
// under the column's own name.
CaseResult chosen_statistics(const CaseResult& all, const CaseResult& seed, const ReportSpec& spec,
                             ReportSpec& shown) {
  CaseResult one = all;
  one.scalars.clear();
  shown.columns.clear();
  std::set<std::string> edges;
  for (const std::string& name : spec.columns) {
    const Column* measured = seed.column(name);
    if (measured == nullptr) continue;
    if (measured->role != ColumnRole::measured) {
      shown.columns.push_back(name);
      edges.insert({measured->input_scalar, measured->output_scalar});
      continue;
    }
    const std::vector<const StatisticRow*> rows = statistics_of(spec, measured->is_size);
    for (const StatisticRow* row : rows) {
      shown.columns.push_back(statistic_name(name, *row));
      const auto column = std::ranges::find(one.columns, shown.columns.back(), &Column::name);
      if (row == rows.front()) column->label = name;
      edges.insert({column->input_scalar, column->output_scalar});
    }
  }
  const auto on_edge = [&](const NamedScalar& scalar) {
    return std::ranges::any_of(seed.columns, [&](const Column& column) {
      return column.input_scalar == scalar.name || column.output_scalar == scalar.name;
    });
  };
  for (const NamedScalar& scalar : seed.scalars) {
    for (const StatisticRow* row : statistics_of(spec, false)) {
      const std::string name = statistic_name(scalar.name, *row);
      const Scalar* value = all.scalar(name);
      if (value != nullptr && !on_edge(scalar)) one.scalars.push_back({name, *value});
    }
  }
  for (const NamedScalar& scalar : all.scalars) {
    if (edges.contains(scalar.name)) one.scalars.push_back(scalar);
  }
  return one;
}

Page pivot_page(const Result& result, const PivotSpec& pivot) {
  return {headline(result.experiment, result.title),
          Headings(result.cases).top(),
          {{pivot_heading(result, pivot), "", pivot_grid(result, pivot), {}}}};
}

Page statistics_page(const Result& result, const ReportOf& report_of) {
  std::vector<const StatisticRow*> every;
  for (const StatisticRow& row : statistic_table()) every.push_back(&row);
  const Result aggregated = aggregate(result, every);
  const Headings headings(aggregated.cases);
  Page page{headline(result.experiment, result.title), headings.top(), {}};
  Names told;
  for (const CaseResult& all : aggregated.cases) {
    const auto seed = std::ranges::find(result.cases, all.planned, &CaseResult::planned);
    const ReportSpec& spec = report_of(all);
    ReportSpec shown = spec;
    const CaseResult one = chosen_statistics(all, *seed, spec, shown);
    page.parts.push_back(
        {headings.of(all), loose_scalars(one), grid_of(one, shown, result.row_name), one.verdicts});
    for (const std::string& name : spec.columns) {
      const Column* column = seed->column(name);
      if (column != nullptr && column->role != ColumnRole::measured) continue;
      for (const StatisticRow* row : statistics_of(spec, column == nullptr || column->is_size)) {
        if (std::ranges::find(told, row->name) == told.end()) told.push_back(row->name);
      }
    }
  }
  page.common += fmt::format("{}over seeds: {}", page.common.empty() ? "" : "\n", joined(told));
  return page;
}

Page page_of(const Result& result, const ReportOf& report_of) {
  if (result.cases.empty()) return {headline(result.experiment, result.title), "", {}};
  const ReportSpec& first = report_of(result.cases.front());
  if (first.pivot) return pivot_page(result, *first.pivot);
  if (!first.each_seed && has_several_seeds(result)) return statistics_page(result, report_of);
  const Headings headings(result.cases);
  Page page{headline(result.experiment, result.title), headings.top(), {}};
  for (const CaseResult& one : result.cases) {
    page.parts.push_back({headings.of(one), loose_scalars(one),
                          grid_of(one, report_of(one), result.row_name), one.verdicts});
  }
  return page;
}

}  // namespace

std::string render_table(const Result& result, const ReportOf& report_of) {
  const Page page = page_of(result, report_of);
  std::string text = page.headline + "\n";
  if (!page.common.empty()) text += page.common + "\n";
  for (const Part& part : page.parts) {
    text += "\n";
    if (!part.heading.empty()) text += part.heading + "\n";
    if (!part.scalars.empty()) text += "  " + part.scalars + "\n";
    text += aligned(part.grid);
    for (const std::string& verdict : part.verdicts) text += "  " + verdict + "\n";
  }
  return text;
}

std::string render_markdown(const Result& result, const ReportOf& report_of) {
  const Page page = page_of(result, report_of);
  std::string text = fmt::format("## {}\n", escaped_markdown(page.headline));
  if (!page.common.empty()) text += "\n" + escaped_markdown(page.common) + "\n";
  for (const Part& part : page.parts) {
    if (!part.heading.empty()) text += fmt::format("\n### {}\n", escaped_markdown(part.heading));
    if (!part.scalars.empty()) text += "\n" + part.scalars + "\n";
    text += "\n" + markdown_table(part.grid);
    if (!part.verdicts.empty()) text += "\n";
    for (const std::string& verdict : part.verdicts) text += "- " + verdict + "\n";
  }
  return text;
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
    add_edge(kInput);
    for (std::int64_t row = 1; row <= one.rows(); ++row) {
      if (!spec.rows.empty() && !std::ranges::binary_search(spec.rows, row)) continue;
      add_row(fmt::format("{}", row), [&](const Column& column) {
        return csv_value(column, column.values[static_cast<std::size_t>(row - 1)]);
      });
    }
    add_edge(kOutput);
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
