#include "run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "config/config_cases.hpp"
#include "config/config_defaults.hpp"
#include "config/config_patch.hpp"

namespace sigstab {
namespace {

constexpr double kMostResults = 1'000'000;

// A report written for other layers than there are now, since a flag or an extending file changed
// them, falls back to the defaults.
ReportSpec report_of_case(const ObjectReader& reader, const Config& config,
                          const PlannedCase& planned) {
  CaseResult shape = planned.model->shape();
  identify(shape, planned, config.kind->draws ? Seed().text() : "");
  ReportCase about{shape,
                   planned.model->rows(),
                   planned.model->default_columns(),
                   {},
                   config.cases.size() > 1,
                   config.changes_rows(),
                   [&](const std::string& name) { return planned.model->why_no_column(name); }};
  for (const SweepKey& key : config.sweep) about.sweep_keys.push_back(key.key);
  return read_report(reader.object("report"), config.kind->row_name, about,
                     [&](const std::string& key) { return config.means("report." + key); });
}

// One combination of the sweep's values: indices into each key's list.
using GridPoint = std::vector<std::size_t>;

std::vector<GridPoint> grid_of(const std::vector<SweepKey>& sweep) {
  std::vector<GridPoint> grid = {{}};
  for (const SweepKey& key : sweep) {
    std::vector<GridPoint> longer;
    for (const GridPoint& point : grid) {
      for (std::size_t i = 0; i < key.values.size(); ++i) {
        longer.push_back(point);
        longer.back().push_back(i);
      }
    }
    grid = std::move(longer);
  }
  return grid;
}

std::vector<NamedScalar> values_at(const Config& config, const GridPoint& point) {
  std::vector<NamedScalar> values;
  for (std::size_t k = 0; k < point.size(); ++k) {
    values.push_back({config.sweep[k].key, config.sweep[k].values[point[k]]});
  }
  return values;
}

// `base` with a case's changes, then the sweep's. It is the config without what a case cannot hold.
Json resolved_case(const Config& config, Json base, const ConfigPatch& patch,
                   const GridPoint& point) {
  const ObjectTable& table = config.keys->table();
  apply_patch(base, *patch.patch, table);
  for (std::size_t k = 0; k < point.size(); ++k) {
    apply_patch(base, *config.sweep[k].patches[point[k]].patch, table);
  }
  return base;
}

PlannedCase plan_case(const Config& config, const Json& base, const ConfigPatch& patch,
                      const GridPoint& point) {
  const Json resolved = resolved_case(config, base, patch, point);
  std::vector<JsonSource> sources;
  PlannedCase planned;
  planned.name = patch.name;
  planned.point = values_at(config, point);
  for (std::size_t k = 0; k < point.size(); ++k) {
    const ConfigPatch& value = config.sweep[k].patches[point[k]];
    sources.insert(sources.begin(), {value.prefix, value.patch.get()});
    planned.point_text += fmt::format("{}{}={}", k == 0 ? "" : ",", planned.point[k].name,
                                      FormatSpec().format(planned.point[k].value));
  }
  if (!patch.name.empty()) sources.push_back({patch.prefix, patch.patch.get()});
  const ObjectReader reader(resolved, config.keys->table(), config.place(sources));
  planned.model = config.kind->read(reader);
  planned.report = report_of_case(reader, config, planned);
  return planned;
}

// Splits one seed's cases into units: those of one stream stay together, in order.
void add_units(Plan& plan, const std::optional<Seed>& seed, std::size_t first_result) {
  std::map<std::string, std::size_t> unit_of_stream;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const KindCase& model = *plan.cases[i].model;
    const Seed own = seed ? *seed : model.seed() != nullptr ? *model.seed() : Seed();
    const std::string stream = model.stream();
    const std::string key = stream + " " + own.text();
    const auto found = stream.empty() ? unit_of_stream.end() : unit_of_stream.find(key);
    if (found != unit_of_stream.end()) {
      plan.units[found->second].cases.push_back(i);
      continue;
    }
    if (!stream.empty()) unit_of_stream[key] = plan.units.size();
    plan.units.push_back({own, {i}, first_result});
  }
}

// What `expect` can address.
std::vector<ComingCase> coming_cases(const Config& config, const Plan& plan) {
  std::vector<ComingCase> coming;
  for (const PlannedCase& planned : plan.cases) {
    ComingCase one{planned.model->shape(), planned.model->rows(), {}};
    identify(one.shape, planned, "");
    if (!plan.kind->draws) {
      one.seeds = {""};
    } else if (!config.seeds) {
      one.seeds = {planned.model->seed()->text()};
    } else {
      for (const Seed& seed : *config.seeds) one.seeds.push_back(seed.text());
    }
    coming.push_back(std::move(one));
  }
  return coming;
}

// A case measures what something asks for: its report, or a figure that is expected of it.
void ask_for_columns(Plan& plan, bool reported) {
  for (PlannedCase& planned : plan.cases) {
    std::vector<std::string> asked;
    if (reported) asked = planned.report.columns;
    if (reported && planned.report.pivot) asked.push_back(planned.report.pivot->value);
    if (planned.report.line) {
      for (const std::string& name : planned.report.line->names()) asked.push_back(name);
    }
    for (const Expectation& e : plan.expectations) {
      if (e.value.case_name == planned.name) asked.push_back(e.value.column);
      if (e.over && e.over->case_name == planned.name) asked.push_back(e.over->column);
    }
    planned.model->ask(asked);
  }
}

// An expected line needs a line to compare with.
void check_lines(const Plan& plan, const Place& expect) {
  for (std::size_t i = 0; i < plan.expectations.size(); ++i) {
    const Expectation& e = plan.expectations[i];
    if (!e.line) continue;
    const auto planned = std::ranges::find_if(plan.cases, [&](const PlannedCase& c) {
      return c.name == e.value.case_name && c.report.line;
    });
    if (planned != plan.cases.end()) continue;
    throw Error(expect.child(i).text(), "this case has no report.line to compare with",
                "add \"report\": {\"line\": \"...\"}");
  }
}

}  // namespace

