#pragma once
// Golden results: what a config gave when somebody last found it right, kept beside the config.
//
// my.json has my.golden.json, which `check --bless` writes and `check` compares with.

#include <optional>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "report/diff_report.hpp"
#include "result/result.hpp"

namespace sigstab {

// "my.json" -> "my.golden.json"; empty for a canned name or a file that is not called *.json.
std::string golden_path(const std::string& config);

// The names without goldens of configs that are named as well: what a wildcard brings along.
std::vector<std::string> without_goldens(const std::vector<std::string>& names);

// The golden beside a config, which asks for one result; nothing where there is none.
// Errors: a file that is no whole result, or one of another config.
std::optional<Result> read_golden(const std::string& config, const Result& asked);

struct GoldenVerdict {
  DiffVerdict verdict;
  std::string rules;  // what was allowed and why, in words
};

// Exact on the compiler, BLAS and core that made it; elsewhere half the digits of the number format
// must agree, unless `rtol` says how much may differ. `dtypes` are the formats of all cases.
GoldenVerdict compare_with_golden(const Result& golden, const Result& now,
                                  const std::vector<std::string>& dtypes,
                                  std::optional<double> rtol);

// Writes a result as the config's golden, and tells what that changes.
// Errors: what is there is no whole result; an unwritable place.
std::string bless(const std::string& path, const Result& now);

}  // namespace sigstab
