#pragma once
// The way from results to one panel: a value of every seed at every place, then curves and bands.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/picture.hpp"

namespace sigstab {

// A case of the plan with its results, one a seed.
struct PictureSeries {
  const PlannedCase* planned;
  CaseResult shape;  // identified
  std::vector<const CaseResult*> seeds;
};

// What a panel shows: a column, or a scalar against a swept key.
struct PictureQuantity {
  Column column;  // its values are unset
  bool is_scalar = false;
  std::int64_t row = 0;  // of a sweep; 0: where the sizes arrive

  // Gradients arrive at the input, whatever else continues there arrives at the top.
  bool arrives_at_input() const {
    return !column.input_scalar.empty() && column.output_scalar.empty();
  }
};

// A place on a curve before it has a height.
struct PictureSample {
  double x;           // a position
  std::string where;  // "input", "12"
  const PictureSeries* series;
  std::int64_t row;
  std::vector<double> values;  // one a seed
};
struct SampledCurve {
  std::string label;
  std::vector<PictureSample> samples;
};

std::optional<double> number_of(const Scalar& scalar);
// At a row, 0 being the input; nothing where the result does not hold it.
std::optional<double> value_at(const CaseResult& one, const PictureQuantity& quantity,
                               std::int64_t row);
// Nothing where no seed has a value.
std::optional<PictureSample> sample_at(const PictureSeries& series, const PictureQuantity& quantity,
                                       std::int64_t row);
// The rows that the series' first result holds, the input as 0 if the quantity continues there.
std::vector<std::int64_t> sampled_rows(const PictureSeries& series,
                                       const PictureQuantity& quantity);

// The axis of values is logarithmic for sizes; what has no place on it is a gap, and `notes` says
// so: "He: forward_rms is 0 at layer 12 to 50". A curve's index is its style.
PicturePanel panel_of(const std::string& title, const PictureQuantity& quantity,
                      const PictureAxis& x, const std::vector<SampledCurve>& curves,
                      std::vector<std::string>& notes);

}  // namespace sigstab
