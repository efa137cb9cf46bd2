#include "check/advise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/error.hpp"
#include "config/read_config.hpp"
#include "json/json.hpp"
#include "math/golden_section.hpp"
#include "net/measure.hpp"
#include "result/size_verdict.hpp"
#include "result/statistic.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

// A config's model, as long as its plan lives. Null where the config is wrong or of another kind.
struct Model {
  Plan plan;
  const ModelConfig* model = nullptr;
};

Model model_of(const Json& config, const std::string& file) {
  Model one;
  one.plan = make_plan(read_config(config.dump(), file, {}));
  const CaseTheory* theory = one.plan.cases.front().model->theory();
  if (theory != nullptr) one.model = &theory->model();
  return one;
}

PredictedSizes sizes_of(const Theory& theory, bool gradient) {
  PredictedSizes sizes;
  for (const LayerPrediction& layer : theory.prediction.layers) {
    sizes.forward.push_back(layer.forward);
    if (gradient) sizes.gradient.push_back(layer.gradient);
  }
  return sizes;
}

// What theory says of a changed config; nothing if the change is no config, or not predicted.
std::optional<SizeChange> predicted_change(const Json& config, const std::string& file) {
  try {
    const Model one = model_of(config, file);
    if (one.model == nullptr || !theory_refusal(*one.model).empty()) return std::nullopt;
    const Theory theory = predict(*one.model, false);
    if (!theory.prediction.refusal.empty()) return std::nullopt;
    const SizeChange change = change_of(sizes_of(theory, predicts_gradients(*one.model)));
    return std::isnan(change.worst()) ? std::nullopt : std::optional(change);
  } catch (const Error&) {
    return std::nullopt;  // two keys that do not go together
  }
}

// One key, and its value that holds sizes best.
struct Change {
  std::string text;  // "init.gain = 1.414"
  Json patch;
  SizeChange after;
};

Json patched(const Json& config, const Json& patch) {
  Json changed = config;
  changed.merge_patch(patch);
  return changed;
}

// The best factor between 1/64 and 64: a scan in steps of a fifth, then golden sections.
std::optional<Change> best_factor(const Json& config, const std::string& file, double now,
                                  const std::string& key,
                                  const std::function<Json(double)>& patch_of) {
  const auto worst_at = [&](double log_factor) {
    const auto change =
        predicted_change(patched(config, patch_of(now * std::exp(log_factor))), file);
    if (!change) return std::numeric_limits<double>::infinity();
    // Penalises distance from today's value, so that branches are not switched off.
    constexpr double kPrice = 0.3;
    return change->worst() + kPrice * std::fabs(log_factor);
  };
  constexpr double kReach = 4.2, kStep = 0.2;
  double best = 0, least = worst_at(0);
  for (double at = -kReach; at <= kReach; at += kStep) {
    if (const double worst = worst_at(at); worst < least) least = worst, best = at;
  }
  if (std::isinf(least)) return std::nullopt;
  constexpr int kSections = 24;
  best =
      golden_peak([&](double at) { return -worst_at(at); }, best - kStep, best + kStep, kSections)
          .at;
  // Four digits are what a reader will copy.
  const double value = std::stod(fmt::format("{:.4g}", now * std::exp(best)));
  const Json patch = patch_of(value);
  const auto after = predicted_change(patched(config, patch), file);
  if (!after) return std::nullopt;
  return Change{fmt::format("{} = {:.4g}", key, value), patch, *after};
}

std::optional<Change> plain_change(const Json& config, const std::string& file,
                                   const std::string& text, const Json& patch) {
  const Json changed = patched(config, patch);
  if (changed == config) return std::nullopt;
  const auto after = predicted_change(changed, file);
  if (!after) return std::nullopt;
  return Change{text, patch, *after};
}

// What may be tried, the mildest first.
std::vector<Change> candidates(const Json& config, const std::string& file,
                               const ModelConfig& model) {
  std::vector<Change> all;
  const auto add = [&](std::optional<Change> change) {
    if (change) all.push_back(std::move(*change));
  };
  const auto nested = [](const char* outer, const char* inner, const Json& value) {
    return Json{{outer, {{inner, value}}}};
  };
  add(best_factor(config, file, model.inits.front().gain, "init.gain",
                  [&](double v) { return nested("init", "gain", v); }));
  if (model.stack.residual.present()) {
    add(best_factor(config, file, model.stack.residual.branch, "residual.branch",
                    [&](double v) { return nested("residual", "branch", v); }));
  }
  if (model.stack.norm.present()) {
    for (const PlacementRow& row : placement_table()) {
      add(plain_change(config, file, fmt::format("norm.placement = {}", row.name),
                       nested("norm", "placement", std::string(row.name))));
    }
  } else {
    add(plain_change(config, file, "norm = rmsnorm", Json{{"norm", {{"kind", "rmsnorm"}}}}));
  }
  for (const ResidualRow& row : residual_table()) {
    if (!row.residual) continue;
    add(plain_change(config, file, fmt::format("residual = {}", row.name),
                     Json{{"residual", {{"scheme", std::string(row.name)}}}}));
  }
  return all;
}

}  // namespace

