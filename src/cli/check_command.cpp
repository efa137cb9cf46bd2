// sigstab check: one line a figure, a total, and exit code 1 on any miss.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/shared_options.hpp"
#include "pipeline/canned.hpp"
#include "pipeline/check.hpp"
#include "pipeline/junit.hpp"
#include "pipeline/run.hpp"
#include "pipeline/theory_check.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kValueWidth = 10;

bool is_unchecked(const FigureVerdict& v) {
  return v.protocol == Protocol::outside || v.protocol == Protocol::later;
}

// "  ok    linear-1-L1  23.4 = 23.4  sigma = 1, forward_rms[1]"; a line of text, a size or a miss
// of these takes the room it needs.
std::string figure_line(const FigureVerdict& v, std::size_t id_width) {
  const bool unchecked = is_unchecked(v);
  const std::string start = fmt::format("  {:4}  {:{}}  ",
                                        unchecked  ? "--"
                                        : v.passed ? "ok"
                                                   : "MISS",
                                        v.id, id_width);
  if (unchecked) return start + fmt::format("{}: {}\n", protocol_row(v.protocol).name, v.expected);
  if (v.ours.size() <= kValueWidth && v.expected.size() <= kValueWidth) {
    return start + fmt::format("{:>{}}  {} {:<{}}  {}\n", v.ours, kValueWidth,
                               v.passed ? "=" : "not", v.expected, kValueWidth, v.address);
  }
  if (v.passed && v.ours == v.expected) return start + v.ours + "\n";
  if (v.passed) return start + fmt::format("{}, expected {}   {}\n", v.ours, v.expected, v.address);
  return start + fmt::format("{}\n          ours:     {}\n          expected: {}\n", v.address,
                             v.ours, v.expected);
}

JunitCase junit_case(const FigureVerdict& v) {
  if (is_unchecked(v)) return {v.id, "", true};
  if (v.passed) return {v.id, "", false};
  return {v.id, fmt::format("{}: {}, expected {}", v.address, v.ours, v.expected), false};
}

// "  ok    He, forward_rms: 20 seeds, worst z -1.3 at layer 7"
std::string theory_line(const TheoryVerdict& v) {
  const std::string place = v.label.empty() ? v.column : v.label + ", " + v.column;
  if (v.column.empty()) return fmt::format("  --    {}: {}\n", v.label, v.why);
  if (v.passed()) {
    return fmt::format("  ok    {}: {} seeds, worst z {:+.1f} at layer {}\n", place, v.seeds,
                       v.worst_z, v.worst_layer);
  }
  return fmt::format(
      "  MISS  {}: {} seeds, departs at layer {}\n"
      "          ours:     RMS {:.4g}\n"
      "          expected: {:.4g} within {:.2g}%, z {:+.1f}\n",
      place, v.seeds, v.departs, std::exp(v.measured), std::exp(v.predicted), 100 * v.deviation,
      (v.measured - v.predicted) / v.deviation);
}

JunitCase junit_case(const TheoryVerdict& v) {
  const std::string name = v.label.empty() ? v.column : v.label + ", " + v.column;
  if (v.column.empty()) return {v.label, "", true};
  return {name, v.passed() ? "" : theory_line(v), false};
}

struct CheckOptions {
  std::vector<std::string> names;  // none: every canned experiment of the article
  std::string junit;               // a file for the verdicts as XML; empty: none
  bool theory = false;             // against theory in place of the expected figures
  ChangeOptions changes;           // the seeds for that
  LimitOptions limits;
};

std::vector<Option> options_of(CheckOptions& options) {
  return {{"config", "canned names or JSON files (the whole article)", &options.names, "CONFIG"},
          {"--theory", "compare sizes over seeds with what theory predicts, layer by layer",
           &options.theory},
          seeds_option(options.changes, "seeds a..b for --theory (the config's, or 0..19)"),
          {"--junit", "write the verdicts as JUnit XML as well", &options.junit, "FILE"},
          threads_option(options.limits),
          memory_option(options.limits)};
}

