#pragma once
// What people are shown of a result: one value, which text, markdown and pages all render.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/report_spec.hpp"
#include "report/text_grid.hpp"
#include "result/result.hpp"

namespace sigstab {

// What to show of a case of the result.
using ReportOf = std::function<const ReportSpec&(const CaseResult&)>;

struct ResultTable {
  std::string heading, scalars;
  TextGrid grid;
  std::vector<std::string> verdicts;
};
// A headline, what all cases share, then a table a case. Several seeds are shown by their
// statistics, a pivot table alone.
struct ResultTables {
  std::string headline, common;
  std::vector<ResultTable> parts;
};

ResultTables tables_of(const Result& result, const ReportOf& report_of);

// The rows that tell the story: 1, 2, 5, 10, 20, 50, ... and the last; all of 12 or fewer.
std::vector<std::int64_t> story_rows(std::int64_t rows);

// What stands before the first layer or after the last, where a column has it.
struct Edge {
  const char* label;
  std::string Column::*scalar;
  bool input;
};
inline constexpr Edge kInputEdge = {"input", &Column::input_scalar, true};
inline constexpr Edge kOutputEdge = {"output", &Column::output_scalar, false};

bool has_edge(const CaseResult& result, const ReportSpec& spec, const Edge& edge);

}  // namespace sigstab
