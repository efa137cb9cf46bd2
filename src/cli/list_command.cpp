// sigstab list, show and validate: what there is, and whether a file is right.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "net/activation.hpp"
#include "net/init.hpp"
#include "net/norm.hpp"
#include "net/residual.hpp"
#include "pipeline/canned.hpp"
#include "pipeline/report.hpp"
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

template <class Table>
Lines plain_lines(const Table& table) {
  Lines lines;
  for (const auto& row : table) lines.push_back({std::string(row.name), std::string(row.help)});
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

Lines activations() {
  Lines lines;
  for (const ActivationRow& row : activation_table()) {
    lines.push_back(
        {std::string(row.name),
         std::string(row.help) + parameters_text(row.parameters) + source_text(row.source)});
  }
  return lines;
}

Lines inits() {
  Lines lines;
  for (const InitRow& row : init_table()) {
    lines.push_back(
        {std::string(row.name),
         std::string(row.help) + parameters_text(row.parameters) + source_text(row.source)});
  }
  return lines;
}

Lines residuals() {
  Lines lines;
  for (const ResidualRow& row : residual_table()) {
    lines.push_back({std::string(row.name), std::string(row.help) + source_text(row.source)});
  }
  return lines;
}

Lines norms() {
  Lines lines = plain_lines(norm_table());
  for (const PlacementRow& row : placement_table()) {
    lines.push_back({fmt::format("placement {}", row.name), std::string(row.help)});
  }
  return lines;
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

struct Topic {
  std::string_view name;
  Lines (*lines)();
};
constexpr Topic kTopics[] = {
    {"experiments", experiments},
    {"kinds", kinds},
    {"activations", activations},
    {"inits", inits},
    {"norms", norms},
    {"residuals", residuals},
    {"measures", measures},
    {"generators", [] { return plain_lines(kGenerators); }},
    {"formats", [] { return plain_lines(format_table()); }},
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
      print(fmt::format("{}: ok, {} result{}, {} figure{} expected\n", file, plan.results,
                        plan.results == 1 ? "" : "s", plan.expectations.size(),
                        plan.expectations.size() == 1 ? "" : "s"));
    } catch (const Error& error) {
      if (last) print_error(*last);
      last = error;
    }
  }
  if (last) throw *last;
  return ExitCode::ok;
}

}  // namespace sigstab
