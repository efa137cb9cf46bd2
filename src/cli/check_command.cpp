// sigstab check: one line a figure, a total, and exit code 1 on any miss.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "pipeline/canned.hpp"
#include "pipeline/check.hpp"
#include "pipeline/run.hpp"

namespace sigstab {
namespace {

std::string figure_line(const FigureVerdict& v, std::size_t id_width, std::size_t ours_width) {
  if (v.ours.size() > ours_width || v.expected.size() > ours_width) {  // a line of text
    std::string text = fmt::format("  {:4}  {:{}}  {}\n", v.passed ? "ok" : "MISS", v.id, id_width,
                                   v.passed ? v.ours : v.address);
    if (!v.passed)
      text += fmt::format("          ours:     {}\n          expected: {}\n", v.ours, v.expected);
    return text;
  }
  return fmt::format("  {:4}  {:{}}  {:>{}}  {} {:<{}}  {}\n", v.passed ? "ok" : "MISS", v.id,
                     id_width, v.ours, ours_width, v.passed ? "=" : "not", v.expected, ours_width,
                     v.address);
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
    plans.push_back(make_plan(read_config(source.text, source.file, {})));
    if (plans.back().expectations.empty()) {
      throw Error(source.file, "it expects no figures", "add \"expect\", or use run");
    }
    check_memory(plans.back(), limits);
  }
  std::map<std::string, std::size_t> passed;  // by protocol
  std::size_t figures = 0, failed = 0;
  for (const Plan& plan : plans) {
    print(plan.title.empty() ? plan.experiment + "\n"
                             : fmt::format("{}: {}\n", plan.experiment, plan.title));
    const std::vector<FigureVerdict> verdicts = check(plan, run(plan, limits));
    std::size_t id_width = 0;
    for (const FigureVerdict& v : verdicts) id_width = std::max(id_width, v.id.size());
    constexpr std::size_t kValueWidth = 10;
    for (const FigureVerdict& v : verdicts) {
      print(figure_line(v, id_width, kValueWidth));
      ++figures;
      ++(v.passed ? passed[v.protocol] : failed);
    }
  }
  std::string total = fmt::format("{} figure{}: ", figures, figures == 1 ? "" : "s");
  for (const auto& [protocol, count] : passed) total += fmt::format("{} {}, ", count, protocol);
  print(total + fmt::format("{} failed\n", failed));
  return failed == 0 ? ExitCode::ok : ExitCode::difference;
}

}  // namespace sigstab
