// sigstab check: one line a figure, a total, and exit code 1 on any miss.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/shell.hpp"
#include "check/check.hpp"
#include "check/theory_check.hpp"
#include "cli/build_info.hpp"
#include "cli/files.hpp"
#include "cli/golden.hpp"
#include "cli/load_config.hpp"
#include "cli/output_files.hpp"
#include "cli/shared_options.hpp"
#include "commands/commands.hpp"
#include "config/read_config.hpp"
#include "report/junit.hpp"
#include "run/run.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kValueWidth = 10;

// "  ok    linear-1-L1  23.4 = 23.4  sigma = 1, forward_rms[1]"; a line of text, a size or a miss
// of these takes the room it needs.
std::string figure_line(const FigureVerdict& v, std::size_t id_width) {
  const bool unchecked = !v.is_checked();
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
  if (!v.is_checked()) return {v.id, "", true};
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
  bool bless = false;              // write golden results in place of checking
  bool golden = false;             // a config without a golden is an error
  std::optional<double> rtol;      // for goldens; none: by the machine that made them
  ChangeOptions changes;           // the seeds for that
  LimitOptions limits;
};

std::vector<Option> options_of(CheckOptions& options) {
  return {{.name = "config",
           .help = "canned names or JSON files (the whole article)",
           .target = &options.names,
           .value = "CONFIG"},
          {.name = "--theory",
           .help = "compare sizes over seeds with what theory predicts, layer by layer",
           .target = &options.theory},
          seeds_option(options.changes, "seeds a..b for --theory (the config's, or 0..19)"),
          {.name = "--bless",
           .help = "write what a config gives as its golden result: my.golden.json of my.json",
           .target = &options.bless},
          {.name = "--golden",
           .help = "a config without a golden result is an error",
           .target = &options.golden},
          {.name = "--rtol",
           .help = "relative tolerance of golden results (exact on the same compiler and core)",
           .target = &options.rtol},
          {.name = "--junit",
           .help = "write the verdicts as JUnit XML as well",
           .target = &options.junit,
           .value = "FILE"},
          threads_option(options.limits),
          memory_option(options.limits)};
}

// A config that is asked for, or why it cannot be read.
struct Asked {
  std::string name;
  ConfigChain files;
  std::optional<Error> error;
};

// Errors: --junit would replace one of the files, or their goldens; it cannot be written.
std::vector<Asked> load_all(const std::vector<std::string>& names, const std::string& junit) {
  std::vector<Asked> all;
  std::vector<std::string> read;
  for (const std::string& name : names) {
    all.push_back({name, {}, std::nullopt});
    if (!is_canned(name)) read.insert(read.end(), {name, golden_path(name)});
    try {
      all.back().files = load_config(name);
    } catch (const Error& error) {
      all.back().error = error;
    }
    for (const ConfigFile& file : all.back().files) {
      if (!is_canned(file.file)) read.push_back(file.file);
    }
  }
  if (junit.empty()) return all;
  OutputFiles(read).claim("--junit", junit);
  return all;
}

// The configs that cannot be checked, which keep no other from it: each is told, and the last is
// what the command ends with.
class Failures {
 public:
  // What `make` gives; nothing where that is an Error, which becomes the suite's.
  template <class Make>
  auto attempt(const Asked& asked, JunitSuite& suite, const Make& make)
      -> std::optional<decltype(make(asked.files))> {
    try {
      if (asked.error) throw *asked.error;
      return make(asked.files);
    } catch (const Error& error) {
      if (last_) print_error(*last_);
      last_ = error;
      suite.cases.push_back({asked.name, "", false, error.what()});
      ++count_;
      return std::nullopt;
    }
  }
  std::size_t count() const { return count_; }
  std::string text() const {
    if (count_ == 0) return "";
    return fmt::format("; {} config{} could not be checked", count_, count_ == 1 ? "" : "s");
  }
  void rethrow() const {
    if (last_) throw *last_;
  }

 private:
  std::size_t count_ = 0;
  std::optional<Error> last_;
};

// The config, run with seeds of its own, the user's, or twenty.
Plan plan_with_seeds(const ConfigChain& files, const CheckOptions& options) {
  Overrides overrides = options.changes.overrides();
  Config config = read_config(files, overrides);
  if (overrides.seeds.empty() && !config.seeds && config.kind->draws) {
    constexpr int kSeeds = 20;
    for (int seed = 0; seed < kSeeds; ++seed) overrides.seeds.push_back(std::to_string(seed));
    config = read_config(files, overrides);
  }
  return make_plan(config);
}

