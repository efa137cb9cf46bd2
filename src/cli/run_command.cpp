// sigstab run: configs in, reports out. Everything is validated before anything runs.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/golden.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/shared_options.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run.hpp"

namespace sigstab {
namespace {

struct RunOptions {
  std::vector<std::string> names;
  std::string format;                // empty: table, or nothing when there are outputs
  std::vector<std::string> outputs;  // -o, format by extension
  ChangeOptions changes;
  LimitOptions limits;
  bool dry_run = false;
};

std::vector<Option> options_of(RunOptions& options) {
  return {configs_option(options.names),
          format_option(options.format, row_names(format_table())),
          {"--output",
           "write a file, format by extension; may be repeated",
           &options.outputs,
           "FILE",
           {},
           false,
           'o'},
          set_option(options.changes),
          seed_option(options.changes),
          seeds_option(options.changes),
          layers_option(options.changes),
          threads_option(options.limits),
          memory_option(options.limits),
          {"--dry-run", "print weights, memory and operations instead", &options.dry_run}};
}

// Where reports go: a file, written when all is done, or stdout, written at once. Formats of a line
// a case are written case by case.
struct Output {
  std::string path;  // empty: stdout
  const ReportFormat* format;
  std::string text;
  std::unique_ptr<LineFile> lines;  // once a line is written to a file

