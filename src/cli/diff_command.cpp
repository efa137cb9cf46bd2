// sigstab diff: two result files, value by value.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "pipeline/diff.hpp"
#include "pipeline/result_json.hpp"

namespace sigstab {

ExitCode diff_command(const std::string& a, const std::string& b, double rtol, double atol) {
  for (const auto& [flag, value] : {std::pair{"--rtol", rtol}, std::pair{"--atol", atol}}) {
    if (!(value >= 0) || std::isinf(value)) {
      throw Error(flag, fmt::format("expected a number >= 0, got {}", value));
    }
  }
  const std::vector<Result> left = read_results(read_file(a), a),
                            right = read_results(read_file(b), b);
  DiffVerdict verdict;
  try {
    verdict = diff(left, right, {rtol, atol});
  } catch (const Error& error) {
    throw error.within(a + ", " + b);
  }
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(kShown, verdict.differences.size()); ++i) {
    const Difference& d = verdict.differences[i];
    print(fmt::format("{}: {} against {}{}\n", d.address, d.a, d.b,
                      std::isinf(d.relative) ? "" : fmt::format(" (relative {:.2g})", d.relative)));
  }
  if (verdict.differences.size() > kShown) {
    print(fmt::format("... and {} more\n", verdict.differences.size() - kShown));
  }
  print(fmt::format("{} values compared, {} differ (rtol {}, atol {})\n", verdict.compared,
                    verdict.differences.size(), rtol, atol));
  return verdict.differences.empty() ? ExitCode::ok : ExitCode::difference;
}

}  // namespace sigstab
