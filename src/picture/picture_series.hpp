#pragma once
// From a result to numbers with names: the cases, the quantities that a picture shows of them, and
// the value of every seed at every place, with what theory says of it.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "result/result.hpp"
#include "run/plan.hpp"

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

// What theory says of one place; NaN where it says nothing. As decimal logarithms it may lie beyond
// the range of a double.
struct PicturePrediction {
  double middle = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();  // the band of 95% of draws
  double high = std::numeric_limits<double>::quiet_NaN();
  bool decades = false;  // these are decimal logarithms
};

// A place on a curve before it has a height.
struct PictureSample {
  double x;                    // a position
  std::string where;           // "input", "12"
  std::vector<double> values;  // one a seed
  PicturePrediction predicted;
};

// The result may come from a file: its cases are found by name and grid point, and those without a
// result are left out. Errors: a case that the plan does not have.
std::vector<PictureSeries> series_of(const Plan& plan, const Result& result);

// The key of a sweep with the most numbers, if they are enough for a curve; empty: none.
std::string swept_key(const Plan& plan);

// What the reports of all cases show, in their order.
std::vector<PictureQuantity> quantities_of(const Plan& plan, bool swept);

// Of a scalar that is a number.
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

}  // namespace sigstab
