#pragma once
// Initial weights: what distribution a matrix is drawn from, and its spread given the fans.
//
// Fans belong to the layer: a matrix maps fan_in numbers to fan_out, however it is stored. A draw
// is one call of the generator for the whole matrix, then one multiplication by the spread.

#include <cstdint>
#include <span>
#include <string_view>

#include "math/matrix.hpp"
#include "net/activation.hpp"
#include "random/stream.hpp"

namespace sigstab {

enum class Distribution { normal, uniform, truncated_normal, orthogonal };
std::string_view distribution_name(Distribution distribution);

// Which fan a variance is divided by; `fixed` for inits that name their own spread or limit.
enum class FanMode { fixed, fan_in, fan_out, fan_avg };
enum class Layout { out_in, in_out };  // stored fan_out x fan_in, or fan_in x fan_out

struct FanModeRow {
  std::string_view name;
  FanMode mode;
};
std::span<const FanModeRow> fan_mode_table();

struct InitRow {
  std::string_view name, help, source;
  Distribution distribution;
  FanMode mode;  // the default, which the config may change unless it is `fixed`
  double scale;  // variance = scale / fan; for `fixed` unused
  std::span<const Parameter> parameters;
};
std::span<const InitRow> init_table();

struct Init {
  const InitRow* row = nullptr;
  ParameterValues parameters{};
  double gain = 1;
  FanMode mode = FanMode::fixed;

  // Standard deviation of one weight (for orthogonal: that of an average entry).
  double spread(std::int64_t fan_in, std::int64_t fan_out) const;
  // A uniform init draws from [-limit, limit).
  double limit(std::int64_t fan_in, std::int64_t fan_out) const;
};

// Fills W with one draw of the init, times `scale` (what a residual scheme asks for).
// Shapes: fan_out x fan_in, or fan_in x fan_out with Layout::in_out.
void draw_weights(const Init& init, Layout layout, double scale, TensorId id, Stream& stream,
                  View<float> w);
void draw_weights(const Init& init, Layout layout, double scale, TensorId id, Stream& stream,
                  View<double> w);

}  // namespace sigstab
