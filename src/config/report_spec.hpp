#pragma once
// What a text report shows: which rows and columns of each case, one line of text, statistics over
// seeds, or one figure a case in a table of two keys.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/format_spec.hpp"
#include "config/line_template.hpp"
#include "json/object_reader.hpp"
#include "result/result.hpp"
#include "result/statistic.hpp"

namespace sigstab {

// One value of every result, in a table: rows by one key, columns by another.
struct PivotSpec {
  std::string rows, columns;  // "case", "seed" or a key of the sweep
  std::string value;          // a column if `row` is given, else a scalar
  std::int64_t row = 0;
  bool last = false;  // the last row, which is another one where the depth varies
  const StatisticRow* statistic = nullptr;  // over what falls in one cell: the seeds
  FormatSpec format;
};

struct ReportSpec {
  std::vector<std::int64_t> rows;    // ascending; empty: the ones that tell the story
  std::vector<std::string> columns;  // never empty
  std::optional<LineTemplate> line;
  std::vector<const StatisticRow*> statistics = {};  // of several seeds; empty: by the column
  bool each_seed = false;                            // a table for each seed instead
  std::optional<PivotSpec> pivot = {};
};

// The keys of `report` of a kind whose rows are called row_name, which lives as long as the
// program.
class ReportKeys {
 public:
  explicit ReportKeys(std::string_view row_name);
  // The table points into this value.
  ReportKeys(const ReportKeys&) = delete;
  ReportKeys& operator=(const ReportKeys&) = delete;

  const ObjectTable& table() const { return table_; }

 private:
  std::string rows_key_;
  std::vector<Field> pivot_fields_, fields_;
  ObjectTable pivot_, table_;
};

// What is known of a case when its report is read.
struct ReportCase {
  const CaseResult& shape;  // identified
  std::int64_t rows;
  std::vector<std::string> default_columns;
  std::vector<std::string> sweep_keys;
  bool cases;      // whether there are several
  bool rows_flag;  // the command line asks for rows
  // Why a column that the kind knows is none of this case; empty for one that it does not know.
  std::function<std::string(const std::string&)> why_no_column;
};

// Errors: as ObjectReader; a row, column or key that the case does not have.
ReportSpec read_report(const ObjectReader& report, std::string_view row_name,
                       const ReportCase& about,
                       const std::function<bool(const std::string&)>& strict);

}  // namespace sigstab
