#include "pipeline/run.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace sigstab {

void check_memory(const Plan& plan, double available_bytes) {
  const Cost cost = total_cost(plan);
  if (cost.bytes > available_bytes) {
    throw Error(plan.experiment,
                fmt::format("needs about {:.3g} GB of memory, and {:.3g} GB are available",
                            cost.bytes / 1e9, available_bytes / 1e9),
                "make width, depth or tokens smaller");
  }
}

Result run(const Plan& plan) {
  Result result;
  result.experiment = plan.experiment;
  result.kind = plan.kind->name;
  result.row_name = plan.kind->row_name;
  result.title = plan.title;
  result.source = plan.source;
  result.config = plan.resolved;
  result.cases.resize(plan.results);
  Team team(1);
  for (const Unit& unit : plan.units) {
    plan.kind->run(
        unit_cases(plan, unit), unit.seed, team, [&](std::size_t index, CaseResult done) {
          identify(done, plan.cases[unit.cases[index]], plan.kind->draws ? unit.seed.text() : "");
          result.cases[unit.first_result + unit.cases[index]] = std::move(done);
        });
  }
  return result;
}

}  // namespace sigstab