double SizeChange::worst() const { return std::max(std::fabs(forward), std::fabs(gradient)); }

bool SizeChange::holds(double allowance) const {
  return worst() <= std::log(kHoldingFactors.advice) + allowance;
}

SizeChange change_of(const PredictedSizes& sizes) {
  const auto largest = [](double a, double b) {
    return std::isnan(b) || std::fabs(b) > std::fabs(a) ? b : a;
  };
  SizeChange change;
  for (std::size_t layer = 1; layer < sizes.forward.size(); ++layer) {
    change.forward = largest(change.forward, sizes.forward[layer] - sizes.forward[1]);
  }
  for (std::size_t layer = 1; layer < sizes.gradient.size(); ++layer) {
    change.gradient = largest(change.gradient, sizes.gradient[layer] - sizes.gradient.back());
  }
  return change;
}

Advice advise(const std::string& text, const std::string& file) {
  // With short forms expanded, so that a change of one field leaves the others.
  const Json config = Json::parse(case_configs(read_config(text, file, {})).front().config);
  Advice advice;
  const Model now = model_of(config, file);
  advice.refusal =
      now.model == nullptr ? "theory predicts stacks of layers" : theory_refusal(*now.model);
  if (!advice.refusal.empty()) return advice;
  const Theory theory = predict(*now.model, false);
  advice.refusal = theory.prediction.refusal;
  if (!advice.refusal.empty()) return advice;
  advice.notes = theory.prediction.notes;
  advice.sizes = sizes_of(theory, predicts_gradients(*now.model));
  if (change_of(advice.sizes).holds()) return advice;
  const std::vector<Change> all = candidates(config, file, *now.model);
  if (all.empty()) return advice;
  auto chosen = std::ranges::find_if(all, [](const Change& c) { return c.after.holds(); });
  if (chosen == all.end()) {
    chosen = std::ranges::min_element(all, {}, [](const Change& c) { return c.after.worst(); });
    advice.nearest = chosen->text;
    advice.after = chosen->after;
    return advice;
  }
  advice.change = chosen->text;
  advice.changed = patched(config, chosen->patch).dump(2);
  advice.after = chosen->after;
  return advice;
}

Confirmation confirm(const std::string& config, const std::string& file, const Limits& limits) {
  constexpr double kWeights = 2e9;  // drawn, of all seeds together: some seconds
  const Plan one = make_plan(read_config(config, file, {}));
  const double weights = std::max(1.0, total_cost(one).weights);
  Confirmation confirmation;
  confirmation.seeds = static_cast<std::size_t>(std::clamp(kWeights / weights, 1.0, 20.0));
  Overrides overrides;
  for (std::size_t seed = 0; seed < confirmation.seeds; ++seed) {
    overrides.seeds.push_back(std::to_string(seed));
  }
  const Plan plan = make_plan(read_config(config, file, overrides));
  check_memory(plan, limits);
  const Result result = run(plan, limits);
  const auto mean_logs = [&](const char* name) {
    std::vector<double> logs;
    const Column* first = result.cases.front().column(name);
    if (first == nullptr) return logs;
    for (std::size_t row = 0; row < first->values.size(); ++row) {
      std::vector<double> values;
      for (const CaseResult& seed : result.cases) {
        values.push_back(std::log(seed.column(name)->values[row]));
      }
      logs.push_back(mean_of(values));
    }
    logs.insert(logs.begin(), 0.0);  // the input, which counts for nothing
    return logs;
  };
  confirmation.measured = change_of({mean_logs(kForwardColumn), mean_logs(kGradientColumn)});
  const CaseTheory* of_case = plan.cases.front().model->theory();
  SIGSTAB_ASSERT(of_case != nullptr);
  const Theory& theory = of_case->of(true);
  const double n = static_cast<double>(confirmation.seeds);
  for (const auto* bands : {&theory.bands.forward, &theory.bands.gradient}) {
    for (const Band& band : *bands) {
      // A size is that of one layer over another's, and a geometric mean lies below theory's.
      const double off =
          3 * std::numbers::sqrt2 * band.deviation / std::sqrt(n) + band.deviation * band.deviation;
      confirmation.allowance = std::max(confirmation.allowance, off);
    }
  }
  return confirmation;
}

}  // namespace sigstab
