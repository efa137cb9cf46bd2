#include "report/result_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "base/named_table.hpp"
#include "report/headings.hpp"
#include "report/pivot.hpp"
#include "result/aggregate.hpp"

namespace sigstab {
namespace {

std::string scalar_text(const Scalar& value) {
  if (const auto* real = std::get_if<double>(&value)) return FormatSpec(".4g").format(*real);
  return FormatSpec().format(value);
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
  if (column.role == ColumnRole::count) return fmt::format("{:.0f}", value);
  if (std::isnan(value)) return "-";
  return column.role == ColumnRole::score ? fmt::format("{:+.2f}", value) : digits(value);
}

// A case as a grid of text: a heading row, then one row a shown layer, with the input before the
// first and what follows the last where there is more.
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
  add_edge(kInputEdge);
  for (std::int64_t layer : shown_rows(result, spec)) {
    std::vector<std::string> row = {fmt::format("{}", layer)};
    for (const Column* column : columns) {
      row.push_back(cell_text(*column, column->values[static_cast<std::size_t>(layer - 1)]));
    }
    grid.push_back(row);
  }
  add_edge(kOutputEdge);
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

ResultTables pivot_tables(const Result& result, const PivotSpec& pivot) {
  return {headline(result.experiment, result.title),
          Headings(result.cases).top(),
          {{pivot_heading(result, pivot), "", pivot_grid(result, pivot), {}}}};
}

ResultTables statistics_tables(const Result& result, const ReportOf& report_of) {
  std::vector<const StatisticRow*> every;
  for (const StatisticRow& row : statistic_table()) every.push_back(&row);
  const Result aggregated = aggregate(result, every);
  const Headings headings(aggregated.cases);
  ResultTables tables{headline(result.experiment, result.title), headings.top(), {}};
  std::unordered_map<std::size_t, const CaseResult*> first_seed;
  for (const CaseResult& one : result.cases) first_seed.emplace(one.planned, &one);
  Names told;
  for (const CaseResult& all : aggregated.cases) {
    const CaseResult* seed = first_seed.at(all.planned);
    const ReportSpec& spec = report_of(all);
    ReportSpec shown = spec;
    const CaseResult one = chosen_statistics(all, *seed, spec, shown);
    tables.parts.push_back(
        {headings.of(all), loose_scalars(one), grid_of(one, shown, result.row_name), one.verdicts});
    for (const std::string& name : spec.columns) {
      const Column* column = seed->column(name);
      if (column != nullptr && column->role != ColumnRole::measured) continue;
      for (const StatisticRow* row : statistics_of(spec, column == nullptr || column->is_size)) {
        if (std::ranges::find(told, row->name) == told.end()) told.push_back(row->name);
      }
    }
  }
  tables.common += fmt::format("{}over seeds: {}", tables.common.empty() ? "" : "\n", joined(told));
  return tables;
}

}  // namespace

bool has_edge(const CaseResult& result, const ReportSpec& spec, const Edge& edge) {
  return std::ranges::any_of(spec.columns, [&](const std::string& name) {
    const Column* column = result.column(name);
    if (column == nullptr || column->is_absent() || (column->*edge.scalar).empty()) return false;
    const auto* value = std::get_if<double>(result.scalar(column->*edge.scalar));
    // Without a final norm the output is the last layer again.
    return edge.input || (value != nullptr && !column->values.empty() &&
                          *value != column->values.back() && *value == *value);
  });
}

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

ResultTables tables_of(const Result& result, const ReportOf& report_of) {
  if (result.cases.empty()) return {headline(result.experiment, result.title), "", {}};
  const ReportSpec& first = report_of(result.cases.front());
  if (first.pivot) return pivot_tables(result, *first.pivot);
  if (!first.each_seed && has_several_seeds(result)) return statistics_tables(result, report_of);
  const Headings headings(result.cases);
  ResultTables tables{headline(result.experiment, result.title), headings.top(), {}};
  for (const CaseResult& one : result.cases) {
    tables.parts.push_back({headings.of(one), loose_scalars(one),
                            grid_of(one, report_of(one), result.row_name), one.verdicts});
  }
  return tables;
}

}  // namespace sigstab