// The config, run with seeds of its own, the user's, or twenty.
Plan plan_with_seeds(const std::string& name, const CheckOptions& options) {
  const ConfigChain files = load_config(name);
  Overrides overrides = options.changes.overrides();
  Config config = read_config(files, overrides);
  if (overrides.seeds.empty() && !config.seeds && config.kind->draws) {
    constexpr int kSeeds = 20;
    for (int seed = 0; seed < kSeeds; ++seed) overrides.seeds.push_back(std::to_string(seed));
    config = read_config(files, overrides);
  }
  return make_plan(config);
}

ExitCode check_against_theory(const CheckOptions& options) {
  // A case has two columns of some dozen layers that depend on one another; one in 10^6 by chance.
  constexpr double kLimit = 5;
  if (options.names.empty()) {
    throw Error("check --theory", "no config is named", "name one: sigstab check --theory my.json");
  }
  const Limits limits = options.limits.limits();
  if (!options.junit.empty()) check_writable(options.junit);
  std::size_t compared = 0, missed = 0, unknown = 0;
  std::vector<JunitSuite> suites;
  for (const std::string& name : options.names) {
    const Plan plan = plan_with_seeds(name, options);
    check_memory(plan, limits);
    print(plan.title.empty() ? plan.experiment + "\n"
                             : fmt::format("{}: {}\n", plan.experiment, plan.title));
    suites.push_back({plan.experiment, {}});
    for (const TheoryVerdict& v : check_theory(plan, run(plan, limits), kLimit)) {
      print(theory_line(v));
      suites.back().cases.push_back(junit_case(v));
      v.column.empty() ? ++unknown : ++compared;
      missed += v.passed() ? 0U : 1U;
    }
  }
  print(fmt::format("{} compared with theory, {} depart{}\n", compared, missed,
                    unknown == 0 ? "" : fmt::format("; {} without a prediction", unknown)));
  if (!options.junit.empty()) write_file(options.junit, junit_xml(suites));
  if (compared == 0) throw Error(options.names.front(), "theory predicts none of it");
  return missed == 0 ? ExitCode::ok : ExitCode::difference;
}

ExitCode check_all(const CheckOptions& options) {
  if (options.theory) return check_against_theory(options);
  if (options.changes.seeds) {
    throw Error("--seeds", "expected figures have seeds of their own", "use it with --theory");
  }
  std::vector<std::string> wanted = options.names;
  if (wanted.empty()) {
    for (const CannedConfig& canned : canned_configs()) {
      if (canned.folder == "article") wanted.emplace_back(canned.name);
    }
  }
  const Limits limits = options.limits.limits();
  std::vector<Plan> plans;
  for (const std::string& name : wanted) {
    plans.push_back(make_plan(read_config(load_config(name), {}), false));
    if (plans.back().expectations.empty()) {
      throw Error(name, "it expects no figures", "add \"expect\", or use run");
    }
    check_memory(plans.back(), limits);
  }
  if (!options.junit.empty()) check_writable(options.junit);
  FigureTotals totals;
  std::vector<JunitSuite> suites;
  for (const Plan& plan : plans) {
    print(plan.title.empty() ? plan.experiment + "\n"
                             : fmt::format("{}: {}\n", plan.experiment, plan.title));
    const std::vector<FigureVerdict> verdicts = check(plan, run(plan, limits));
    std::size_t id_width = 0;
    for (const FigureVerdict& v : verdicts) id_width = std::max(id_width, v.id.size());
    suites.push_back({plan.experiment, {}});
    for (const FigureVerdict& v : verdicts) {
      print(figure_line(v, id_width));
      totals.add(v);
      suites.back().cases.push_back(junit_case(v));
    }
  }
  print(totals.text() + "\n");
  if (!options.junit.empty()) write_file(options.junit, junit_xml(suites));
  return totals.all_passed() ? ExitCode::ok : ExitCode::difference;
}

}  // namespace

Command check_command() {
  return make_command("check", "compare with the figures that configs expect", options_of,
                      check_all);
}

}  // namespace sigstab
