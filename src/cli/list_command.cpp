// sigstab list, show and validate: what there is, and whether a file is right.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "net/activation.hpp"
#include "net/bias.hpp"
#include "net/init.hpp"
#include "net/norm.hpp"
#include "net/residual.hpp"
#include "pipeline/canned.hpp"
#include "pipeline/report.hpp"
#include "pipeline/schema.hpp"
#include "random/generators.hpp"

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
    for (const Measure& m : kind->measures) {
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
    {"generators", [] { return table_lines(kGenerators); }},
    {"formats", [] { return table_lines(format_table()); }},
};

}  // namespace

std::vector<std::string> list_topics() {
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) names.emplace_back(topic.name);
  return names;
}

ExitCode list_command(const std::string& what) {
  const Topic* topic = find_row(kTopics, what);
  if (topic == nullptr) {
    throw Error("list", fmt::format("unknown name \"{}\"", what),
                name_hint(what, row_names(kTopics)));
  }
  const Lines lines = topic->lines();
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.name.size());
  for (const Line& line : lines) print(fmt::format("{:{}}  {}\n", line.name, width, line.text));
  return ExitCode::ok;
}

ExitCode show_command(const std::string& name) {
  print(load_config(name).text);
  return ExitCode::ok;
}

ExitCode validate_command(const std::vector<std::string>& files) {
  std::optional<Error> last;  // the others are told as they are found
  for (const std::string& file : files) {
    try {
      const NamedText source = load_config(file);
      const Plan plan = make_plan(read_config(source.text, source.file, {}));
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

ExitCode schema_command() {
  print(json_schema());
  return ExitCode::ok;
}

}  // namespace sigstab
