// sigstab check: one line a figure, a total, and exit code 1 on any miss.

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "pipeline/canned.hpp"
#include "pipeline/check.hpp"
#include "pipeline/run.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kValueWidth = 10;

// "  ok    linear-1-L1  23.4 = 23.4  sigma = 1, forward_rms[1]"; a line of text, a size or a miss
// of these takes the room it needs.
std::string figure_line(const FigureVerdict& v, std::size_t id_width) {
  const bool unchecked = v.protocol == Protocol::outside || v.protocol == Protocol::later;
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

}  // namespace

ExitCode check_command(const std::vector<std::string>& names) {
  std::vector<std::string> wanted = names;
  if (wanted.empty()) {
    for (const CannedConfig& canned : canned_configs()) {
      if (canned.folder == "article") wanted.emplace_back(canned.name);
    }
  }
  const Limits limits = read_limits("", "");
  std::vector<Plan> plans;
  for (const std::string& name : wanted) {
    const NamedText source = load_config(name);
    plans.push_back(make_plan(read_config(source.text, source.file, {}), false));
    if (plans.back().expectations.empty()) {
      throw Error(source.file, "it expects no figures", "add \"expect\", or use run");
    }
    check_memory(plans.back(), limits);
  }
  FigureTotals totals;
  for (const Plan& plan : plans) {
    print(plan.title.empty() ? plan.experiment + "\n"
                             : fmt::format("{}: {}\n", plan.experiment, plan.title));
    const std::vector<FigureVerdict> verdicts = check(plan, run(plan, limits));
    std::size_t id_width = 0;
    for (const FigureVerdict& v : verdicts) id_width = std::max(id_width, v.id.size());
    for (const FigureVerdict& v : verdicts) {
      print(figure_line(v, id_width));
      totals.add(v);
    }
  }
  print(totals.text() + "\n");
  return totals.all_passed() ? ExitCode::ok : ExitCode::difference;
}

}  // namespace sigstab
