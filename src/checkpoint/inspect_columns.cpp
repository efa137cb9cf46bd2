// The columns of `inspect`, each described once.

#include <cmath>
#include <limits>

#include "checkpoint/inspect.hpp"

namespace sigstab {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Row = InspectedTensors;
using Of = InspectColumn::Of;

template <double (Tally::*size)() const>
double least(const Row& row, double) {
  return row.smallest(size);
}
template <double (Tally::*size)() const>
double most(const Row& row, double) {
  return row.largest(size);
}
double fan_in(const Row& row, double) { return row.fans ? row.fans->in : kNone; }
template <double (Row::*end)(double (Tally::*)() const) const>
double spread_gain(const Row& row, double) {
  return (row.*end)(&Tally::spread) * std::sqrt(fan_in(row, 0));
}
double xavier(const Row& row, double) {
  return row.fans ? std::sqrt(2 * row.fans->in / (row.fans->in + row.fans->out)) : kNone;
}
double he(const Row& row, double) { return row.fans ? std::sqrt(2.0) : kNone; }
double config_gain(const Row& row, double spread) { return spread * std::sqrt(fan_in(row, 0)); }
double count(const Row& row, double) { return static_cast<double>(row.tensors.size()); }
double not_finite(const Row& row, double) {
  double sum = 0;
  for (const Tally& tally : row.tallies) sum += static_cast<double>(tally.not_finite);
  return row.format->is_real() ? sum : kNone;
}

constexpr InspectColumn number_column(std::string_view name, std::string_view help,
                                      double (*number)(const Row&, double), Of of = Of::both) {
  return {name, help, number, nullptr, of};
}
constexpr InspectColumn text_column(std::string_view name, std::string_view help,
                                    std::string (*text)(const Row&), bool detail = false) {
  return {name, help, nullptr, text, Of::both, false, detail};
}

constexpr InspectColumn kColumns[] = {
    text_column("name", "the tensor's; of a group with {layer} for the layer's number",
                [](const Row& row) { return row.name; }),
    text_column(
        "role", "matrix, kernel, embedding, norm gain, bias or other, by name and shape",
        [](const Row& row) { return std::string(role_name(row.role)); }, true),
    text_column("shape", "as stored", [](const Row& row) { return shape_text(row.shape); }),
    text_column("dtype", "as stored", [](const Row& row) { return std::string(row.format->name); }),
    {"tensors", "how many the group has", count, nullptr, Of::groups, true},
    number_column("spread", "standard deviation", least<&Tally::spread>, Of::tensors),
    number_column("mean", "of a norm: its mean gain", least<&Tally::average>, Of::tensors),
    number_column("rms", "root mean square", least<&Tally::root_mean_square>, Of::tensors),
    number_column("spread_min", "the smallest standard deviation", least<&Tally::spread>,
                  Of::groups),
    number_column("spread_max", "the largest", most<&Tally::spread>, Of::groups),
    number_column("mean_min", "the smallest mean", least<&Tally::average>, Of::groups),
    number_column("mean_max", "the largest", most<&Tally::average>, Of::groups),
    number_column("largest", "the largest |x|", most<&Tally::largest_magnitude>),
    {"not_finite", "how many are nan or infinite; they are left out of all else", not_finite,
     nullptr, Of::both, true, true},
    {"fan_in", "what a matrix or kernel sums over", fan_in, nullptr, Of::both, true, true},
    number_column("gain", "spread x sqrt(fan_in): what it does to sizes",
                  spread_gain<&Row::smallest>, Of::tensors),
    number_column("gain_min", "the smallest spread x sqrt(fan_in)", spread_gain<&Row::smallest>,
                  Of::groups),
    number_column("gain_max", "the largest", spread_gain<&Row::largest>, Of::groups),
    number_column("xavier", "Xavier's, sqrt(2 fan_in / (fan_in + fan_out))", xavier),
    number_column("he", "He's, sqrt(2)", he),
    number_column("config", "of the config's spread", config_gain),
};

}  // namespace

std::span<const InspectColumn> inspect_column_table() { return kColumns; }

}  // namespace sigstab
