// sigstab run: configs in, reports out. Everything is validated before anything runs.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <utility>

#include "cli/build_info.hpp"
#include "cli/files.hpp"
#include "cli/golden.hpp"
#include "cli/interrupt.hpp"
#include "cli/load_config.hpp"
#include "cli/outputs.hpp"
#include "cli/plots.hpp"
#include "cli/progress.hpp"
#include "cli/resume.hpp"
#include "cli/shared_options.hpp"
#include "commands/commands.hpp"
#include "config/read_config.hpp"
#include "run/run.hpp"

namespace sigstab {
namespace {

struct RunOptions {
  std::vector<std::string> names;
  std::string format;                // empty: table, or nothing when there are outputs
  std::vector<std::string> outputs;  // -o, format by extension
  std::vector<std::string> plots;    // likewise
  ChangeOptions changes;
  LimitOptions limits;
  bool dry_run = false, resume = false;
};

std::vector<Option> options_of(RunOptions& options) {
  return {configs_option(options.names),
          format_option(options.format, row_names(format_table())),
          {.name = "--output",
           .help = "write a file, format by extension; may be repeated",
           .target = &options.outputs,
           .value = "FILE",
           .letter = 'o'},
          {.name = "--plot",
           .help = fmt::format("draw a picture by gnuplot: {}; may be repeated",
                               joined(picture_extensions())),
           .target = &options.plots,
           .value = "FILE"},
          set_option(options.changes),
          seed_option(options.changes),
          seeds_option(options.changes),
          layers_option(options.changes),
          threads_option(options.limits),
          memory_option(options.limits),
          {.name = "--dry-run",
           .help = "print weights, memory and operations instead",
           .target = &options.dry_run},
          {.name = "--resume",
           .help = "go on with the -o FILE.jsonl that an interrupted run left",
           .target = &options.resume}};
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

// What all plans of a run have in common.
struct Session {
  const Limits& limits;
  const std::atomic<bool>& interrupt;
  const Provenance& provenance;
  std::vector<Output>& outputs;
};

// Hands cases to the outputs that take them one by one.
void add_lines(const Session& session, const Result& frame, Progress& progress, RunEvents& events) {
  const auto to = [&](bool files) {
    return [&, files](std::size_t index, const CaseResult& one) {
      for (Output& output : session.outputs) {
        if (!output.by_case() || output.is_reordered() != files) continue;
        const auto hidden = files ? std::unique_lock<std::mutex>() : progress.hidden();
        output.add_line(frame, index, one);
      }
    };
  };
  events.finished = to(true);
  events.in_order = to(false);
}

// Runs what is left of one plan and gives its result to every output.
Result run_plan(const Plan& plan, const Session& session, KeptPlan kept, bool first) {
  Result frame = empty_result(plan);
  frame.provenance = session.provenance;
  RunMeter meter;
  RunEvents events;
  events.interrupt = &session.interrupt;
  events.meter = &meter;
  for (Output& output : session.outputs) output.begin(kept.order);
  Result result;
  {
    Progress progress(plan.experiment, meter);
    add_lines(session, frame, progress, events);
    result = run(plan, session.limits, events, std::move(kept.finished));
  }
  if (!result.complete) {
    std::fprintf(stderr, "sigstab: interrupted: %zu of %zu results of %s are finished\n",
                 result.cases.size(), plan.results, plan.experiment.c_str());
  }
  if (result.cases.empty()) return result;
  result.provenance = frame.provenance;
  for (Output& output : session.outputs) {
    output.end(result);
    if (output.by_case()) continue;
    output.add(
        result, [&](const CaseResult& one) -> const ReportSpec& { return plan.report_of(one); },
        first);
  }
  return result;
}

struct Ran {
  bool complete = true;
  Result last;  // of the last plan that was begun
};

Ran run_plans(const std::vector<Plan>& plans, const Session& session, KeptRun kept) {
  Ran ran;
  for (std::size_t i = 0; i < plans.size() && ran.complete; ++i) {
    ran.complete = !session.interrupt;
    if (!ran.complete) break;
    ran.last = run_plan(plans[i], session, std::move(kept.plans[i]), i == 0);
    ran.complete = ran.last.complete;
  }
  return ran;
}

ExitCode run_all(const RunOptions& options) {
  const Limits limits = options.limits.limits();
  const Overrides changes = options.changes.overrides();
  std::vector<Plan> plans;
  std::vector<std::string> configs;
  // Lines of text name what they show; all else shows the report's columns.
  const bool tables =
      options.format != "article" || !options.outputs.empty() || !options.plots.empty();
  for (const std::string& name : without_goldens(options.names)) {
    const ConfigChain files = load_config(name);
    for (const ConfigFile& one : files) configs.push_back(one.file);
    plans.push_back(make_plan(read_config(files, changes), tables));
  }
  if (options.dry_run) {
    for (const Plan& plan : plans) print(dry_run_text(plan));
    return ExitCode::ok;
  }
  OutputFiles files(configs);
  std::vector<Output> outputs = open_outputs(options.format, options.outputs, files, plans);
  const std::vector<PlotFile> plots = open_plots(options.plots, files, plans);
  for (const Plan& plan : plans) check_memory(plan, limits);
  Provenance provenance;
  if (std::ranges::any_of(outputs, [](const Output& o) { return o.format->provenance; })) {
    provenance = this_build(limits.threads);
  }
  KeptRun kept;
  kept.plans.resize(plans.size());
  if (options.resume)
    kept = resume(outputs, plans, provenance);
  else
    check_none_unfinished(outputs, plans, provenance);
  if (kept.threads) provenance.threads = *kept.threads;
  const Session session{limits, watch_for_interrupt(), provenance, outputs};
  Ran ran;
  try {
    ran = run_plans(plans, session, std::move(kept));
  } catch (...) {
    save(outputs);  // what was finished
    throw;
  }
  save(outputs);
  write_plots(plots, plans.back(), ran.last);
  if (ran.complete) return ExitCode::ok;
  std::fprintf(stderr, "hint: %s\n", how_to_resume(outputs).c_str());
  return ExitCode::interrupted;
}

}  // namespace

Command run_command() {
  return make_command("run", "run experiments and report", options_of, run_all);
}

}  // namespace sigstab
