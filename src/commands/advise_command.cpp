// sigstab advise: what a config will do at its depth, which single change would hold its sizes, and
// a run that shows it.

#include <fmt/format.h>

#include <cmath>

#include "check/advise.hpp"
#include "cli/files.hpp"
#include "cli/load_config.hpp"
#include "cli/shared_options.hpp"
#include "commands/commands.hpp"
#include "config/read_config.hpp"
#include "math/rounding.hpp"
#include "result/size_verdict.hpp"

namespace sigstab {
namespace {

std::string fate(const char* what, double change, const std::string& where) {
  return fmt::format("  {} {}: {} {}\n", what, change_verb(change, kHoldingFactors.advice),
                     factor_text(change), where);
}

// Where a size leaves the numbers of each format, forward first.
std::string limits_text(const PredictedSizes& sizes) {
  std::string text;
  const auto tell = [&](const char* what, const std::vector<double>& logs, bool forward) {
    for (const NumberFormat& format : kNumberFormats) {
      for (std::size_t step = 0; step < logs.size(); ++step) {
        const std::size_t layer = forward ? step : logs.size() - 1 - step;
        const bool over = logs[layer] > std::log(format.largest);
        if (!over && logs[layer] > std::log(format.smallest_subnormal)) continue;
        text += fmt::format("  in {} {} {} at layer {}\n", format.name, what,
                            over ? "overflows" : "becomes zero", layer);
        break;
      }
    }
  };
  tell("forward", sizes.forward, true);
  tell("gradient", sizes.gradient, false);
  return text;
}

std::string change_text(const SizeChange& change, bool gradient) {
  std::string text = "forward " + factor_text(change.forward);
  if (gradient) text += ", gradient " + factor_text(change.gradient);
  return text;
}

// True if the advice's own run confirms it, or there is none to confirm.
bool print_advice(const Advice& advice, const std::string& file, const Limits& limits) {
  if (!advice.refusal.empty()) {
    print("  no prediction: " + advice.refusal + "\n");
    return true;
  }
  const bool gradient = !advice.sizes.gradient.empty();
  const SizeChange now = change_of(advice.sizes);
  const std::size_t depth = advice.sizes.forward.size() - 1;
  print(fate("forward", now.forward, fmt::format("from layer 1 to {}", depth)));
  if (gradient) print(fate("gradient", now.gradient, fmt::format("from layer {} to 1", depth)));
  print(limits_text(advice.sizes));
  for (const std::string& note : advice.notes) print("  note: " + note + "\n");
  if (now.holds()) {
    print(
        fmt::format("  advice: none, both hold within a factor of {:g}\n", kHoldingFactors.advice));
    return true;
  }
  if (advice.change.empty()) {
    print(advice.nearest.empty()
              ? "  advice: no single change can be predicted\n"
              : fmt::format("  advice: no single change holds both; nearest is {}: {}\n",
                            advice.nearest, change_text(*advice.after, gradient)));
    return true;
  }
  print(fmt::format("  advice: {}: {}\n", advice.change, change_text(*advice.after, gradient)));
  const Confirmation run = confirm(advice.changed, file, limits);
  const bool confirmed = run.measured.holds(run.allowance);
  print(fmt::format("  a run of it over {} seed{}: {}: {}\n", run.seeds, run.seeds == 1 ? "" : "s",
                    change_text(run.measured, gradient),
                    confirmed ? "confirmed" : "NOT CONFIRMED"));
  print(advice.changed + "\n");
  return confirmed;
}

struct AdviseOptions {
  std::string name;
  ChangeOptions changes;
  LimitOptions limits;
};

std::vector<Option> options_of(AdviseOptions& options) {
  return {{.name = "config",
           .help = "canned name or JSON file",
           .target = &options.name,
           .value = "CONFIG",
           .required = true},
          set_option(options.changes),
          threads_option(options.limits),
          memory_option(options.limits)};
}

ExitCode advise_all(const AdviseOptions& options) {
  const Limits limits = options.limits.limits();
  const Config config = read_config(load_config(options.name), options.changes.overrides());
  make_plan(config);  // every error before any advice
  bool confirmed = true;
  for (const CaseConfig& one : case_configs(config)) {
    print((one.label.empty() ? config.name : config.name + ": " + one.label) + "\n");
    confirmed = print_advice(advise(one.config, config.file), config.file, limits) && confirmed;
  }
  return confirmed ? ExitCode::ok : ExitCode::difference;
}

}  // namespace

Command advise_command() {
  return make_command(
      "advise", "what a config will do at its depth, and the single change that would hold it",
      options_of, advise_all);
}

}  // namespace sigstab
