#pragma once
// What can be measured at every layer: one row of one table each.
//
// A measure looks at one site and gives one number a layer (one a layer and matrix for weight
// gradients), in double whatever the type.

#include <span>
#include <string_view>

#include "net/probe.hpp"
#include "net/stack.hpp"

namespace sigstab {

struct MeasureRow {
  std::string_view name, help;
  Site site;
  double (*of_float)(const Seen<float>&);
  double (*of_double)(const Seen<double>&);
  bool is_size;  // positive, and multiplied from layer to layer
  // Whether it means anything for such a stack, and what it needs; null: always.
  bool (*applies)(const StackSpec&);
  std::string_view needs;
  // Of a measure of the stream: what its value at the input is called, and that scalar's help.
  std::string_view input_scalar = "", input_help = "";

  double of(const Seen<float>& seen) const { return of_float(seen); }
  double of(const Seen<double>& seen) const { return of_double(seen); }
  bool backward() const {
    return site == Site::stream_gradient || site == Site::branch_gradient ||
           site == Site::weight_gradient;
  }
  bool each_matrix() const { return site == Site::weight_gradient; }
};

std::span<const MeasureRow> measure_table();

// The measures that a stack always takes, for its verdicts: sizes of the stream and of its
// gradient.
inline constexpr const char* kForwardColumn = "forward_rms";
inline constexpr const char* kGradientColumn = "gradient_rms";

}  // namespace sigstab
