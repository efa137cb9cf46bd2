// sigstab list, show and validate: what there is, and whether a file is right.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "checkpoint/inspect.hpp"
#include "cli/files.hpp"
#include "cli/golden.hpp"
#include "cli/load_config.hpp"
#include "cli/shared_options.hpp"
#include "commands/commands.hpp"
#include "config/canned.hpp"
#include "config/read_config.hpp"
#include "config/schema.hpp"
#include "net/activation.hpp"
#include "net/bias.hpp"
#include "net/init.hpp"
#include "net/norm.hpp"
#include "net/residual.hpp"
#include "random/generators.hpp"
#include "report/formats.hpp"

namespace sigstab {
namespace {

struct Line {
  std::string name, text;
};
using Lines = std::vector<Line>;

std::string parameters_text(std::span<const Parameter> parameters) {
  std::string text;
  for (const Parameter& p : parameters) {
    text += fmt::format("; {}{}: {}", p.name, p.required() ? "" : fmt::format(" ({})", p.fallback),
                        p.help);
  }
  return text;
}

std::string source_text(std::string_view source) {
  return source.empty() ? "" : fmt::format(" [{}]", source);
}

// Any table: name and help, and where rows have them parameters and source.
template <class Table>
Lines table_lines(const Table& table) {
  Lines lines;
  for (const auto& row : table) {
    std::string text(row.help);
    if constexpr (requires { row.parameters; }) text += parameters_text(row.parameters);
    if constexpr (requires { row.source; }) text += source_text(row.source);
    lines.push_back({std::string(row.name), text});
  }
  return lines;
}

Lines experiments() {
  Lines lines;
  for (const CannedConfig& canned : canned_configs()) {
    const Config config = read_config(canned.text, std::string(canned.name), {});
    lines.push_back({std::string(canned.name), config.title});
  }
  return lines;
}

Lines kinds() {
  Lines lines;
  for (const Kind* kind : all_kinds())
    lines.push_back({std::string(kind->name), std::string(kind->help)});
  return lines;
}

Lines norms() {
  Lines lines = table_lines(norm_table());
  for (const PlacementRow& row : placement_table()) {
    lines.push_back({fmt::format("placement {}", row.name), std::string(row.help)});
  }
  return lines;
}

// The default kind first.
std::vector<const Kind*> in_order_of_use() {
  std::vector<const Kind*> kinds(all_kinds().begin(), all_kinds().end());
  std::ranges::stable_partition(kinds, [](const Kind* kind) { return kind->name == "depth"; });
  return kinds;
}

Lines measures() {
  Lines lines;
  for (const Kind* kind : all_kinds()) {
    for (const Measure& m : kind->measures()) {
      lines.push_back({std::string(m.name), fmt::format("{} ({})", m.help, kind->name)});
    }
  }
  return lines;
}

// The depth experiment's keys, then what the other kinds have beside the common ones.
Lines keys() {
  Lines lines;
  std::set<std::string> told;
  for (const Kind* kind : in_order_of_use()) {
    for (const KeyHelp& key : keys_of(*kind)) {
      const bool is_own = told.insert(key.key + key.text).second;
      if (!is_own) continue;
      const bool others = kind->name != "depth";
      lines.push_back({key.key, others ? fmt::format("{}: {}", kind->name, key.text) : key.text});
    }
  }
  return lines;
}

struct Topic {
  std::string_view name;
  Lines (*lines)();
};
constexpr Topic kTopics[] = {
    {"experiments", experiments},
    {"kinds", kinds},
    {"activations", [] { return table_lines(activation_table()); }},
    {"inits", [] { return table_lines(init_table()); }},
    {"biases", [] { return table_lines(bias_table()); }},
    {"norms", norms},
    {"residuals", [] { return table_lines(residual_table()); }},
    {"measures", measures},
    {"keys", keys},
    {"columns", [] { return table_lines(inspect_column_table()); }},
    {"generators", [] { return table_lines(kGenerators); }},
    {"formats", [] { return table_lines(format_table()); }},
};

struct ListOptions {
  std::string what = "experiments";
};

std::vector<Option> options_of(ListOptions& options) {
  return {{.name = "what",
           .help = joined(row_names(kTopics)),
           .target = &options.what,
           .value = "WHAT",
           .choices = row_names(kTopics)}};
}

ExitCode list(const ListOptions& options) {
  const Lines lines = find_row(kTopics, options.what)->lines();
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.name.size());
  for (const Line& line : lines) print(fmt::format("{:{}}  {}\n", line.name, width, line.text));
  return ExitCode::ok;
}

struct ShowOptions {
  std::string name;
};

std::vector<Option> options_of(ShowOptions& options) {
  return {{.name = "name",
           .help = "canned name or JSON file",
           .target = &options.name,
           .value = "CONFIG",
           .required = true}};
}

ExitCode show(const ShowOptions& options) {
  print(load_text(options.name).text);
  return ExitCode::ok;
}

struct ValidateOptions {
  std::vector<std::string> files;
};

std::vector<Option> options_of(ValidateOptions& options) { return {configs_option(options.files)}; }

ExitCode validate(const ValidateOptions& options) {
  std::optional<Error> last;  // the others are told as they are found
  for (const std::string& file : without_goldens(options.files)) {
    try {
      const Plan plan = make_plan(read_config(load_config(file), {}));
      const auto figures =
          std::ranges::count_if(plan.expectations, [](const auto& e) { return e.is_checked(); });
      print(fmt::format("{}: ok, {} result{}, {} figure{} expected\n", file, plan.results,
                        plan.results == 1 ? "" : "s", figures, figures == 1 ? "" : "s"));
    } catch (const Error& error) {
      if (last) print_error(*last);
      last = error;
    }
  }
  if (last) throw *last;
  return ExitCode::ok;
}

}  // namespace

Command list_command() { return make_command("list", "list what there is", options_of, list); }
Command show_command() { return make_command("show", "print a config, to copy", options_of, show); }
Command validate_command() {
  return make_command("validate", "check configs without running them", options_of, validate);
}
Command schema_command() {
  return {"schema", "print the JSON schema of configs, for editors", {}, [] {
            print(json_schema());
            return ExitCode::ok;
          }};
}

}  // namespace sigstab
