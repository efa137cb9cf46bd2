#include "cli/golden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/shell.hpp"
#include "cli/files.hpp"
#include "cli/load_config.hpp"
#include "math/rounding.hpp"
#include "report/formats.hpp"
#include "result/result_json.hpp"

namespace sigstab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kConfigEnd = ".json", kGoldenEnd = ".golden.json";

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

std::vector<Result> read_former(const std::string& path) {
  try {
    std::vector<Result> results = read_results(read_file(path), path);
    check_whole(results, path);
    return results;
  } catch (const Error& e) {
    throw Error(e.where(), e.message(), "restore it, or remove it and bless a result anew");
  }
}

// Half of the digits of the shortest of these formats.
double half_the_digits(const std::vector<std::string>& dtypes) {
  int shortest = 53;
  for (const NumberFormat& format : kNumberFormats) {
    if (std::ranges::find(dtypes, format.name) == dtypes.end()) continue;
    shortest = std::min(shortest, format.significand);
  }
  return std::pow(2.0, -0.5 * (shortest - 1));
}

bool same_arithmetic(const Provenance& a, const Provenance& b) {
  return a.compiler == b.compiler && a.blas == b.blas && a.blas_core == b.blas_core;
}

// Sizes by their ratio; shares, angles and means of anything near zero also by their difference.
DiffRules rules_of(const Result& now, double tolerance) {
  DiffRules rules;
  rules.all.relative = tolerance;
  if (tolerance == 0) return rules;
  std::set<std::string> names;  // a rule is looked up for every value
  for (const CaseResult& one : now.cases) {
    for (const Column& column : one.columns) {
      if (column.is_size || column.role == ColumnRole::score) continue;
      names.insert({column.name, column.input_scalar, column.output_scalar});
    }
  }
  names.erase("");
  for (const std::string& name : names) rules.columns.push_back({name, {tolerance, tolerance}});
  return rules;
}

std::string count_text(std::size_t values) {
  return fmt::format("{} value{}", values, values == 1 ? "" : "s");
}

}  // namespace

std::string golden_path(const std::string& config) {
  if (is_canned(config) || !config.ends_with(kConfigEnd) || config.ends_with(kGoldenEnd)) return "";
  return config.substr(0, config.size() - kConfigEnd.size()) + std::string(kGoldenEnd);
}

std::vector<std::string> without_goldens(const std::vector<std::string>& names) {
  std::vector<std::string> configs;
  for (const std::string& name : names) {
    const bool golden = std::ranges::any_of(names, [&](const std::string& other) {
      return !name.empty() && golden_path(other) == name;
    });
    if (!golden) configs.push_back(name);
  }
  return configs;
}

std::optional<Result> read_golden(const std::string& config, const Result& asked) {
  const std::string path = golden_path(config);
  if (path.empty() || !is_there(path)) return std::nullopt;
  std::vector<Result> results = read_former(path);
  if (results.front().config == "{}") {
    throw Error(path, "it holds no config, so that nobody knows what it is golden of",
                "bless the config again: sigstab check --bless " + shell_file(config));
  }
  if (const auto found = first_differing_key(results.front(), asked)) {
    throw Error(
        path,
        fmt::format("it was blessed for another config: {}: {} there, {} now", found->key, found->a,
                    found->b),
        "restore the config, or bless this one: sigstab check --bless " + shell_file(config));
  }
  return std::move(results.front());
}

GoldenVerdict compare_with_golden(const Result& golden, const Result& now,
                                  const std::vector<std::string>& dtypes,
                                  std::optional<double> rtol) {
  const bool same = same_arithmetic(golden.provenance, now.provenance);
  const double tolerance = rtol ? *rtol : same ? 0 : half_the_digits(dtypes);
  GoldenVerdict compared;
  compared.verdict = diff({golden}, {now}, rules_of(now, tolerance));
  if (rtol) {
    compared.rules = fmt::format("rtol {}", tolerance);
  } else if (same) {
    compared.rules = "exact: the same compiler, BLAS and core";
  } else {
    compared.rules = fmt::format("rtol {:.2g}, half the digits: blessed on {} with {}", tolerance,
                                 golden.provenance.blas_core, golden.provenance.compiler);
  }
  return compared;
}

std::string bless(const std::string& path, const Result& now) {
  const std::size_t values = compare_values({now}, {now}, {}).compared;
  if (!is_there(path)) {
    write_file(path, write_json(now));
    return fmt::format("{}: new, {}\n", path, count_text(values));
  }
  const std::vector<Result> former = read_former(path);
  const DiffVerdict verdict = compare_values(former, {now}, {});
  const std::vector<std::string> keys = differing_keys(former.front(), now, true);
  // Else it would change with every machine that blesses.
  if (verdict.same() && keys.empty()) {
    return fmt::format("{}: unchanged, {}\n", path, count_text(values));
  }
  write_file(path, write_json(now));
  std::string text = path + ": changed\n";
  if (!keys.empty()) {
    text += fmt::format("config changed: {}\n", joined(Names(keys.begin(), keys.end())));
  }
  return text + DiffReport{verdict, "former", "new", "exact"}.text();
}

}  // namespace sigstab
