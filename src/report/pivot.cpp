#include "report/pivot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "result/aggregate.hpp"

namespace sigstab {
namespace {

std::string key_text(const CaseResult& one, const std::string& key) {
  if (key == "case") return one.name;
  if (key == "seed") return one.seed;
  const auto at = std::ranges::find(one.point, key, &NamedScalar::name);
  return at == one.point.end() ? "" : FormatSpec().format(at->value);
}

double value_of(const CaseResult& one, const PivotSpec& spec) {
  if (spec.row > 0) {
    // A depth sweep asks for the last row, which is another one in each case.
    const std::vector<double>& values = one.column(spec.value)->values;
    return spec.last ? values.back() : values[static_cast<std::size_t>(spec.row - 1)];
  }
  return std::get<double>(*one.scalar(spec.value));
}

std::size_t index_in(std::vector<std::string>& texts, const std::string& text) {
  const auto found = std::ranges::find(texts, text);
  if (found != texts.end()) return static_cast<std::size_t>(found - texts.begin());
  texts.push_back(text);
  return texts.size() - 1;
}

}  // namespace

TextGrid pivot_grid(const Result& result, const PivotSpec& spec) {
  std::vector<std::string> rows, columns;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> cells;
  for (const CaseResult& one : result.cases) {
    const std::size_t r = index_in(rows, key_text(one, spec.rows));
    const std::size_t c = index_in(columns, key_text(one, spec.columns));
    cells[{r, c}].push_back(value_of(one, spec));
  }
  TextGrid grid = {{spec.rows}};
  grid[0].insert(grid[0].end(), columns.begin(), columns.end());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    grid.push_back({rows[r]});
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto cell = cells.find({r, c});
      grid.back().push_back(
          cell == cells.end() ? "" : spec.format.format(spec.statistic->of(cell->second)));
    }
  }
  return grid;
}

std::string pivot_heading(const Result& result, const PivotSpec& spec) {
  std::string text = spec.value;
  if (spec.row > 0) {
    text += fmt::format(" at {} {}", spec.last ? "the last" : result.row_name,
                        spec.last ? result.row_name : fmt::format("{}", spec.row));
  }
  if (has_several_seeds(result) && spec.rows != "seed" && spec.columns != "seed") {
    text += fmt::format(", {} over {} seeds", spec.statistic->name, most_seeds(result));
  }
  return text + fmt::format(", by {} and {}", spec.rows, spec.columns);
}

}  // namespace sigstab
