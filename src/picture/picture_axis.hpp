#pragma once
// Axes of pictures: where ticks stand and what is written at them.
//
// A position on a logarithmic axis is the decimal logarithm, so that sizes beyond the range of a
// double have a place.

#include <span>
#include <string>
#include <vector>

namespace sigstab {

struct PictureTick {
  double at;
  std::string text;
};

struct PictureAxis {
  std::string label;
  bool logarithmic = false;
  double low = 0, high = 1;  // positions, low < high
  std::vector<PictureTick> ticks;
};

// Around positions of which some may not be finite; more than a factor of 2 high where it is
// logarithmic, so that what holds looks level.
PictureAxis value_axis(bool logarithmic, std::span<const double> positions);
// Rows from `first`, which is 0 if the input is there: "input", 10, 20, ...
PictureAxis row_axis(const std::string& row_name, std::int64_t first, std::int64_t last);
// Numbers that were chosen, each a tick as far as there is room; logarithmic where that spaces
// them more evenly.
PictureAxis key_axis(const std::string& key, std::span<const double> values);
// Where a number stands on that axis.
double position(const PictureAxis& axis, double value);

}  // namespace sigstab
