#include "report/diff_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text_grid.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kShown = 20;    // rows of the table
constexpr std::size_t kExamples = 3;  // addresses of what is missing

// "9.2e-05", "ln 0.53", "z 4.1"
std::string distance_text(const Difference& d) {
  if (std::isinf(d.distance)) return "-";
  const std::string size = fmt::format("{:.2g}", d.distance);
  return d.unit == "relative" ? size : fmt::format("{} {}", d.unit, size);
}

std::string table_of(const DiffReport& report) {
  const std::vector<Difference>& all = report.verdict.differences;
  if (all.empty()) return "";
  const std::span<const Difference> shown = std::span(all).first(std::min(all.size(), kShown));
  std::size_t width = 0;
  for (const Difference& d : shown) width = std::max(width, d.address.size());
  TextGrid grid = {{fmt::format("{:{}}", "value", width), report.a, report.b, "distance"}};
  for (const Difference& d : shown) {
    grid.push_back({fmt::format("{:{}}", d.address, width), d.a, d.b, distance_text(d)});
  }
  std::string text = aligned(grid);
  if (all.size() > kShown) text += fmt::format("... and {} more\n", all.size() - kShown);
  return text;
}

std::string missing_text(const std::vector<std::string>& addresses, const std::string& holder) {
  if (addresses.empty()) return "";
  std::string text = fmt::format("only in {}: {} value{}", holder, addresses.size(),
                                 addresses.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(addresses.size(), kExamples); ++i) {
    text += (i == 0 ? ": " : "; ") + addresses[i];
  }
  return text + (addresses.size() > kExamples ? "; ...\n" : "\n");
}

}  // namespace

std::string DiffReport::total() const {
  std::string text =
      fmt::format("{} values compared, {} differ", verdict.compared, verdict.differences.size());
  const std::size_t missing = verdict.only_a.size() + verdict.only_b.size();
  if (missing > 0) text += fmt::format(", {} on one side alone", missing);
  return fmt::format("{} ({})", text, rules);
}

std::string DiffReport::details() const {
  return table_of(*this) + missing_text(verdict.only_a, a) + missing_text(verdict.only_b, b);
}

std::string DiffReport::text() const { return details() + total() + "\n"; }

JunitSuite DiffReport::junit() const {
  JunitSuite suite{a + " against " + b, {}};
  for (const Difference& d : verdict.differences) {
    suite.cases.push_back(
        {d.address, fmt::format("{} against {} ({})", d.a, d.b, distance_text(d)), false});
  }
  for (const std::string& address : verdict.only_a) {
    suite.cases.push_back({address, "only in " + a, false});
  }
  for (const std::string& address : verdict.only_b) {
    suite.cases.push_back({address, "only in " + b, false});
  }
  if (suite.cases.empty()) suite.cases.push_back({total(), "", false});
  return suite;
}

}  // namespace sigstab
