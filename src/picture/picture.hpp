#pragma once
// A picture before anything knows how to draw it: panels of curves and bands in the units of their
// axes, with every text that is to be seen.

#include <cstddef>
#include <string>
#include <vector>

#include "picture/picture_axis.hpp"

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

}  // namespace sigstab
