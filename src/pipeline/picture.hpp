#pragma once
// A result as pictures, before anything knows how to draw them: panels of curves and bands in the
// units of their axes, with every text that is to be seen.
//
// Stacks of layers: forward and gradient sizes by layer, the theory line dashed, 95% of draws as a
// band. A sweep of one number: what arrives at the end against that number. Other kinds: the
// columns that their report shows, by row. Several seeds: their mean, geometric on logarithmic
// axes, from the 5th to the 95th percentile.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "pipeline/picture_axis.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/result.hpp"

namespace sigstab {

// In units of the axes. A NaN is a gap.
struct PicturePoint {
  double x, y;
};
struct PictureRange {
  double x, low, high;
};

// `style` is an index into Picture::legend: the same in all panels. What theory says of several
// curves alike is drawn once, in a style of its own.
inline constexpr std::size_t kSharedStyle = static_cast<std::size_t>(-1);
struct PictureCurve {
  std::size_t style;
  bool theory;
  std::vector<PicturePoint> points;
};
struct PictureBand {
  std::size_t style;
  bool theory;
  std::vector<PictureRange> ranges;
};

struct PicturePanel {
  std::string title;
  PictureAxis x, y;
  std::vector<PictureCurve> curves;
  std::vector<PictureBand> bands;
};

struct Picture {
  std::string title, subtitle;
  std::vector<PicturePanel> panels;  // never empty
  std::vector<std::string> legend;   // empty: there is one curve, and nothing to tell apart
  std::string drawn;                 // what a curve is: "one draw, seed 0"; empty: just a value
  std::vector<std::string> notes;    // where values were lost, why there is no theory
};

// Several pictures where there are too many curves for one. The result may come from a file: its
// cases are found by name and grid point, and all else that a file does not hold is the plan's.
// Errors: a case that the plan does not have; nothing that a curve could go through, or too much.
std::vector<Picture> pictures_of(const Plan& plan, const Result& result);

// Whether `pictures_of` will find something to draw in a complete result, asked before it is
// computed. Errors: as pictures_of.
void check_pictures(const Plan& plan);

// The one of these errors that says that there is more to draw than anyone could look at.
std::optional<Error> too_many_pictures(const Plan& plan);

}  // namespace sigstab
