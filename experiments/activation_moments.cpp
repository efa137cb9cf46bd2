// Activation moments: an activation and its slope under Gaussian preactivations.
//
// Row i has z ~ N(0, variances[i]). Nothing is drawn: the moments are integrals, to 12 digits.

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "kinds/kind.hpp"
#include "kinds/model_part.hpp"
#include "theory/mean_field.hpp"

namespace sigstab {
namespace {

const Names kPartKeys = {"activation"};

constexpr Field kOwnFields[] = {
    {.name = "variances",
     .type = FieldType::numbers,
     .fallback = "[1]",
     .help = "variances of the preactivation, a row each",
     .low = 1e-300,
     .high = 1e300},
};

constexpr Measure kMeasures[] = {
    {"variance", "q, of the preactivation z ~ N(0, q)"},
    {"mean", "E f(z)"},
    {"second_moment", "E f(z)^2"},
    {"second_moment_share", "E f(z)^2 / q"},
    {"slope_second_moment", "E f'(z)^2"},
    {"forward_gain", "sqrt(q / E f(z)^2): on weights, what keeps the preactivation's size"},
    {"backward_gain", "1 / sqrt(E f'(z)^2): what keeps the gradient's"},
    {"value_at_spread", "f(sqrt(q))"},
    {"slope_at_spread", "f'(sqrt(q))"},
    {"slope_at_zero", "f'(0)"},
    {"largest_slope", "the largest |f'(z)|"},
};

class MomentsCase final : public KindCase {
 public:
  explicit MomentsCase(const ObjectReader& config)
      : f_(read_part(config, kPartKeys).stack.activation),
        variances_(config.numbers("variances")) {}

  std::int64_t rows() const override { return static_cast<std::int64_t>(variances_.size()); }
  CaseResult shape() const override {
    CaseResult shape;
    shape.facts = {{"activation", std::string(f_.row->name)}};
    shape.traits = {std::string(f_.row->name)};
    for (std::size_t i = 0; i < f_.row->parameters.size(); ++i) {
      shape.traits.back() += fmt::format(" {} {:g}", f_.row->parameters[i].name, f_.parameters[i]);
    }
    for (const Measure& m : kMeasures) {
      if (m.name == "slope_at_zero" || m.name == "largest_slope") {
        shape.scalars.push_back({std::string(m.name), 0.0});
      } else {
        shape.columns.push_back({.name = std::string(m.name)});
        shape.columns.back().is_coordinate = m.name == "variance";
      }
    }
    return shape;
  }
  std::vector<std::string> default_columns() const override {
    return {"variance",     "mean",         "second_moment", "slope_second_moment",
            "forward_gain", "backward_gain"};
  }
  Cost cost() const override { return {0, 0, static_cast<double>(variances_.size()) * 9 * 8}; }

  CaseResult compute() const {
    CaseResult result = shape();
    for (double q : variances_) {
      const double spread = std::sqrt(q);
      const ActivationMoments m = activation_moments(f_, spread);
      const double row[] = {q,
                            m.mean,
                            m.second_moment,
                            m.second_moment / q,
                            m.slope_second_moment,
                            std::sqrt(q / m.second_moment),
                            1 / std::sqrt(m.slope_second_moment),
                            f_.value(spread),
                            f_.slope(spread)};
      for (std::size_t i = 0; i < std::size(row); ++i) result.columns[i].values.push_back(row[i]);
    }
    result.scalars[0].value = f_.slope(0);
    result.scalars[1].value = steepest_slope(f_);
    return result;
  }

 private:
  Activation f_;
  std::vector<double> variances_;
};

constexpr Kind kActivationMomentsKind = {
    .name = "activation_moments",
    .help = "an activation and its slope under Gaussian preactivations",
    .row_name = "row",
    .draws = false,
    .fields = [] { return part_fields(kPartKeys, kOwnFields); },
    .measures = rows_of<kMeasures>,
    .read = read_as<MomentsCase>,
    .check_unit = check_undrawn,
    .run = run_undrawn<MomentsCase>,
};

}  // namespace

const Kind& activation_moments_kind() { return kActivationMomentsKind; }

}  // namespace sigstab