void identify(CaseResult& result, const PlannedCase& planned, const std::string& seed) {
  result.name = planned.name;
  result.point = planned.point;
  result.seed = seed;
  result.facts.push_back({"name", planned.name});
  if (seed.empty()) return;
  result.facts.push_back({"seed", seed});
  result.traits.push_back("seed " + seed);
}

Plan make_plan(const Config& config, bool reported) {
  Plan plan;
  plan.kind = config.kind;
  plan.experiment = config.name;
  plan.title = config.title;
  plan.source = config.source;

  double results = static_cast<double>(config.cases.size());
  for (const SweepKey& key : config.sweep) results *= static_cast<double>(key.values.size());
  if (config.seeds) results *= static_cast<double>(config.seeds->size());
  if (results > kMostResults) {
    throw Error(config.file,
                fmt::format("cases x sweep x seeds is {:.0f}, above {:.0f}", results, kMostResults),
                "run a part of it");
  }
  const std::vector<GridPoint> grid = grid_of(config.sweep);
  Json base = *config.base;
  for (std::string_view key : base_only_keys()) base.erase(key);
  for (const ConfigPatch& patch : config.cases) {
    for (const GridPoint& point : grid) plan.cases.push_back(plan_case(config, base, patch, point));
  }
  plan.resolved = resolved_text(config);
  if (config.seeds) {
    for (const Seed& seed : *config.seeds) {
      add_units(plan, seed, plan.results);
      plan.results += plan.cases.size();
    }
  } else {
    add_units(plan, std::nullopt, 0);
    plan.results = plan.cases.size();
  }
  for (const Unit& unit : plan.units) {
    try {
      plan.kind->check_unit(unit_cases(plan, unit), unit.seed);
    } catch (const Error& e) {
      if (e.where() == "/seeds") throw Error(config.seeds_place, e.message(), e.hint());
      throw Error(config.place().at(e.where(), '/').text(), e.message(), e.hint());
    }
  }
  if (const Json* expect =
          ObjectReader(*config.base, config.keys->table(), config.place()).raw("expect");
      expect != nullptr && config.expects_figures()) {
    plan.expectations =
        read_expectations(*expect, config.place().child("expect"), std::string(plan.kind->row_name),
                          coming_cases(config, plan));
    check_lines(plan, config.place().child("expect"));
  }
  ask_for_columns(plan, reported);
  return plan;
}

std::vector<CaseConfig> case_configs(const Config& config) {
  Json base = *config.base;
  for (std::string_view key : base_only_keys()) {
    if (key != "name" && key != "experiment") base.erase(key);
  }
  std::vector<CaseConfig> all;
  for (const ConfigPatch& patch : config.cases) {
    for (const GridPoint& point : grid_of(config.sweep)) {
      CaseResult about;
      about.name = patch.name;
      about.point = values_at(config, point);
      Json resolved = resolved_case(config, base, patch, point);
      resolved.erase("report");
      all.push_back({about.label(), resolved.dump()});
    }
  }
  return all;
}

std::string seed_text(const Plan& plan, const Unit& unit) {
  return plan.kind->draws ? unit.seed.text() : "";
}

std::vector<UnitCase> unit_cases(const Plan& plan, const Unit& unit) {
  std::vector<UnitCase> cases;
  for (std::size_t i : unit.cases) {
    cases.push_back({plan.cases[i].model.get(), plan.cases[i].name, plan.cases[i].point_text});
  }
  return cases;
}

Cost total_cost(const Plan& plan) {
  constexpr double kOfOneResult = 2048;  // names and scalars
  Cost total;
  double kept = 0;
  const double seeds = static_cast<double>(plan.results) / static_cast<double>(plan.cases.size());
  for (const PlannedCase& planned : plan.cases) {
    const Cost cost = planned.model->cost();
    total.weights += seeds * cost.weights;
    total.flops += seeds * cost.flops;
    total.bytes = std::max(total.bytes, cost.bytes);
    const double columns = static_cast<double>(planned.model->shape().columns.size());
    const double rows = static_cast<double>(planned.model->rows());
    kept += seeds * (kOfOneResult + columns * rows * sizeof(double));
  }
  total.bytes += kept;
  return total;
}

}  // namespace sigstab
