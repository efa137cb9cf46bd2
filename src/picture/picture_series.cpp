#include "picture/picture_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "base/error.hpp"
#include "net/measure.hpp"
#include "run/restore.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

std::optional<double> scalar_of(const CaseResult& one, const std::string& name) {
  const Scalar* value = name.empty() ? nullptr : one.scalar(name);
  return value == nullptr ? std::nullopt : number_of(*value);
}

// A column that theory gives is drawn beside the one that it is about.
bool is_theory_of_another(const Column& column, const CaseResult& shape) {
  constexpr std::string_view kEnd = "_theory";
  if (column.role != ColumnRole::measured) return true;
  const std::string& name = column.name;
  return name.ends_with(kEnd) && shape.column(name.substr(0, name.size() - kEnd.size())) != nullptr;
}

// What a case's report shows, in its order.
void add_quantities(const PlannedCase& planned, bool swept, std::vector<PictureQuantity>& all) {
  const CaseResult shape = planned.model->shape();
  const auto add = [&](const PictureQuantity& q) {
    const auto same = [&](const PictureQuantity& other) {
      return other.column.name == q.column.name;
    };
    if (std::ranges::none_of(all, same)) all.push_back(q);
  };
  if (const auto& pivot = planned.report.pivot; pivot && swept) {
    if (pivot->row == 0) return add({Column{.name = pivot->value}, true, 0});
    if (const Column* column = shape.column(pivot->value)) {
      add({*column, false, pivot->last ? 0 : pivot->row});
    }
    return;
  }
  for (const std::string& name : planned.report.columns) {
    const Column* column = shape.column(name);
    if (column == nullptr || column->is_coordinate || is_theory_of_another(*column, shape))
      continue;
    add({*column, false, 0});
  }
}

// --- theory -------------------------------------------------------------------------------------

PicturePrediction predicted_of_stack(const Theory& theory, bool gradient, std::size_t layer) {
  PicturePrediction predicted;
  predicted.decades = true;
  const auto decades = [](double log) { return log / std::numbers::ln10; };
  const auto& layers = theory.prediction.layers;
  if (layer < layers.size()) {
    predicted.middle = decades(gradient ? layers[layer].gradient : layers[layer].forward);
  }
  const auto& bands = gradient ? theory.bands.gradient : theory.bands.forward;
  if (layer < bands.size()) {
    predicted.low = decades(bands[layer].quantiles.front());
    predicted.high = decades(bands[layer].quantiles.back());
  }
  return predicted;
}

PicturePrediction predicted_at(const PictureSeries& series, const PictureQuantity& q,
                               std::int64_t row) {
  const bool gradient = q.column.name == kGradientColumn;
  const CaseTheory* theory = series.planned->model->theory();
  if (theory != nullptr && !q.is_scalar && (gradient || q.column.name == kForwardColumn)) {
    return predicted_of_stack(theory->of(true), gradient, static_cast<std::size_t>(row));
  }
  PicturePrediction predicted;
  if (q.is_scalar || row == 0) return predicted;
  PictureQuantity by_theory = q;
  by_theory.column.name += "_theory";
  if (const auto value = value_at(*series.seeds.front(), by_theory, row)) predicted.middle = *value;
  return predicted;
}

}  // namespace

std::vector<PictureSeries> series_of(const Plan& plan, const Result& result) {
  std::vector<PictureSeries> all;
  for (const PlannedCase& planned : plan.cases) {
    all.push_back({&planned, planned.model->shape(), {}});
    identify(all.back().shape, planned, "");
  }
  const CaseIndex index(plan);
  for (const CaseResult& one : result.cases) {
    const std::optional<std::size_t> found = index.find(one);
    if (!found) {
      throw Error(result.experiment,
                  fmt::format("a result is of the case \"{}\", which its config does not have",
                              one.label()),
                  "run the config again");
    }
    all[*found].seeds.push_back(&one);
  }
  std::erase_if(all, [](const PictureSeries& s) { return s.seeds.empty(); });
  return all;
}

// The key of a sweep with the most numbers, if they are enough for a curve; empty: none.
std::string swept_key(const Plan& plan) {
  constexpr std::size_t kEnough = 3;
  std::string best;
  std::size_t most = kEnough - 1;
  for (std::size_t k = 0; k < plan.cases.front().point.size(); ++k) {
    std::set<double> values;
    bool numbers = true;
    for (const PlannedCase& planned : plan.cases) {
      const auto value = number_of(planned.point[k].value);
      numbers = numbers && value.has_value();
      if (value) values.insert(*value);
    }
    if (!numbers || values.size() <= most) continue;
    most = values.size();
    best = plan.cases.front().point[k].name;
  }
  return best;
}

std::vector<PictureQuantity> quantities_of(const Plan& plan, bool swept) {
  std::vector<PictureQuantity> all;
  for (const PlannedCase& planned : plan.cases) add_quantities(planned, swept, all);
  return all;
}

std::optional<double> number_of(const Scalar& scalar) {
  if (const auto* real = std::get_if<double>(&scalar)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&scalar)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::optional<double> value_at(const CaseResult& one, const PictureQuantity& q, std::int64_t row) {
  if (q.is_scalar) return scalar_of(one, q.column.name);
  if (row == 0) return scalar_of(one, q.column.input_scalar);
  const Column* column = one.column(q.column.name);
  if (column == nullptr) return std::nullopt;
  auto index = static_cast<std::size_t>(row - 1);
  if (!one.row_numbers.empty()) {  // ascending, some may be missing
    const auto at = std::ranges::lower_bound(one.row_numbers, row);
    if (at == one.row_numbers.end() || *at != row) return std::nullopt;
    index = static_cast<std::size_t>(at - one.row_numbers.begin());
  }
  if (index >= column->values.size()) return std::nullopt;
  return column->values[index];
}

std::vector<std::int64_t> sampled_rows(const PictureSeries& series, const PictureQuantity& q) {
  const CaseResult& one = *series.seeds.front();
  std::vector<std::int64_t> rows;
  if (scalar_of(one, q.column.input_scalar)) rows.push_back(0);
  if (!one.row_numbers.empty()) {
    rows.insert(rows.end(), one.row_numbers.begin(), one.row_numbers.end());
    return rows;
  }
  for (std::int64_t row = 1; row <= one.rows(); ++row) rows.push_back(row);
  return rows;
}

std::optional<PictureSample> sample_at(const PictureSeries& series, const PictureQuantity& q,
                                       std::int64_t row) {
  PictureSample sample{
      static_cast<double>(row), row == 0 ? "input" : fmt::format("{}", row), {}, {}};
  for (const CaseResult* one : series.seeds) {
    if (const auto value = value_at(*one, q, row)) sample.values.push_back(*value);
  }
  if (sample.values.empty()) return std::nullopt;
  sample.predicted = predicted_at(series, q, row);
  return sample;
}

}  // namespace sigstab
