#pragma once
// The sizes of a checkpoint's weights, tensor by tensor or over its layers, as rows of one table.
//
// Blocks of a fixed size are read and measured by all members of a team and joined in their order,
// so that no bit depends on how many they are.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/team.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checkpoint/tensor_name.hpp"
#include "math/tally.hpp"
#include "net/init.hpp"

namespace sigstab {

// What a matrix takes and gives; a kernel takes its inputs at every point that it covers.
struct Fans {
  double in, out;
};

// One tensor, or those of the same name but for the layer's number, shape and format.
struct InspectedTensors {
  std::string name;
  const StoredFormat* format;
  std::vector<std::int64_t> shape;
  TensorRole role;
  std::optional<Fans> fans;  // of matrices and kernels
  std::vector<const Checkpoint::Tensor*> tensors;
  std::vector<Tally> tallies;  // one a tensor; none where the format is not real

  // Over the tensors; NaN without tallies.
  double smallest(double (Tally::*size)() const) const;
  double largest(double (Tally::*size)() const) const;
};

struct InspectOptions {
  std::vector<std::string> filters;  // patterns; none: all tensors
  Layout layout = Layout::out_in;
  bool group = false;
};

// The rows in the natural order of their names, their tensors not measured yet.
// Errors: filters that match nothing.
std::vector<InspectedTensors> list_tensors(const Checkpoint& checkpoint,
                                           const InspectOptions& options);

// Measures them; returns the bytes read. The checkpoint must still be there. Errors: a file has
// shrunk.
std::uint64_t measure_tensors(Team& team, std::vector<InspectedTensors>& rows);

// A column of the table over tensors, over groups of them, or both: a number (NaN: none), or text.
struct InspectColumn {
  enum class Of { tensors, groups, both };

  std::string_view name, help;
  double (*number)(const InspectedTensors& row, double config_spread);
  std::string (*text)(const InspectedTensors& row);  // null: a number
  Of of;
  bool whole = false;   // a count
  bool detail = false;  // of csv and json; a table for people goes without
};
std::span<const InspectColumn> inspect_column_table();

}  // namespace sigstab
