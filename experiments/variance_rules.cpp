// Variance rules: the sum of independent quantities, every outcome counted.
//
// X takes each of `values` with equal chance. The experiment is a X_1 + ... + a X_n with `factor` a
// and `copies` n; its rows are all outcomes, equally likely, the last copy changing fastest.

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "kinds/kind.hpp"
#include "math/moments.hpp"

namespace sigstab {
namespace {

constexpr double kMostOutcomes = 1e6;

constexpr Field kFields[] = {
    {.name = "values",
     .type = FieldType::numbers,
     .fallback = "[-1, 1]",
     .help = "the outcomes of one quantity, equally likely"},
    {.name = "factor",
     .type = FieldType::number,
     .fallback = "1",
     .help = "multiplies each quantity"},
    {.name = "copies",
     .type = FieldType::integer,
     .fallback = "1",
     .help = "independent quantities that are added",
     .low = 1,
     .high = 1000},
};

constexpr Measure kMeasures[] = {
    {"sum", "the outcome"},
    {"squared_distance", "its squared distance from the mean"},
    {"mean", "mean of the outcomes"},
    {"variance", "mean squared distance from the mean"},
    {"standard_deviation", "its root, the spread"},
    {"variance_by_rule", "copies x factor^2 x the variance of one quantity"},
};

struct Spread {
  double mean, variance;
  std::vector<double> squared_distances;
};

Spread spread_of(const std::vector<double>& outcomes) {
  Spread spread{mean(std::span<const double>(outcomes)), 0, {}};
  for (double v : outcomes) {
    spread.squared_distances.push_back((v - spread.mean) * (v - spread.mean));
  }
  spread.variance = mean(std::span<const double>(spread.squared_distances));
  return spread;
}

class VarianceCase final : public KindCase {
 public:
  explicit VarianceCase(const ObjectReader& config)
      : values_(config.numbers("values")),
        factor_(config.number("factor")),
        copies_(config.integer("copies")) {
    const double outcomes =
        std::pow(static_cast<double>(values_.size()), static_cast<double>(copies_));
    if (outcomes > kMostOutcomes) {
      config.refuse("copies", fmt::format("{:.3g} outcomes, above {:.0f}", outcomes, kMostOutcomes),
                    "make copies or values fewer");
    }
    outcomes_ = static_cast<std::int64_t>(std::round(outcomes));
  }

  std::int64_t rows() const override { return outcomes_; }
  CaseResult shape() const override {
    CaseResult shape;
    shape.facts = {{"factor", factor_}, {"copies", copies_}};
    shape.traits = {fmt::format("factor {:g}", factor_),
                    fmt::format("{} cop{}", copies_, copies_ == 1 ? "y" : "ies")};
    for (const char* name : {"mean", "variance", "standard_deviation", "variance_by_rule"}) {
      shape.scalars.push_back({name, 0.0});
    }
    shape.columns = {{.name = "sum"}, {.name = "squared_distance"}};
    return shape;
  }
  std::vector<std::string> default_columns() const override { return {"sum", "squared_distance"}; }
  Cost cost() const override { return {0, 0, static_cast<double>(outcomes_) * 32}; }

  CaseResult compute() const {
    std::vector<double> sums = {0};
    for (std::int64_t copy = 0; copy < copies_; ++copy) {
      std::vector<double> longer;
      for (double sum : sums) {
        for (double value : values_) longer.push_back(sum + factor_ * value);
      }
      sums = std::move(longer);
    }
    const Spread whole = spread_of(sums);
    CaseResult result = shape();
    const double by_rule =
        static_cast<double>(copies_) * factor_ * factor_ * spread_of(values_).variance;
    const double scalars[] = {whole.mean, whole.variance, std::sqrt(whole.variance), by_rule};
    for (std::size_t i = 0; i < std::size(scalars); ++i) result.scalars[i].value = scalars[i];
    result.columns[0].values = std::move(sums);
    result.columns[1].values = whole.squared_distances;
    result.verdicts.push_back(
        fmt::format("variance {:.6g}; by the rules {:.6g}", whole.variance, by_rule));
    return result;
  }

 private:
  std::vector<double> values_;
  double factor_;
  std::int64_t copies_, outcomes_ = 0;
};

constexpr Kind kVarianceRulesKind = {
    .name = "variance_rules",
    .help = "sums of independent quantities, every outcome counted",
    .row_name = "outcome",
    .draws = false,
    .fields = rows_of<kFields>,
    .measures = rows_of<kMeasures>,
    .read = read_as<VarianceCase>,
    .check_unit = check_undrawn,
    .run = run_undrawn<VarianceCase>,
};

}  // namespace

const Kind& variance_rules_kind() { return kVarianceRulesKind; }

}  // namespace sigstab
