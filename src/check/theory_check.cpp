#include "check/theory_check.hpp"

#include <algorithm>
#include <cmath>

#include "net/measure.hpp"
#include "result/statistic.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

constexpr double kChains = 2000;  // of the bands
// Of a draw's deviation, what the mean of a gradient's band may be off by: see the calibration.
constexpr double kGradient = 0.25;

using Seeds = std::vector<const CaseResult*>;

double size_at(const CaseResult& one, const Column& column, std::size_t layer) {
  if (layer > 0) return column.values[layer - 1];
  return std::get<double>(*one.scalar(column.input_scalar));
}

// The mean of ln over seeds; -infinity where a size is 0.
double mean_log(const Seeds& seeds, const std::string& name, std::size_t layer) {
  std::vector<double> logs;
  for (const CaseResult* one : seeds) {
    logs.push_back(std::log(size_at(*one, *one->column(name), layer)));
  }
  return mean_of(logs);
}

TheoryVerdict compare(const Seeds& seeds, const std::string& name, const std::vector<Band>& bands,
                      double accuracy, bool forward, double limit) {
  TheoryVerdict verdict;
  verdict.label = seeds.front()->label();
  verdict.column = name;
  verdict.seeds = seeds.size();
  const double n = static_cast<double>(seeds.size());
  for (std::size_t step = 0; step < bands.size(); ++step) {
    const std::size_t layer = forward ? step : bands.size() - 1 - step;
    const Band& band = bands[layer];
    const double noise = band.deviation * std::sqrt(1 / n + 1 / kChains);
    const double deviation = std::hypot(noise, accuracy, forward ? 0 : kGradient * band.deviation);
    const double measured = mean_log(seeds, name, layer);
    // A size that is 0 by theory and in every run has no deviation.
    const double z = measured == band.mean ? 0 : (measured - band.mean) / deviation;
    const bool apart = !(std::fabs(z) <= limit);  // nan is apart
    if (std::isnan(z) || std::fabs(z) > std::fabs(verdict.worst_z)) {
      verdict.worst_z = z;
      verdict.worst_layer = static_cast<std::int64_t>(layer);
    }
    if (!apart || !verdict.passed()) continue;
    verdict.departs = static_cast<std::int64_t>(layer);
    verdict.measured = measured;
    verdict.predicted = band.mean;
    verdict.deviation = deviation;
  }
  return verdict;
}

TheoryVerdict no_verdict(const Seeds& seeds, const std::string& why) {
  TheoryVerdict verdict;
  verdict.label = seeds.front()->label();
  verdict.why = why;
  return verdict;
}

}  // namespace

std::vector<TheoryVerdict> check_theory(const Plan& plan, const Result& result, double limit) {
  std::vector<TheoryVerdict> verdicts;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    Seeds seeds;
    for (const CaseResult& one : result.cases) {
      if (one.planned == i) seeds.push_back(&one);
    }
    if (seeds.empty()) continue;
    const CaseTheory* of_case = plan.cases[i].model->theory();
    if (of_case == nullptr) {
      verdicts.push_back(no_verdict(seeds, "theory predicts stacks of layers"));
      continue;
    }
    const ModelConfig& model = of_case->model();
    const Theory& theory = of_case->of(true);
    if (!theory.bands.refusal.empty()) {
      verdicts.push_back(no_verdict(seeds, theory.bands.refusal));
      continue;
    }
    const double accuracy = 1 / static_cast<double>(model.stack.width);
    verdicts.push_back(compare(seeds, kForwardColumn, theory.bands.forward, accuracy, true, limit));
    if (!model.has_gradient() || theory.bands.gradient.empty()) continue;
    verdicts.push_back(
        compare(seeds, kGradientColumn, theory.bands.gradient, accuracy, false, limit));
  }
  return verdicts;
}

}  // namespace sigstab
