#include "picture/pictures_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "picture/picture_panel.hpp"
#include "picture/picture_series.hpp"
#include "report/headings.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

using Series = PictureSeries;
using Quantity = PictureQuantity;

std::vector<const Series*> group_of(const std::vector<Series>& all) {
  std::vector<const Series*> group;
  for (const Series& one : all) group.push_back(&one);
  return group;
}

// --- captions -----------------------------------------------------------------------------------

// Where the axis is logarithmic the mean is that of logarithms.
std::string mean_text(std::size_t seeds, const std::vector<PicturePanel>& panels) {
  const auto count =
      std::ranges::count_if(panels, [](const PicturePanel& panel) { return panel.y.logarithmic; });
  if (count == std::ssize(panels)) return fmt::format("geometric mean of {} seeds", seeds);
  return fmt::format("mean of {} seeds{}", seeds,
                     count == 0 ? "" : ", geometric on logarithmic axes");
}

std::string drawn_text(const std::vector<const Series*>& shown,
                       const std::vector<PicturePanel>& panels) {
  std::size_t most = 1;
  std::set<std::string> seeds;
  for (const Series* one : shown) {
    most = std::max(most, one->seeds.size());
    seeds.insert(one->seeds.front()->seed);
  }
  if (most > 1) return mean_text(most, panels);
  if (seeds.size() > 1) return "one draw";
  return seeds.begin()->empty() ? "" : "one draw, seed " + *seeds.begin();
}

// What is said of all panels, once they are there.
void add_notes(const Result& result, const std::vector<const Series*>& shown, Picture& picture) {
  picture.drawn = drawn_text(shown, picture.panels);
  std::set<std::string> refusals;
  for (const Series* one : shown) {
    const CaseTheory* theory = one->planned->model->theory();
    if (theory == nullptr) continue;
    const std::string& why = theory->of(true).prediction.refusal;
    if (!why.empty() && refusals.insert(why).second) picture.notes.push_back("no theory: " + why);
  }
  if (!result.complete) picture.notes.emplace_back("interrupted: a part of the results");
}

Picture frame_of(const Plan& plan, const std::vector<const Series*>& shown) {
  std::vector<CaseResult> shapes;
  for (const Series* one : shown) shapes.push_back(one->shape);
  return {headline(plan.experiment, plan.title), Headings(shapes).top(), {}, {}, "", {}};
}

// Curves without a name need no legend.
void set_legend(const std::vector<std::string>& labels, Picture& picture) {
  const auto named = [](const std::string& label) { return !label.empty(); };
  if (std::ranges::any_of(labels, named)) picture.legend = labels;
}

// --- by row -------------------------------------------------------------------------------------

const Column* coordinate_of(const CaseResult& one, const CaseResult& shape) {
  for (const Column& column : shape.columns) {
    if (column.is_coordinate) return one.column(column.name);
  }
  return nullptr;
}

PictureAxis x_axis_of(const std::vector<const Series*>& shown, const Quantity& q,
                      const std::string& row_name) {
  std::int64_t first = 1, last = 1;
  std::vector<double> places;
  std::string along_name;
  for (const Series* one : shown) {
    if (const Column* along = coordinate_of(*one->seeds.front(), one->shape)) {
      along_name = along->name;
      places.insert(places.end(), along->values.begin(), along->values.end());
    }
    const std::vector<std::int64_t> rows = sampled_rows(*one, q);
    if (rows.empty()) continue;
    first = std::min(first, rows.front());
    last = std::max(last, rows.back());
  }
  return places.empty() ? row_axis(row_name, first, last) : key_axis(along_name, places);
}

SampledCurve curve_by_row(const Series& series, const Quantity& q, const PictureAxis& axis) {
  SampledCurve curve{series.shape.label(), {}};
  const Column* along = coordinate_of(*series.seeds.front(), series.shape);
  for (std::int64_t row : sampled_rows(series, q)) {
    std::optional<PictureSample> sample = sample_at(series, q, row);
    if (!sample) continue;
    if (along != nullptr) {
      const auto at = value_at(*series.seeds.front(), {*along}, row);
      if (!at || !std::isfinite(*at)) continue;
      sample->x = position(axis, *at);
      sample->where = fmt::format("{:.4g}", *at);
    }
    curve.samples.push_back(std::move(*sample));
  }
  return curve;
}

Picture picture_by_row(const Plan& plan, const Result& result,
                       const std::vector<const Series*>& shown) {
  Picture picture = frame_of(plan, shown);
  std::vector<std::string> labels;
  for (const Series* one : shown) labels.push_back(one->shape.label());
  set_legend(labels, picture);
  for (const Quantity& q : quantities_of(plan, false)) {
    const PictureAxis axis = x_axis_of(shown, q, result.row_name);
    std::vector<SampledCurve> curves;
    for (const Series* one : shown) curves.push_back(curve_by_row(*one, q, axis));
    PicturePanel panel = panel_of(q.column.name, q, axis, curves, picture.notes);
    if (!panel.curves.empty()) picture.panels.push_back(std::move(panel));
  }
  add_notes(result, shown, picture);
  return picture;
}

// --- over a swept key ---------------------------------------------------------------------------

// Cases that differ in the key alone.
struct KeyCurve {
  std::string label;
  std::vector<std::pair<double, const Series*>> cases;  // ascending
};

