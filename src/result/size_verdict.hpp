#pragma once
// What a stack does to a size, in words: holds, grows, shrinks, explodes, vanishes, overflows, is
// nan.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/rounding.hpp"

namespace sigstab {

enum class Direction { forward, backward };

// By what factor a size may change, either way, and still be said to hold.
struct HoldingFactors {
  double verdict = 3;  // of a run's verdict lines
  double advice = 2;   // what advice aims at: with room for what one draw does
};
inline constexpr HoldingFactors kHoldingFactors;

// What a change of ln size over a whole stack is called: it holds within a factor of `holding`, and
// explodes or vanishes beyond a factor of 10.
std::string_view change_verb(double log_factor, double holding);
// "x1.13e+15", or "x10^600" beyond a double's range.
std::string factor_text(double log_factor, std::string_view spec = ":.3g");

// `sizes` by layer, the first at the input; a backward signal travels from the last to the input.
//   forward holds: x0.585 over layers 1 to 50
//   forward vanishes by x0.7094 a layer: x5.19e-08 over layers 1 to 50
//   forward grows like layer^0.50: x6.95 over layers 1 to 48; layer 1 itself x5.54
//   gradient explodes by x22.7 a layer: ...; overflows first at layer 28
// A size holds within a factor of 3. Beyond it, growth is a factor a layer (explodes, vanishes) or
// a power of the layer (grows, shrinks), whichever the last half of the layers fits better beside
// the quarter before. The step between the input and layer 1 is told apart where it differs from
// the others.
std::string tell_sizes(std::string_view what, std::span<const double> sizes, Direction direction);

// Where a size that is not lost leaves the normal numbers of its format, the first layer on its
// way:
//   gradient is below float16's normal numbers (6.1e-05) from layer 12
std::optional<std::string> tell_limit(std::string_view what, std::span<const double> sizes,
                                      const NumberFormat& format, Direction direction);

// Both, a line each.
std::vector<std::string> tell_lines(std::string_view what, std::span<const double> sizes,
                                    const NumberFormat& format, Direction direction);

}  // namespace sigstab
