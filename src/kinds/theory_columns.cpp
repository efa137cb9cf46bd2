#include "kinds/theory_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "net/measure.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

constexpr TheoryColumn kTable[] = {
    {"forward_theory", "forward_rms in the limit of infinite width", ColumnRole::predicted, false,
     "input_theory", "output_theory"},
    {"gradient_theory", "gradient_rms in the limit of infinite width", ColumnRole::predicted, true,
     "input_gradient_theory", ""},
    {"forward_z", "deviations of ln forward_rms from its mean over draws of this width",
     ColumnRole::score, false, "input_z", ""},
    {"gradient_z", "deviations of ln gradient_rms from its mean over draws of this width",
     ColumnRole::score, true, "input_gradient_z", ""},
};

constexpr Measure kScalars[] = {
    {"input_theory", "input_rms as theory has it"},
    {"output_theory", "output_rms in the limit of infinite width"},
    {"input_gradient_theory", "input_gradient_rms in the limit of infinite width"},
    {"input_z", "as forward_z, at the input"},
    {"input_gradient_z", "as gradient_z, at the input"},
};

// NaN where there is no band, or none worth the name: a norm has fixed the size.
double score(const std::vector<Band>& bands, std::size_t layer, double measured) {
  constexpr double kFixed = 1e-4;
  if (layer >= bands.size() || !(bands[layer].deviation > kFixed)) return kNoPrediction;
  const double z = (std::log(measured) - bands[layer].mean) / bands[layer].deviation;
  return std::isfinite(z) ? z : kNoPrediction;
}

double number(const CaseResult& result, std::string_view scalar) {
  return std::get<double>(*result.scalar(scalar));
}

}  // namespace

std::span<const TheoryColumn> theory_column_table() { return kTable; }
std::span<const Measure> theory_scalars() { return kScalars; }

void add_theory_shape(std::span<const TheoryColumn* const> columns, CaseResult& shape) {
  for (const TheoryColumn* column : columns) {
    shape.columns.push_back({.name = std::string(column->name),
                             .input_scalar = std::string(column->input_scalar),
                             .output_scalar = std::string(column->output_scalar),
                             .role = column->role});
    for (std::string_view scalar : {column->input_scalar, column->output_scalar}) {
      if (!scalar.empty()) shape.scalars.push_back({std::string(scalar), 0.0});
    }
  }
}

void fill_theory(std::span<const TheoryColumn* const> columns, const Theory& theory,
                 CaseResult& result) {
  const MeanFieldPrediction& prediction = theory.prediction;
  for (const TheoryColumn* wanted : columns) {
    const auto column = std::ranges::find(result.columns, wanted->name, &Column::name);
    SIGSTAB_ASSERT(column != result.columns.end());
    const char* measured_name = wanted->gradient ? kGradientColumn : kForwardColumn;
    const std::vector<Band>& bands =
        wanted->gradient ? theory.bands.gradient : theory.bands.forward;
    const auto value_at = [&](std::size_t layer, double measured) {
      if (wanted->role == ColumnRole::score) return score(bands, layer, measured);
      if (layer >= prediction.layers.size()) return kNoPrediction;
      const LayerPrediction& here = prediction.layers[layer];
      return std::exp(wanted->gradient ? here.gradient : here.forward);
    };
    const Column& measured = *result.column(measured_name);
    column->values.clear();
    for (std::size_t row = 0; row < measured.values.size(); ++row) {
      column->values.push_back(value_at(row + 1, measured.values[row]));
    }
    result.set_scalar(wanted->input_scalar, value_at(0, number(result, measured.input_scalar)));
    if (!wanted->output_scalar.empty()) {
      result.set_scalar(wanted->output_scalar, std::exp(prediction.output));
    }
  }
  if (!prediction.refusal.empty()) result.verdicts.push_back("no theory: " + prediction.refusal);
  for (const std::string& note : prediction.notes) result.verdicts.push_back("theory: " + note);
}

}  // namespace sigstab
