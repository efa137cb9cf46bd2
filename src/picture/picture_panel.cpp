#include "picture/picture_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/named_table.hpp"
#include "result/statistic.hpp"

namespace sigstab {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// --- seeds --------------------------------------------------------------------------------------

struct Spread {
  double middle, low, high;
};

// Of the values that are finite; NaN without any.
Spread spread_of(std::vector<double> values, bool is_size) {
  if (values.size() == 1) return {values[0], kNothing, kNothing};
  const double first = values.front();
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return {first, kNothing, kNothing};
  const auto statistic = [&](const char* name) {
    return find_row(statistic_table(), name)->of(values);
  };
  return {statistic(is_size ? "geometric_mean" : "mean"), statistic("p5"), statistic("p95")};
}

// --- what is lost -------------------------------------------------------------------------------

std::string value_text(double value) {
  if (value == 0) return "0";
  return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

// Collects runs of samples that have no place on the axis.
class LostRuns {
 public:
  void add(const std::string& where, double value, bool lost) {
    const std::string state = lost ? value_text(value) : "";
    if (state.empty() || runs_.empty() || runs_.back().state != state)
      runs_.push_back({state, where, where});
    runs_.back().to = where;
  }
  // "inf at layer 20 to 50, nan at layer 51 to 60"; empty if nothing is lost.
  std::string text(const std::string& axis) const {
    std::string all;
    for (const Run& run : runs_) {
      if (run.state.empty()) continue;
      all += fmt::format("{}{} at {}{}", all.empty() ? "" : ", ", run.state,
                         run.from == "input" ? "the " : axis + " ", run.from);
      if (run.to != run.from) all += " to " + run.to;
    }
    return all;
  }

 private:
  struct Run {
    std::string state, from, to;
  };
  std::vector<Run> runs_;
};

// --- one panel ----------------------------------------------------------------------------------

bool has_negative(const std::vector<SampledCurve>& curves) {
  return std::ranges::any_of(curves, [](const SampledCurve& curve) {
    return std::ranges::any_of(curve.samples, [](const PictureSample& sample) {
      return std::ranges::any_of(sample.values, [](double v) { return v < 0; });
    });
  });
}

double place_of(double value, bool logarithmic) {
  if (!std::isfinite(value) || (logarithmic && value <= 0)) return kNothing;
  return logarithmic ? std::log10(value) : value;
}

void add_curve(const SampledCurve& sampled, std::size_t style, const PictureQuantity& q,
               bool logarithmic, PicturePanel& panel, std::vector<std::string>& notes) {
  PictureCurve curve{style, false, {}}, theory{style, true, {}};
  PictureBand seeds{style, false, {}}, draws{style, true, {}};
  LostRuns lost;
  for (const PictureSample& sample : sampled.samples) {
    const Spread spread = spread_of(sample.values, q.column.is_size && logarithmic);
    const double y = place_of(spread.middle, logarithmic);
    lost.add(sample.where, spread.middle, std::isnan(y));
    curve.points.push_back({sample.x, y});
    seeds.ranges.push_back(
        {sample.x, place_of(spread.low, logarithmic), place_of(spread.high, logarithmic)});
    const PicturePrediction& predicted = sample.predicted;
    const bool scale = logarithmic && !predicted.decades;
    theory.points.push_back({sample.x, place_of(predicted.middle, scale)});
    draws.ranges.push_back(
        {sample.x, place_of(predicted.low, scale), place_of(predicted.high, scale)});
  }
  const auto add_band = [&](PictureBand& band) {
    std::erase_if(band.ranges, [](const PictureRange& r) { return std::isnan(r.low + r.high); });
    if (!band.ranges.empty()) panel.bands.push_back(std::move(band));
  };
  add_band(draws);
  add_band(seeds);
  const auto is_there = [](const PicturePoint& p) { return !std::isnan(p.y); };
  if (std::ranges::any_of(theory.points, is_there)) panel.curves.push_back(std::move(theory));
  panel.curves.push_back(std::move(curve));
  if (const std::string text = lost.text(panel.x.label); !text.empty()) {
    notes.push_back(fmt::format("{}{}{} is {}", sampled.label, sampled.label.empty() ? "" : ": ",
                                panel.title, text));
  }
}

// --- the height of a panel ----------------------------------------------------------------------

struct Heights {
  std::vector<double> all;
  double low = HUGE_VAL, high = -HUGE_VAL;

  void add(double height) {
    if (!std::isfinite(height)) return;
    all.push_back(height);
    low = std::min(low, height);
    high = std::max(high, height);
  }
};

Heights heights_of(const PicturePanel& panel, bool theory) {
  Heights heights;
  for (const PictureCurve& curve : panel.curves) {
    if (curve.theory != theory) continue;
    for (const PicturePoint& point : curve.points) heights.add(point.y);
  }
  for (const PictureBand& band : panel.bands) {
    if (band.theory != theory) continue;
    for (const PictureRange& range : band.ranges) {
      heights.add(range.low);
      heights.add(range.high);
    }
  }
  return heights;
}

// All that was measured, and of theory what lies near: it goes on for thousands of decades where
// values have long been lost.
std::vector<double> seen_heights(const PicturePanel& panel, bool logarithmic) {
  constexpr double kLeastRoom = 3;  // decades
  Heights measured = heights_of(panel, false);
  const Heights theory = heights_of(panel, true);
  if (measured.all.empty()) return theory.all;
  const double room =
      logarithmic ? std::max(kLeastRoom, (measured.high - measured.low) / 2) : HUGE_VAL;
  const double low = measured.low - room, high = measured.high + room;
  for (double height : theory.all) measured.add(std::clamp(height, low, high));
  return measured.all;
}

// --- theory of several curves alike -------------------------------------------------------------

constexpr double kSame = 0.002;  // of the height of the axis: half a pixel

bool same_shape(const PictureCurve& a, const PictureCurve& b, double within) {
  return std::ranges::equal(a.points, b.points, [&](const PicturePoint& p, const PicturePoint& q) {
    return p.x == q.x && (std::fabs(p.y - q.y) <= within || (std::isnan(p.y) && std::isnan(q.y)));
  });
}

bool same_shape(const PictureBand& a, const PictureBand& b, double within) {
  return std::ranges::equal(a.ranges, b.ranges, [&](const PictureRange& p, const PictureRange& q) {
    return p.x == q.x && std::fabs(p.low - q.low) <= within && std::fabs(p.high - q.high) <= within;
  });
}

// The first of those that look the same stands for all.
template <class Shape>
void share_theory(std::vector<Shape>& shapes, double within) {
  std::vector<Shape> kept;
  for (Shape& shape : shapes) {
    const auto same = std::ranges::find_if(kept, [&](const Shape& other) {
      return shape.theory && other.theory && same_shape(shape, other, within);
    });
    if (same == kept.end())
      kept.push_back(std::move(shape));
    else
      same->style = kSharedStyle;
  }
  shapes = std::move(kept);
}

}  // namespace

PicturePanel panel_of(const std::string& title, const PictureQuantity& q, const PictureAxis& x,
                      const std::vector<SampledCurve>& curves, std::vector<std::string>& notes) {
  const bool logarithmic = q.column.is_size && !has_negative(curves);
  PicturePanel panel{title, x, {}, {}, {}};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (!curves[i].samples.empty()) add_curve(curves[i], i, q, logarithmic, panel, notes);
  }
  panel.y = value_axis(logarithmic, seen_heights(panel, logarithmic));
  const double within = kSame * (panel.y.high - panel.y.low);
  share_theory(panel.curves, within);
  share_theory(panel.bands, within);
  return panel;
}

}  // namespace sigstab
