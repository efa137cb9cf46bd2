// sigstab theory: what infinite width and the width at hand say of a config, without a draw.

#include <fmt/format.h>

#include "base/named_table.hpp"
#include "cli/files.hpp"
#include "cli/golden.hpp"
#include "cli/load_config.hpp"
#include "cli/shared_options.hpp"
#include "commands/commands.hpp"
#include "config/read_config.hpp"
#include "report/theory_report.hpp"

namespace sigstab {
namespace {

struct TheoryFormat {
  std::string_view name;
  bool holds_several = false;  // experiments in one text
  std::string (*render)(const Plan& plan);
};
constexpr TheoryFormat kFormats[] = {
    {.name = "table", .holds_several = true, .render = theory_table},
    {.name = "json", .render = theory_json},
};

struct TheoryOptions {
  std::vector<std::string> names;
  std::string format = "table";
  ChangeOptions changes;
};

std::vector<Option> options_of(TheoryOptions& options) {
  return {configs_option(options.names), format_option(options.format, row_names(kFormats)),
          set_option(options.changes), layers_option(options.changes)};
}

ExitCode predict(const TheoryOptions& options) {
  const TheoryFormat* format = find_row(kFormats, options.format);
  if (options.names.size() > 1 && !format->holds_several) {
    throw Error("--format", fmt::format("{} holds one experiment", format->name),
                "ask for them one by one");
  }
  std::vector<Plan> plans;
  for (const std::string& name : without_goldens(options.names)) {
    plans.push_back(make_plan(read_config(load_config(name), options.changes.overrides())));
  }
  for (const Plan& plan : plans) {
    print((&plan == &plans.front() ? "" : "\n") + format->render(plan));
  }
  return ExitCode::ok;
}

}  // namespace

Command theory_command() {
  return make_command("theory", "predict sizes without drawing a weight", options_of, predict);
}

}  // namespace sigstab