std::string title_line(const Plan& plan) {
  return plan.title.empty() ? plan.experiment + "\n"
                            : fmt::format("{}: {}\n", plan.experiment, plan.title);
}

ExitCode check_against_theory(const CheckOptions& options) {
  // A case has two columns of some dozen layers that depend on one another; one in 10^6 by chance.
  constexpr double kLimit = 5;
  if (options.names.empty()) {
    throw Error("check --theory", "no config is named", "name one: sigstab check --theory my.json");
  }
  const Limits limits = options.limits.limits();
  const std::vector<Asked> all = load_all(without_goldens(options.names), options.junit);
  std::size_t compared = 0, missed = 0, unknown = 0;
  Failures failures;
  std::vector<JunitSuite> suites;
  for (const Asked& asked : all) {
    suites.push_back({asked.name, {}});
    const auto plan = failures.attempt(asked, suites.back(), [&](const ConfigChain& files) {
      Plan made = plan_with_seeds(files, options);
      check_memory(made, limits);
      return made;
    });
    if (!plan) continue;
    print(title_line(*plan));
    suites.back().name = plan->experiment;
    const auto verdicts = failures.attempt(asked, suites.back(), [&](const ConfigChain&) {
      return check_theory(*plan, run(*plan, limits), kLimit);
    });
    if (!verdicts) continue;
    for (const TheoryVerdict& v : *verdicts) {
      print(theory_line(v));
      suites.back().cases.push_back(junit_case(v));
      v.column.empty() ? ++unknown : ++compared;
      missed += v.passed() ? 0U : 1U;
    }
  }
  if (failures.count() < all.size()) {
    print(fmt::format("{} compared with theory, {} depart{}{}\n", compared, missed,
                      unknown == 0 ? "" : fmt::format("; {} without a prediction", unknown),
                      failures.text()));
  }
  if (!options.junit.empty()) write_file(options.junit, junit_xml(suites));
  failures.rethrow();
  if (compared == 0) throw Error(options.names.front(), "theory predicts none of it");
  return missed == 0 ? ExitCode::ok : ExitCode::difference;
}

// A config with what it is compared with.
struct Checked {
  Plan plan;
  std::string golden_path;
  std::optional<Result> golden;
};

Checked read_checked(const std::string& name, const ConfigChain& files,
                     const CheckOptions& options) {
  const Config config = read_config(files, {});
  Checked checked{make_plan(config), golden_path(name), std::nullopt};
  checked.golden = read_golden(name, empty_result(checked.plan));
  if (checked.golden) return checked;
  if (options.golden) {
    throw Error(name, "it has no golden result",
                checked.golden_path.empty()
                    ? "goldens stand beside files called NAME.json"
                    : "write it with: sigstab check --bless " + shell_file(name));
  }
  checked.plan = make_plan(config, false);  // to measure what its figures need
  if (checked.plan.expectations.empty()) {
    throw Error(name, "it expects no figures and has no golden result",
                "add \"expect\", bless a result with --bless, or use run");
  }
  return checked;
}

std::vector<std::string> dtypes_of(const Plan& plan) {
  std::vector<std::string> dtypes;
  for (const PlannedCase& planned : plan.cases) {
    const CaseResult shape = planned.model->shape();
    const Scalar* dtype = shape.scalar("dtype");
    if (dtype != nullptr) dtypes.push_back(FormatSpec().format(*dtype));
  }
  return dtypes;
}

ExitCode bless_all(const CheckOptions& options) {
  if (options.names.empty()) {
    throw Error("check --bless", "no config is named", "name one: sigstab check --bless my.json");
  }
  const Limits limits = options.limits.limits();
  std::vector<Checked> all;
  for (const std::string& name : without_goldens(options.names)) {
    Checked one{make_plan(read_config(load_config(name), {})), golden_path(name), std::nullopt};
    if (one.golden_path.empty()) {
      throw Error(name,
                  is_canned(name) ? "an experiment that comes with sigstab cannot be blessed"
                                  : "a golden stands beside a file called NAME.json",
                  "copy it to a file: sigstab show " + shell_file(name) + " > my.json");
    }
    check_memory(one.plan, limits);
    check_writable(one.golden_path);
    all.push_back(std::move(one));
  }
  for (const Checked& one : all) {
    Result result = run(one.plan, limits);
    result.provenance = this_build(limits.threads);
    print(bless(one.golden_path, result));
  }
  return ExitCode::ok;
}

