// The aligned update: how a training step's effect grows with width, beside a random layer's.
//
// For each width d an input x ~ N(0, I) is drawn. An update of `step` per weight, signed with the
// input, adds step * sum |x_j| to every output, about step d sqrt(2/pi): all terms push the same
// way. A random layer's terms cancel, and its output stays as large as its init's gain says.
// `outputs` of the layer's outputs are drawn.
// Source: Yang et al. 2022, Tensor Programs V (muP).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "kinds/kind.hpp"
#include "kinds/model_part.hpp"
#include "math/moments.hpp"

namespace sigstab {
namespace {

const Names kPartKeys = {"init"};
constexpr double kLargestWidth = 1048576;

std::vector<Field> fields_of_kind() {
  const Field own[] = {
      {.name = "widths",
       .type = FieldType::numbers,
       .fallback = "[256, 1024, 4096]",
       .help = "widths of the layer, a row each",
       .low = 1,
       .high = kLargestWidth},
      {.name = "step",
       .type = FieldType::number,
       .fallback = "0.001",
       .help = "size of the update of one weight",
       .low = 0},
      {.name = "outputs",
       .type = FieldType::integer,
       .fallback = "64",
       .help = "outputs of the random layer; at most the width",
       .low = 1,
       .high = kLargestWidth},
      draw_field(),
  };
  return part_fields(kPartKeys, own);
}

constexpr Measure kMeasures[] = {
    {"width", "d"},
    {"effect", "step * sum |x_j|: what the aligned update adds to an output"},
    {"effect_theory", "its mean, step d sqrt(2/pi)"},
    {"random_rms", "RMS of the outputs of a random layer with the same input"},
    {"aligned_dot", "x . x: a query's product with a key equal to it; its mean is d"},
    {"effect_slope", "of log effect against log width: near 1"},
    {"random_slope", "of log random_rms against log width: near 0"},
    {"aligned_dot_slope", "of log aligned_dot against log width: near 1"},
    {"adam_rate_exponent", "power of width that keeps the effect: minus its slope"},
    {"output_variance_exponent", "the same for the square of output weights, aligned by training"},
    {"attention_exponent", "the same for attention scores of aligned queries and keys"},
};
constexpr std::size_t kColumns = 5;  // the others are scalars

// Least squares of log y on log x; NaN without two different x.
double log_log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / n;
    mean_y += std::log(y[i]) / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mean_x;
    xx += dx * dx;
    xy += dx * (std::log(y[i]) - mean_y);
  }
  const bool one_width = std::ranges::adjacent_find(x, std::ranges::not_equal_to()) == x.end();
  return one_width ? std::numeric_limits<double>::quiet_NaN() : xy / xx;
}

class UpdateCase final : public KindCase {
 public:
  explicit UpdateCase(const ObjectReader& config)
      : draw_(read_draw(config)),
        init_(read_part(config, kPartKeys).inits.front()),
        widths_(read_whole_numbers(config, "widths")),
        step_(config.number("step")),
        outputs_(config.integer("outputs")) {
    const std::int64_t narrowest = std::ranges::min(widths_);
    if (outputs_ > narrowest) {
      if (config.has("outputs")) {
        config.refuse("outputs", fmt::format("a layer of width {} has no {}", narrowest, outputs_),
                      "take at most the smallest width");
      }
      outputs_ = narrowest;
    }
  }

  std::int64_t rows() const override { return static_cast<std::int64_t>(widths_.size()); }
  CaseResult shape() const override {
    CaseResult shape;
    shape.facts = {{"step", step_},
                   {"outputs", outputs_},
                   {"init", std::string(init_.row->name)},
                   {"generator", std::string(draw_.generator->name)}};
    shape.traits = {fmt::format("step {:g}", step_), fmt::format("init {}", init_.row->name)};
    for (const Measure& m : kMeasures) {
      if (shape.columns.size() < kColumns) {
        shape.columns.push_back({.name = std::string(m.name)});
        shape.columns.back().is_coordinate = m.name == "width";
      } else {
        shape.scalars.push_back({std::string(m.name), 0.0});
      }
    }
    shape.columns[0].role = ColumnRole::count;
    shape.columns[2].role = ColumnRole::predicted;
    return shape;
  }
  std::vector<std::string> default_columns() const override {
    return {"width", "effect", "effect_theory", "random_rms"};
  }
  Cost cost() const override {
    Cost cost;
    const double outputs = static_cast<double>(outputs_);
    const bool whole = drawn_whole(init_);
    for (std::int64_t width : widths_) {
      const double d = static_cast<double>(width);
      cost.weights += outputs * d;
      cost.flops += 2 * outputs * d;
      cost.bytes = std::max(cost.bytes, 8 * ((whole ? 3 * d : outputs) * d + d));
    }
    return cost;
  }
  const Seed* seed() const override { return &draw_.seed; }
  const DrawSpec& draw() const { return draw_; }

  CaseResult compute(Stream& stream) const {
    CaseResult result = shape();
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const auto number = static_cast<std::uint32_t>(i + 1);
      const auto width = static_cast<std::size_t>(widths_[i]);
      std::vector<double> x(width);
      stream.normal({TensorId::kInput, number}, std::span<double>(x));
      double effect = 0, dot = 0;
      for (double v : x) {
        effect += step_ * std::fabs(v);
        dot += v * v;
      }
      const double d = static_cast<double>(width);
      const double row[] = {d, effect, step_ * d * std::sqrt(2 * std::numbers::inv_pi),
                            random_rms(number, x, stream), dot};
      for (std::size_t c = 0; c < kColumns; ++c) result.columns[c].values.push_back(row[c]);
    }
    const auto slope = [&](const char* column) {
      return log_log_slope(result.columns[0].values, result.column(column)->values);
    };
    const double effect = slope("effect"), dot = slope("aligned_dot");
    const double scalars[] = {effect, slope("random_rms"), dot, -effect, -2 * effect, -dot};
    for (std::size_t i = 0; i < std::size(scalars); ++i) result.scalars[i].value = scalars[i];
    return result;
  }

 private:
  // Of the layer's first outputs. The stream is left as drawing all of them would.
  double random_rms(std::uint32_t number, const std::vector<double>& x, Stream& stream) const {
    const auto width = static_cast<std::int64_t>(x.size());
    Matrix<double> w(outputs_, width);  // outputs x width
    RowDraw<double> draw(init_, Layout::out_in, 1, width, width, {TensorId::kWeights, number},
                         stream);
    draw.next(w.view());
    draw.skip(width - outputs_);
    std::vector<double> y;
    for (std::int64_t r = 0; r < outputs_; ++r) {
      const std::span<const double> row = w.view().row(r);
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j) sum += row[j] * x[j];
      y.push_back(sum);
    }
    return root_mean_square(std::span<const double>(y));
  }

  DrawSpec draw_;
  Init init_;
  std::vector<std::int64_t> widths_;
  double step_;
  std::int64_t outputs_;
};

constexpr Kind kAlignedUpdateKind = {
    .name = "aligned_update",
    .help = "a training step signed with its input, beside a random layer, by width",
    .row_name = "row",
    .draws = true,
    .fields = fields_of_kind,
    .measures = rows_of<kMeasures>,
    .read = read_as<UpdateCase>,
    .check_unit = check_drawn<UpdateCase>,
    .run = run_drawn<UpdateCase>,
};

}  // namespace

const Kind& aligned_update_kind() { return kAlignedUpdateKind; }

}  // namespace sigstab