  bool by_case() const { return format->line != nullptr; }
  void add(const Result& result, const ReportOf& report_of, bool first);
  void add_line(const Result& frame, const CaseResult& one, bool first);
};

void Output::add(const Result& result, const ReportOf& report_of, bool first) {
  const bool spaced = format->name == "table" || format->name == "markdown";
  const std::string next = (first || !spaced ? "" : "\n") + format->render(result, report_of);
  if (path.empty())
    print(next);
  else
    text += next;
}

void Output::add_line(const Result& frame, const CaseResult& one, bool first) {
  const std::string line = format->line(frame, one, first);
  if (path.empty()) return print(line);
  if (lines == nullptr) lines = std::make_unique<LineFile>(path);
  lines->append(line);
}

Output output_by_extension(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  Names known;
  for (const ReportFormat& format : format_table()) {
    if (!format.extension.empty() && format.extension == extension)
      return {path, &format, "", nullptr};
    if (!format.extension.empty()) known.push_back(format.extension);
  }
  // Devices have no extension; the format is then the one for people.
  if (path.starts_with("/dev/")) return {path, &format_table().front(), "", nullptr};
  throw Error("-o " + path, "the format follows from the extension, and this one is unknown",
              "known: " + joined(known));
}

void check_can_hold(const ReportFormat& format, std::size_t experiments, const std::string& where) {
  if (experiments > 1 && !format.holds_several) {
    throw Error(
        where,
        fmt::format("{} holds one experiment, and {} are asked for", format.name, experiments),
        "use jsonl, or run them one by one");
  }
}

void check_has_lines(const Plan& plan) {
  for (const PlannedCase& planned : plan.cases) {
    if (planned.report.line) continue;
    throw Error(plan.experiment, "it has no report.line to print",
                "add \"report\": {\"line\": \"...\"}, or use --format table");
  }
}

std::string dry_run_text(const Plan& plan) {
  const Cost cost = total_cost(plan);
  return fmt::format(
      "{}: {} result{} ({} case{} x {} seed{})\n"
      "  weights drawn {:.4g}\n  memory at the peak {:.4g} MB\n  floating-point operations "
      "{:.4g}\n",
      plan.experiment, plan.results, plan.results == 1 ? "" : "s", plan.cases.size(),
      plan.cases.size() == 1 ? "" : "s", plan.results / plan.cases.size(),
      plan.results == plan.cases.size() ? "" : "s", cost.weights, cost.bytes / 1e6, cost.flops);
}

// Writes every file, whatever happens to the others. A text that cannot be written goes to stdout,
// so that no result is lost; then the first error is thrown.
void save(const std::vector<Output>& outputs) {
  std::optional<Error> first;
  for (const Output& output : outputs) {
    if (output.path.empty() || output.text.empty())
      continue;  // nothing is no reason to replace a file
    try {
      write_file(output.path, output.text);
    } catch (const Error& error) {
      print(output.text);
      if (!first) first = error;
    }
  }
  if (first) throw *first;
}

// `configs` are the files that were read.
std::vector<Output> open_outputs(const RunOptions& options, const std::vector<Plan>& plans,
                                 const std::vector<std::string>& configs) {
  std::vector<Output> outputs;
  if (options.outputs.empty() || !options.format.empty()) {
    const std::string name = options.format.empty() ? "table" : options.format;
    outputs.push_back({"", find_row(format_table(), name), "", nullptr});
  }
  for (const std::string& path : options.outputs) {
    if (std::ranges::find(outputs, path, &Output::path) != outputs.end()) {
      throw Error("-o " + path, "the file is named twice", "name each once");
    }
    for (const std::string& config : configs) {
      std::error_code missing;
      if (!std::filesystem::equivalent(config, path, missing)) continue;
      throw Error("-o " + path, "it is a config that is to be run", "name another file");
    }
    outputs.push_back(output_by_extension(path));
    check_writable(path);
  }
  for (const Output& output : outputs) {
    const std::string where = output.path.empty() ? "--format" : "-o " + output.path;
    check_can_hold(*output.format, plans.size(), where);
    if (output.format->name != "article") continue;
    for (const Plan& plan : plans) check_has_lines(plan);
  }
  return outputs;
}

// Runs one plan and gives its result to every output.
void run_plan(const Plan& plan, const Limits& limits, bool first,
              const std::atomic<bool>& interrupt, std::vector<Output>& outputs) {
  Result frame = empty_result(plan);
  const bool asked =
      std::ranges::any_of(outputs, [](const Output& output) { return output.format->provenance; });
  if (asked) frame.provenance = this_build(limits);
  Progress progress(plan.experiment);
  std::size_t lines = 0;
  RunEvents events;
  events.interrupt = &interrupt;
  events.finished = [&](const CaseResult& one) {
    for (Output& output : outputs) {
      if (!output.by_case()) continue;
      progress.clear();
      output.add_line(frame, one, lines == 0);
    }
    ++lines;
  };
  events.progress = [&](std::size_t done, std::size_t all) { progress.show(done, all); };
  Result result = run(plan, limits, events);
  progress.clear();
  if (!result.complete) {
    std::fprintf(stderr, "sigstab: interrupted: %zu of %zu results of %s are finished\n",
                 result.cases.size(), plan.results, plan.experiment.c_str());
  }
  if (result.cases.empty()) return;
  result.provenance = frame.provenance;
  for (Output& output : outputs) {
    if (output.by_case()) continue;
    output.add(
        result, [&](const CaseResult& one) -> const ReportSpec& { return plan.report_of(one); },
        first);
  }
}

ExitCode run_all(const RunOptions& options) {
  const Limits limits = options.limits.limits();
  const Overrides changes = options.changes.overrides();
  std::vector<Plan> plans;
  std::vector<std::string> configs;
  // Lines of text name what they show; all else shows the report's columns.
  const bool tables = options.format != "article" || !options.outputs.empty();
  for (const std::string& name : without_goldens(options.names)) {
    const ConfigChain files = load_config(name);
    for (const ConfigFile& one : files) configs.push_back(one.file);
    plans.push_back(make_plan(read_config(files, changes), tables));
  }
  if (options.dry_run) {
    for (const Plan& plan : plans) print(dry_run_text(plan));
    return ExitCode::ok;
  }
  std::vector<Output> outputs = open_outputs(options, plans, configs);
  for (const Plan& plan : plans) check_memory(plan, limits);
  const std::atomic<bool>& interrupt = watch_for_interrupt();
  try {
    for (const Plan& plan : plans) {
      if (interrupt) break;
      run_plan(plan, limits, &plan == &plans.front(), interrupt, outputs);
    }
  } catch (...) {
    save(outputs);  // what was finished
    throw;
  }
  save(outputs);
  return interrupt ? ExitCode::interrupted : ExitCode::ok;
}

}  // namespace

Command run_command() {
  return make_command("run", "run experiments and report", options_of, run_all);
}

}  // namespace sigstab
