// sigstab diff: two result files, value by value.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "check/diff.hpp"
#include "cli/files.hpp"
#include "commands/commands.hpp"
#include "report/diff_report.hpp"
#include "report/junit.hpp"

namespace sigstab {
namespace {

struct DiffOptions {
  std::string a, b;
  double rtol = 0, atol = 0, log = 0, z = 0;
  std::vector<std::string> tolerances;  // "COLUMN=RULE:SIZE"
  bool nan_differs = false, any_config = false;
  std::string junit;
};

std::vector<Option> options_of(DiffOptions& options) {
  return {
      {"a", "a result", &options.a, "FILE", {}, true},
      {"b", "another result", &options.b, "FILE", {}, true},
      {"--rtol", "relative tolerance (0)", &options.rtol, "SIZE"},
      {"--atol", "absolute tolerance (0)", &options.atol, "SIZE"},
      {"--log", "tolerance of ln a - ln b, of positive values (0)", &options.log, "SIZE"},
      {"--tol", "of one column: gradient_rms=log:0.1, or rel: or abs:; may be repeated",
       &options.tolerances, "COLUMN=RULE:SIZE"},
      {"--z", "compare means over seeds, at most so many standard errors apart", &options.z, "Z"},
      {"--nan-differs", "nan is not equal to nan", &options.nan_differs},
      {"--any-config", "compare results of different configs too", &options.any_config},
      {"--junit", "write the differences as JUnit XML as well", &options.junit, "FILE"}};
}

void check_size(const std::string& flag, double value) {
  if (value >= 0 && !std::isinf(value)) return;
  throw Error(flag, fmt::format("expected a number >= 0, got {}", value));
}

// "gradient_rms=log:0.1"
DiffRules::OfColumn read_tolerance(const std::string& text) {
  const std::string form = "write --tol forward_rms=rel:1e-6, or abs: or log: in place of rel:";
  const std::size_t equals = text.find('='), colon = text.find(':', equals);
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos) {
    throw Error("--tol", fmt::format("expected COLUMN=RULE:SIZE, got \"{}\"", text), form);
  }
  const std::string rule = text.substr(equals + 1, colon - equals - 1);
  const std::string size = text.substr(colon + 1);
  char* end = nullptr;
  const double value = std::strtod(size.c_str(), &end);
  if (size.empty() || *end != '\0') {
    throw Error("--tol", fmt::format("expected a number, got \"{}\"", size), form);
  }
  check_size("--tol", value);
  DiffRules::OfColumn one{text.substr(0, equals), {}};
  if (rule == "rel") {
    one.tolerance.relative = value;
  } else if (rule == "abs") {
    one.tolerance.absolute = value;
  } else if (rule == "log") {
    one.tolerance.logarithmic = value;
  } else {
    throw Error("--tol", fmt::format("unknown rule \"{}\"", rule), form);
  }
  return one;
}

DiffRules read_rules(const DiffOptions& options) {
  check_size("--rtol", options.rtol);
  check_size("--atol", options.atol);
  check_size("--log", options.log);
  check_size("--z", options.z);
  DiffRules rules;
  rules.all = {options.rtol, options.atol, options.log};
  for (const std::string& text : options.tolerances) rules.columns.push_back(read_tolerance(text));
  rules.nan_equal = !options.nan_differs;
  rules.z = options.z;
  rules.any_config = options.any_config;
  return rules;
}

std::string rules_text(const DiffOptions& options) {
  if (options.z > 0) return fmt::format("means over seeds, z {}", options.z);
  std::string text = fmt::format("rtol {}, atol {}", options.rtol, options.atol);
  if (options.log > 0) text += fmt::format(", log {}", options.log);
  for (const std::string& one : options.tolerances) text += ", " + one;
  return text;
}

ExitCode compare(const DiffOptions& options) {
  const DiffRules rules = read_rules(options);
  if (!options.junit.empty()) {
    check_not_read("--junit", options.junit, {options.a, options.b});
    check_writable(options.junit);
  }
  const std::vector<Result> left = read_whole_results(read_file(options.a), options.a),
                            right = read_whole_results(read_file(options.b), options.b);
  check_rules(rules, left, right);
  DiffVerdict verdict;
  try {
    verdict = diff(left, right, rules);
  } catch (const Error& error) {
    throw error.within(options.a + ", " + options.b);
  }
  const DiffReport report{verdict, options.a, options.b, rules_text(options)};
  print(report.text());
  if (!options.junit.empty()) write_file(options.junit, junit_xml({report.junit()}));
  return verdict.same() ? ExitCode::ok : ExitCode::difference;
}

}  // namespace

Command diff_command() {
  return make_command(
      "diff", "compare two results (json, jsonl or csv)", options_of, compare,
      "Scores (forward_z, gradient_z, input_z, input_gradient_z) are not compared:\n"
      "they follow from the sizes beside them and lie around 0.");
}

}  // namespace sigstab
