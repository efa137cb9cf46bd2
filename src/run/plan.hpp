#pragma once
// A config resolved: every case of every grid point, checked, grouped into units that can run
// apart.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "config/expectation.hpp"
#include "config/report_spec.hpp"
#include "kinds/kind.hpp"

namespace sigstab {

struct PlannedCase {
  std::string name, point_text;  // point_text: "depth=6,norm.placement=post"
  std::vector<NamedScalar> point;
  std::unique_ptr<KindCase> model;
  ReportSpec report;
};

// Cases of one seed that run one after another.
struct Unit {
  Seed seed;
  std::vector<std::size_t> cases;  // indices into Plan::cases
  std::size_t first_result;        // index of the seed's first result; add the case's index
};

struct Plan {
  const Kind* kind = nullptr;
  std::string experiment, title, source;
  std::string resolved;  // the config as run, JSON text
  std::vector<PlannedCase> cases;
  std::vector<Unit> units;
  std::size_t results = 0;  // seeds x cases
  std::vector<Expectation> expectations;

  const ReportSpec& report_of(const CaseResult& result) const {
    return cases[result.planned].report;
  }
};

// With `reported` false nobody will see a report, and cases measure what figures expect alone.
// Errors: any case that is wrong, before any runs; more than 1,000,000 results.
Plan make_plan(const Config& config, bool reported = true);

// A case of a config as a config of its own: without cases, sweep, seeds, report and expect.
struct CaseConfig {
  std::string label;   // "He, depth=6"; empty if there is only one
  std::string config;  // JSON text
};
std::vector<CaseConfig> case_configs(const Config& config);

// Says which case and seed a result belongs to; an empty seed where nothing is drawn.
void identify(CaseResult& result, const PlannedCase& planned, const std::string& seed);

// The seed of a unit's results; empty where nothing is drawn.
std::string seed_text(const Plan& plan, const Unit& unit);

// The cases of a unit, as a kind takes them.
std::vector<UnitCase> unit_cases(const Plan& plan, const Unit& unit);

// The sum over all results; bytes is the largest, and what is kept of all of them.
Cost total_cost(const Plan& plan);

}  // namespace sigstab
