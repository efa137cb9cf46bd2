// Compounding: what one layer's gain becomes over many layers.
//
// The gain is given, or that of a layer of `width` inputs of mean square 1 with the given init and
// activation: gain^2 = width Var(W) E f(z)^2, backwards width Var(W) E f'(z)^2, z Gaussian. A gain
// that does not depend on the size (linear, relu, leaky_relu) compounds exactly like this.

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "kinds/kind.hpp"
#include "kinds/model_part.hpp"
#include "theory/mean_field.hpp"

namespace sigstab {
namespace {

const Names kLayerKeys = {"width", "init", "activation"};

constexpr Field kOwnFields[] = {
    {.name = "gain",
     .type = FieldType::number,
     .help = "what one layer multiplies sizes by, instead of a layer's own",
     .low = 0},
    {.name = "depth",
     .type = FieldType::integer,
     .fallback = "50",
     .help = "layers",
     .low = 1,
     .high = 100000},
};

constexpr Measure kMeasures[] = {
    {"size", "gain^layer: the signal's size after the layer, from 1"},
    {"gradient_size", "backward_gain^layer: the gradient's size that many layers below the top"},
    {"gain", "what a layer multiplies the size by"},
    {"mean_square_gain", "its square"},
    {"backward_gain", "what a layer multiplies the gradient's size by"},
    {"mean_square_backward_gain", "its square"},
};

class CompoundingCase final : public KindCase {
 public:
  explicit CompoundingCase(const ObjectReader& config) : depth_(config.integer("depth")) {
    if (config.has("gain")) {
      for (std::string_view key : kLayerKeys) {
        if (config.has(key)) config.refuse(key, "the gain is given as well", "keep one of the two");
      }
      square_ = config.number("gain") * config.number("gain");
      gain_ = config.number("gain");
      traits_ = {fmt::format("gain {:.4g}", gain_)};
      return;
    }
    const ModelConfig layer = read_part(config, kLayerKeys);
    const std::int64_t width = layer.stack.width;
    const double spread = layer.inits.front().spread(width, width);
    const double q = static_cast<double>(width) * spread * spread;
    const ActivationMoments moments = activation_moments(layer.stack.activation, std::sqrt(q));
    square_ = moments.second_moment;
    gain_ = std::sqrt(square_);
    has_backward_ = true;
    backward_square_ = q * moments.slope_second_moment;
    traits_ = {fmt::format("{} wide", width), std::string(layer.stack.activation.row->name),
               fmt::format("init {}, spread {:.4g}", layer.inits.front().row->name, spread)};
  }

  std::int64_t rows() const override { return depth_; }
  CaseResult shape() const override {
    CaseResult shape;
    shape.traits = traits_;
    shape.facts = {{"depth", depth_}};
    shape.scalars = {{"gain", gain_}, {"mean_square_gain", square_}};
    shape.columns = {{.name = "size"}};
    if (!has_backward_) return shape;
    shape.scalars.push_back({"backward_gain", std::sqrt(backward_square_)});
    shape.scalars.push_back({"mean_square_backward_gain", backward_square_});
    shape.columns.push_back({.name = "gradient_size"});
    return shape;
  }
  std::vector<std::string> default_columns() const override {
    return has_backward_ ? std::vector<std::string>{"size", "gradient_size"}
                         : std::vector<std::string>{"size"};
  }
  Cost cost() const override { return {0, 0, static_cast<double>(depth_) * 16}; }

  CaseResult compute() const {
    CaseResult result = shape();
    const double gains[] = {gain_, std::sqrt(backward_square_)};
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      for (std::int64_t layer = 1; layer <= depth_; ++layer) {
        result.columns[i].values.push_back(std::pow(gains[i], static_cast<double>(layer)));
      }
    }
    result.verdicts.push_back(fmt::format("x{:.4g} a layer: x{:.4g} over {} layers", gain_,
                                          result.columns[0].values.back(), depth_));
    return result;
  }

 private:
  std::int64_t depth_;
  double gain_ = 0, square_ = 0, backward_square_ = 0;
  bool has_backward_ = false;
  std::vector<std::string> traits_;
};

constexpr Kind kCompoundingKind = {
    .name = "compounding",
    .help = "one layer's gain, to the power of the depth",
    .row_name = "layer",
    .draws = false,
    .fields = [] { return part_fields(kLayerKeys, kOwnFields); },
    .measures = rows_of<kMeasures>,
    .read = read_as<CompoundingCase>,
    .check_unit = check_undrawn,
    .run = run_undrawn<CompoundingCase>,
};

}  // namespace

const Kind& compounding_kind() { return kCompoundingKind; }

}  // namespace sigstab
