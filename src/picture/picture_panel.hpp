#pragma once
// From samples to one panel: the axis of values, curves and bands.

#include <string>
#include <vector>

#include "picture/picture.hpp"
#include "picture/picture_series.hpp"

namespace sigstab {

struct SampledCurve {
  std::string label;
  std::vector<PictureSample> samples;
};

// The axis of values is logarithmic for sizes; what has no place on it is a gap, and `notes` says
// so: "He: forward_rms is 0 at layer 12 to 50". A curve's index is its style.
PicturePanel panel_of(const std::string& title, const PictureQuantity& quantity,
                      const PictureAxis& x, const std::vector<SampledCurve>& curves,
                      std::vector<std::string>& notes);

}  // namespace sigstab
