#include "cli/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/command_line.hpp"
#include "result/result_json.hpp"

namespace sigstab {
namespace {

Output* line_file(std::vector<Output>& outputs) {
  const auto found = std::ranges::find_if(outputs, &Output::is_line_file);
  return found == outputs.end() ? nullptr : &*found;
}

std::size_t count_line_files(const std::vector<Output>& outputs) {
  return static_cast<std::size_t>(std::ranges::count_if(outputs, &Output::is_line_file));
}

std::size_t all_results(std::span<const Plan> plans) {
  std::size_t sum = 0;
  for (const Plan& plan : plans) sum += plan.results;
  return sum;
}

// How many results of this run a file holds; none if it is of anything else.
std::size_t count_kept(const std::string& path, std::span<const Plan> plans,
                       const Provenance& build) {
  try {
    std::string start;
    copy_start(path, kLineStart.size(), [&](std::string_view piece) { start += piece; });
    if (start != kLineStart) return 0;
    return read_kept(read_file(path), path, plans, build).count();
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace

KeptRun resume(std::vector<Output>& outputs, std::span<const Plan> plans, const Provenance& build) {
  const std::size_t files = count_line_files(outputs);
  if (files != 1) {
    throw Error("--resume",
                files == 0 ? "there is no jsonl file to continue"
                           : fmt::format("{} jsonl files are named", files),
                "name one: -o FILE.jsonl");
  }
  Output& output = *line_file(outputs);
  if (output.lines == nullptr) return read_kept("", output.path, plans, build);
  if (!std::filesystem::is_regular_file(output.path)) {
    throw Error(output.path, "only a regular file can be continued", "name another file");
  }
  const std::string text = read_file(output.path);
  KeptRun kept = read_kept(text, output.path, plans, build);
  output.lines->keep(kept.bytes);
  const std::size_t all = all_results(plans);
  if (kept.count() == all && kept.plans.back().order.ascending) {
    std::fprintf(stderr, "sigstab: %s is complete already: %zu results\n", output.path.c_str(),
                 all);
  } else {
    std::fprintf(stderr, "sigstab: %s holds %zu of %zu results\n", output.path.c_str(),
                 kept.count(), all);
  }
  return kept;
}

void check_none_unfinished(const std::vector<Output>& outputs, std::span<const Plan> plans,
                           const Provenance& build) {
  const std::size_t all = all_results(plans);
  for (const Output& output : outputs) {
    if (output.lines == nullptr || output.streams) continue;
    const std::size_t count = count_kept(output.path, plans, build);
    if (count == 0 || count == all) continue;
    throw Error("-o " + output.path,
                fmt::format("it holds {} of the {} results of this run", count, all),
                "add --resume to go on, or name another file");
  }
}

std::string how_to_resume(const std::vector<Output>& outputs) {
  if (count_line_files(outputs) != 1) {
    return "to be able to go on, write -o FILE.jsonl, and continue it with --resume";
  }
  return "go on with: " + command_with("--resume");
}

}  // namespace sigstab