// The totals of what is checked, figures and goldens.
struct Totals {
  FigureTotals figures;
  std::size_t expected = 0, goldens = 0, differing = 0;

  bool all_passed() const { return figures.all_passed() && differing == 0; }
  std::string text() const {
    std::string text = expected > 0 ? figures.text() : "";
    if (goldens == 0) return text;
    return text + fmt::format("{}{} golden result{}, {} differ{}", text.empty() ? "" : "; ",
                              goldens, goldens == 1 ? "" : "s", differing,
                              differing == 1 ? "s" : "");
  }
};

void check_figures(const Plan& plan, const Result& result, Totals& totals, JunitSuite& suite) {
  const std::vector<FigureVerdict> verdicts = check(plan, result);
  std::size_t id_width = 0;
  for (const FigureVerdict& v : verdicts) id_width = std::max(id_width, v.id.size());
  for (const FigureVerdict& v : verdicts) {
    print(figure_line(v, id_width));
    totals.figures.add(v);
    ++totals.expected;
    suite.cases.push_back(junit_case(v));
  }
}

void print_golden(const Checked& one, const GoldenVerdict& compared, Totals& totals,
                  JunitSuite& suite) {
  const DiffReport report{compared.verdict, "golden", "now", compared.rules};
  const bool same = compared.verdict.same();
  print(fmt::format("  {:4}  {}: {}\n{}", same ? "ok" : "MISS", one.golden_path, report.total(),
                    report.details()));
  ++totals.goldens;
  totals.differing += same ? 0U : 1U;
  const JunitSuite cases = report.junit();
  suite.cases.insert(suite.cases.end(), cases.cases.begin(), cases.cases.end());
}

ExitCode check_all(const CheckOptions& options) {
  const std::vector<std::string> wanted =
      options.names.empty() ? article_names() : without_goldens(options.names);
  const Limits limits = options.limits.limits();
  const std::vector<Asked> all = load_all(wanted, options.junit);
  Totals totals;
  Failures failures;
  std::vector<JunitSuite> suites;
  for (const Asked& asked : all) {
    suites.push_back({asked.name, {}});
    JunitSuite& suite = suites.back();
    const auto one = failures.attempt(asked, suite, [&](const ConfigChain& files) {
      Checked checked = read_checked(asked.name, files, options);
      check_memory(checked.plan, limits);
      return checked;
    });
    if (!one) continue;
    print(title_line(one->plan));
    suite.name = one->plan.experiment;
    auto result =
        failures.attempt(asked, suite, [&](const ConfigChain&) { return run(one->plan, limits); });
    if (!result) continue;
    check_figures(one->plan, *result, totals, suite);
    if (!one->golden) continue;
    result->provenance = this_build(limits.threads);
    const auto compared = failures.attempt(asked, suite, [&](const ConfigChain&) {
      return compare_with_golden(*one->golden, *result, dtypes_of(one->plan), options.rtol);
    });
    if (compared) print_golden(*one, *compared, totals, suite);
  }
  const std::string total = totals.text();
  if (!total.empty()) print(total + failures.text() + "\n");
  if (!options.junit.empty()) write_file(options.junit, junit_xml(suites));
  failures.rethrow();
  return totals.all_passed() ? ExitCode::ok : ExitCode::difference;
}

// One of the three things that check does, and no flag of another.
ExitCode check_as_asked(const CheckOptions& options) {
  const auto refuse = [](bool given, const char* flag, const char* why, const char* hint) {
    if (given) throw Error(flag, why, hint);
  };
  const bool goldens = options.golden || options.rtol.has_value();
  refuse(options.changes.seeds.has_value() && !options.theory, "--seeds",
         "expected figures and golden results have seeds of their own", "use it with --theory");
  refuse(options.theory && (options.bless || goldens), "--theory",
         "it compares with theory, not with golden results", "run check twice");
  refuse(options.bless && (goldens || !options.junit.empty()), "--bless",
         "it writes golden results and compares nothing", "run check again, without it");
  refuse(options.rtol && !(*options.rtol >= 0 && std::isfinite(*options.rtol)), "--rtol",
         "expected a number >= 0", "write --rtol 1e-6");
  if (options.theory) return check_against_theory(options);
  return options.bless ? bless_all(options) : check_all(options);
}

}  // namespace

Command check_command() {
  return make_command("check", "compare with the figures that configs expect", options_of,
                      check_as_asked);
}

}  // namespace sigstab
