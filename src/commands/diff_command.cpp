// sigstab diff: two result files, value by value.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "check/diff.hpp"
#include "cli/files.hpp"
#include "cli/output_files.hpp"
#include "commands/commands.hpp"
#include "report/diff_report.hpp"
#include "report/formats.hpp"
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
      {.name = "a", .help = "a result", .target = &options.a, .value = "FILE", .required = true},
      {.name = "b",
       .help = "another result",
       .target = &options.b,
       .value = "FILE",
       .required = true},
      {.name = "--rtol",
       .help = "relative tolerance (0)",
       .target = &options.rtol,
       .value = "SIZE"},
      {.name = "--atol",
       .help = "absolute tolerance (0)",
       .target = &options.atol,
       .value = "SIZE"},
      {.name = "--log",
       .help = "tolerance of ln a - ln b, of positive values (0)",
       .target = &options.log,
       .value = "SIZE"},
      {.name = "--tol",
       .help = "of one column: gradient_rms=log:0.1, or rel: or abs:; may be repeated",
       .target = &options.tolerances,
       .value = "COLUMN=RULE:SIZE"},
      {.name = "--z",
       .help = "compare means over seeds, at most so many standard errors apart",
       .target = &options.z,
       .value = "Z"},
      {.name = "--nan-differs", .help = "nan is not equal to nan", .target = &options.nan_differs},
      {.name = "--any-config",
       .help = "compare results of different configs too",
       .target = &options.any_config},
      {.name = "--junit",
       .help = "write the differences as JUnit XML as well",
       .target = &options.junit,
       .value = "FILE"}};
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
    OutputFiles({options.a, options.b}).claim("--junit", options.junit);
  }
  const auto read_whole = [](const std::string& file) {
    std::vector<Result> results = read_results(read_file(file), file);
    check_whole(results, file);
    return results;
  };
  const std::vector<Result> left = read_whole(options.a), right = read_whole(options.b);
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
