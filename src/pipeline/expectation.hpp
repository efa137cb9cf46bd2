#pragma once
// A figure that a config expects: which value of the result, and what it must be.

#include <optional>
#include <string>
#include <vector>

#include "base/format_spec.hpp"
#include "pipeline/json.hpp"
#include "pipeline/result.hpp"
#include "pipeline/statistic.hpp"

namespace sigstab {

struct Expectation {
  std::string id, source;

  // The address: which cases of the result, and which value of each.
  std::string case_name;
  std::vector<NamedScalar> point;
  std::string seed;                         // decimal; empty: the only seed, or all of them
  bool over_seeds = false;                  // all seeds of one case
  const StatisticRow* statistic = nullptr;  // of these
  std::string column;  // a column if `row` is given, else a scalar; empty for `line`
  std::int64_t row = 0;
  bool whole_column = false;

  // Exactly one rule.
  std::optional<std::string> printed;  // our value through `format` is this text
  FormatSpec format;
  std::optional<double> near;  // within rel of this
  double rel = 0;
  std::optional<double>
      within_z;  // instead of rel: within so many deviations of our mean over seeds
  std::optional<std::string> line;  // the case's line of text
};

// A case that will run, with each of its seeds.
struct ComingCase {
  CaseResult shape;
  std::int64_t rows;
  std::vector<std::string> seeds;  // one empty text where nothing is drawn
};

// The entries of `expect`, checked against the cases that the plan will run.
// Errors: as ObjectReader; an address that matches no case, column, row or seed.
std::vector<Expectation> read_expectations(const Json& list, const Place& place,
                                           const std::string& row_name,
                                           const std::vector<ComingCase>& cases);

}  // namespace sigstab
