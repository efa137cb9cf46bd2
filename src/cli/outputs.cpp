#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/named_table.hpp"

namespace sigstab {
namespace {

Output open_output(OutputFiles& files, const std::string& path) {
  // Devices have no extension; the format is then the one for people.
  if (path.starts_with("/dev/") && find_by_extension(format_table(), path) == nullptr) {
    files.claim("-o", path);
    return {path, &format_table().front()};
  }
  return {path, files.claim_by_extension(format_table(), "-o", path)};
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

}  // namespace

void Output::add(const Result& result, const ReportOf& report_of, bool first) {
  const std::string next =
      (first || !format->spaced ? "" : "\n") + format->render(result, report_of);
  if (path.empty())
    print(next);
  else
    text += next;
}

void Output::begin(const LineOrder& kept) {
  order = {};
  if (!is_line_file()) return;
  if (kept.count > 0)
    order = kept;
  else if (lines != nullptr)
    order.begins = lines->size();
}

void Output::add_line(const Result& frame, std::size_t index, const CaseResult& one) {
  const std::string line = format->line(frame, one, order.count == 0);
  order.add(index);
  if (path.empty()) return print(line);
  if (lines == nullptr) lines = std::make_unique<LineFile>(path);
  lines->append(line);
}

void Output::end(const Result& result) {
  if (!is_reordered() || order.ascending) return;
  lines->rewrite(order.begins, [&](const Sink& sink) {
    bool first = true;
    for (const CaseResult& one : result.cases) {
      sink(format->line(result, one, std::exchange(first, false)));
    }
  });
}

std::vector<Output> open_outputs(const std::string& format, const std::vector<std::string>& paths,
                                 OutputFiles& files, const std::vector<Plan>& plans) {
  std::vector<Output> outputs;
  if (paths.empty() || !format.empty()) {
    outputs.push_back({"", find_row(format_table(), format.empty() ? "table" : format)});
  }
  for (const std::string& path : paths) {
    outputs.push_back(open_output(files, path));
    // One that is there is opened at once, so that nobody else begins to write it.
    if (outputs.back().is_line_file() && std::filesystem::exists(path)) {
      outputs.back().streams = !std::filesystem::is_regular_file(path);
      outputs.back().lines = std::make_unique<LineFile>(path);
    }
  }
  for (const Output& output : outputs) {
    const std::string where = output.path.empty() ? "--format" : "-o " + output.path;
    check_can_hold(*output.format, plans.size(), where);
    if (!output.format->needs_line) continue;
    for (const Plan& plan : plans) check_has_lines(plan);
  }
  return outputs;
}

void save(const std::vector<Output>& outputs) {
  std::optional<Error> first;
  for (const Output& output : outputs) {
    if (output.path.empty() || output.text.empty())
      continue;  // nothing is no reason to replace a file
    const std::optional<Error> failed = write_or_print(output.path, output.text);
    if (!first) first = failed;
  }
  if (first) throw *first;
}

}  // namespace sigstab