std::vector<KeyCurve> curves_over(const std::string& key, const std::vector<Series>& all) {
  std::vector<KeyCurve> curves;
  for (const Series& one : all) {
    CaseResult without = one.shape;
    const auto at = std::ranges::find(without.point, key, &NamedScalar::name);
    const double value = *number_of(at->value);
    without.point.erase(at);
    auto curve = std::ranges::find(curves, without.label(), &KeyCurve::label);
    if (curve == curves.end()) {
      curves.push_back({without.label(), {}});
      curve = curves.end() - 1;
    }
    curve->cases.emplace_back(value, &one);
  }
  for (KeyCurve& curve : curves)
    std::ranges::sort(curve.cases, {}, &std::pair<double, const Series*>::first);
  return curves;
}

std::int64_t row_of(const Series& series, const Quantity& q) {
  if (q.row > 0) return q.row;
  if (q.arrives_at_input()) return 0;
  return series.planned->model->rows();
}

std::string title_over_key(const Quantity& q, const std::string& row_name) {
  if (q.is_scalar) return q.column.name;
  if (q.row > 0) return fmt::format("{} at {} {}", q.column.name, row_name, q.row);
  if (q.arrives_at_input()) return q.column.name + " at the input";
  return fmt::format("{} at the last {}", q.column.name, row_name);
}

Picture picture_over_key(const Plan& plan, const Result& result, const std::string& key,
                         std::span<const KeyCurve> curves) {
  std::vector<const Series*> shown;
  std::vector<std::string> labels;
  std::vector<double> values;
  for (const KeyCurve& curve : curves) {
    labels.push_back(curve.label);
    for (const auto& [value, series] : curve.cases) {
      values.push_back(value);
      shown.push_back(series);
    }
  }
  Picture picture = frame_of(plan, shown);
  set_legend(labels, picture);
  const PictureAxis axis = key_axis(key, values);
  for (const Quantity& q : quantities_of(plan, true)) {
    std::vector<SampledCurve> sampled;
    for (const KeyCurve& curve : curves) {
      sampled.push_back({curve.label, {}});
      for (const auto& [value, series] : curve.cases) {
        std::optional<PictureSample> sample = sample_at(*series, q, row_of(*series, q));
        if (!sample) continue;
        sample->x = position(axis, value);
        sample->where = fmt::format("{:.4g}", value);
        sampled.back().samples.push_back(std::move(*sample));
      }
    }
    PicturePanel panel =
        panel_of(title_over_key(q, result.row_name), q, axis, sampled, picture.notes);
    if (!panel.curves.empty()) picture.panels.push_back(std::move(panel));
  }
  add_notes(result, shown, picture);
  return picture;
}

// A file may hold only some of what its report shows.
std::vector<Picture> drawable(const Result& result, std::vector<Picture> pictures) {
  std::erase_if(pictures, [](const Picture& picture) { return picture.panels.empty(); });
  if (!pictures.empty()) return pictures;
  throw Error(result.experiment, "it holds none of the columns that its report shows",
              "run it with --plot, or with -o to a json file");
}

constexpr std::size_t kMostCurves = 14;    // of one picture
constexpr std::size_t kMostPictures = 24;  // of one sheet: a canvas has a greatest height

std::size_t count_curves(const Plan& plan, const std::string& key) {
  if (key.empty()) return plan.cases.size();
  std::set<std::string> labels;
  for (const PlannedCase& planned : plan.cases) {
    CaseResult without;
    identify(without, planned, "");
    std::erase_if(without.point, [&](const NamedScalar& at) { return at.name == key; });
    labels.insert(without.label());
  }
  return labels.size();
}

}  // namespace

std::optional<Error> too_many_pictures(const Plan& plan) {
  const std::size_t curves = count_curves(plan, swept_key(plan));
  if (curves <= kMostCurves * kMostPictures) return std::nullopt;
  return Error(plan.experiment,
               fmt::format("it has {} curves, and pictures show at most {}", curves,
                           kMostCurves * kMostPictures),
               "narrow the sweep, or plot fewer cases");
}

void check_pictures(const Plan& plan) {
  if (const std::optional<Error> error = too_many_pictures(plan)) throw *error;
  const std::string key = swept_key(plan);
  const std::vector<Quantity> quantities = quantities_of(plan, !key.empty());
  if (quantities.empty()) {
    throw Error(plan.experiment, "its report shows no column that was measured: nothing to draw",
                "name some in report.columns");
  }
  const bool long_enough = std::ranges::any_of(plan.cases, [](const PlannedCase& planned) {
    const CaseResult shape = planned.model->shape();
    const bool input = std::ranges::any_of(
        shape.columns, [](const Column& column) { return !column.input_scalar.empty(); });
    return planned.model->rows() + (input ? 1 : 0) > 1;
  });
  if (!key.empty() || long_enough) return;
  throw Error(plan.experiment,
              fmt::format("its cases have one {} each: nothing to draw a curve through",
                          plan.kind->row_name),
              "sweep a number, which is then the horizontal axis");
}

std::vector<Picture> pictures_of(const Plan& plan, const Result& result) {
  check_pictures(plan);
  const std::vector<Series> all = series_of(plan, result);
  std::vector<Picture> pictures;
  if (const std::string key = swept_key(plan); !key.empty()) {
    const std::vector<KeyCurve> curves = curves_over(key, all);
    for (std::size_t from = 0; from < curves.size(); from += kMostCurves) {
      const std::size_t count = std::min(kMostCurves, curves.size() - from);
      pictures.push_back(
          picture_over_key(plan, result, key, std::span(curves).subspan(from, count)));
    }
    return drawable(result, std::move(pictures));
  }
  const std::vector<const Series*> group = group_of(all);
  for (auto from = group.begin(); from != group.end();) {
    const auto to = from + std::min<std::ptrdiff_t>(kMostCurves, group.end() - from);
    pictures.push_back(picture_by_row(plan, result, {from, to}));
    from = to;
  }
  return drawable(result, std::move(pictures));
}

}  // namespace sigstab
