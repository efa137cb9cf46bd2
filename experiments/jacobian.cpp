// The input-output Jacobian of a stack: its singular values after every block.
//
// J_l = d x_l / d x_0 at one drawn input. The input enters as `width` equal tokens, and the
// identity goes back through each block: row i of what arrives is the gradient of output i, so that
// the block's own Jacobian comes out exactly, whatever the block is; J_l is their product. Where
// all singular values are near 1 (dynamical isometry) every direction of a gradient survives, and
// not only its mean square. Source: Saxe et al. 2013, arXiv 1312.6120; Pennington et al. 2017,
// arXiv 1711.04735.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/error.hpp"
#include "kinds/kind.hpp"
#include "kinds/model_part.hpp"
#include "kinds/spectrum.hpp"
#include "math/graded_product.hpp"
#include "model/draw_model.hpp"
#include "model/model_traits.hpp"
#include "net/dense_stack.hpp"
#include "theory/gains.hpp"

namespace sigstab {
namespace {

constexpr std::int64_t kWidest = 1024;
const Names kPartKeys = {"width", "depth", "layer",    "activation", "init",
                         "bias",  "norm",  "residual", "input"};

constexpr Measure kMeasures[] = {
    {"largest", "the largest singular value of the Jacobian of the first blocks"},
    {"median", "the middle one"},
    {"smallest", "the smallest; 0 where a direction is lost"},
    {"rms", "root of their mean square: what a random gradient is multiplied by"},
    {"rms_theory", "the same at infinite width; for dense layers without norm and residual"},
    {"mean_log", "mean of their logarithms: ln |det J| / width"},
    {"mean_log_theory", "its expectation; for linear layers, normal or orthogonal"},
    {"condition", "largest / smallest"},
    {"effective_rank", "exp of the entropy of the normalised singular values"},
    {"rank", "how many are not 0"},
};
enum MeasureIndex {
  kLargest,
  kMedian,
  kSmallest,
  kRms,
  kRmsTheory,
  kMeanLog,
  kMeanLogTheory,
  kCondition,
  kEffectiveRank,
  kRank
};

// The model as it is drawn: one token, input and weights in this order, nothing at the top but what
// makes the weights available a second time.
ModelConfig drawn_model(const ObjectReader& config, const DrawSpec& draw) {
  ModelConfig model = read_part(config, kPartKeys);
  model.random.generator = draw.generator;
  return model;
}

class JacobianCase final : public KindCase {
 public:
  explicit JacobianCase(const ObjectReader& config)
      : draw_(read_draw(config)), model_(drawn_model(config, draw_)) {
    if (model_.stack.width > kWidest) {
      config.refuse(
          "width",
          fmt::format("a Jacobian is at most {} wide here, got {}", kWidest, model_.stack.width),
          "the depth experiment has no such bound");
    }
    if (model_.stack.final_norm) {
      config.object("norm").refuse("final", "the Jacobian is that of the blocks", "remove it");
    }
  }

  std::int64_t rows() const override { return model_.stack.depth; }
  CaseResult shape() const override;
  std::string why_no_column(const std::string& name) const override;
  std::vector<std::string> default_columns() const override {
    std::vector<std::string> columns = {"largest", "smallest", "rms"};
    if (has_rms_theory()) columns.push_back("rms_theory");
    columns.push_back("mean_log");
    if (mean_log_theory_a_layer()) columns.push_back("mean_log_theory");
    columns.push_back("effective_rank");
    return columns;
  }
  Cost cost() const override;
  double steps() const override { return static_cast<double>(rows()); }
  const Seed* seed() const override { return &draw_.seed; }
  const DrawSpec& draw() const { return draw_; }
  const ModelConfig& model() const { return model_; }

  CaseResult compute(DrawSource& source, const Resources& resources) const;

 private:
  bool has_column(std::size_t measure) const {
    if (measure == kRmsTheory) return has_rms_theory();
    return measure != kMeanLogTheory || mean_log_theory_a_layer().has_value();
  }
  bool is_plain() const {
    const StackSpec& s = model_.stack;
    return s.layer == LayerKind::dense && !s.norm.present() && !s.residual.present();
  }
  bool has_rms_theory() const {
    return is_plain() && !model_.bias.present() && !draws_nothing(model_.inits.front()) &&
           model_.inits.front().spread(model_.stack.width, model_.stack.width) > 0;
  }
  std::optional<double> mean_log_theory_a_layer() const;
  void add_theory(const Matrix<double>& input, CaseResult& result) const;

  DrawSpec draw_;
  ModelConfig model_;
};

CaseResult JacobianCase::shape() const {
  const StackSpec& s = model_.stack;
  CaseResult shape;
  shape.traits = model_traits(model_);
  shape.facts = {{"width", s.width},
                 {"depth", s.depth},
                 {"activation", std::string(s.activation.row->name)},
                 {"init", std::string(model_.inits.front().row->name)},
                 {"norm", std::string(s.norm.row->name)},
                 {"residual", std::string(s.residual.row->name)},
                 {"generator", std::string(draw_.generator->name)}};
  for (std::size_t i = 0; i < std::size(kMeasures); ++i) {
    if (has_column(i)) shape.columns.push_back({.name = std::string(kMeasures[i].name)});
  }
  return shape;
}

std::string JacobianCase::why_no_column(const std::string& name) const {
  if (name == kMeasures[kRmsTheory].name) {
    return "known for dense layers without norm, residual and biases, with drawn weights";
  }
  if (name == kMeasures[kMeanLogTheory].name) {
    return "known for dense linear layers without norm and residual, normal or orthogonal";
  }
  return "";
}

Cost JacobianCase::cost() const {
  const double d = static_cast<double>(model_.stack.width);
  const double depth = static_cast<double>(model_.stack.depth);
  double weights = 0, widest = d;
  for (const MatrixSpec& m : block_matrices(model_.stack)) {
    weights += static_cast<double>(m.fan_in * m.fan_out);
    widest = std::max(widest, static_cast<double>(std::max(m.fan_in, m.fan_out)));
  }
  // Both passes, and of d x d matrices three products, a QR and singular values as 20 more.
  return {weights * depth, depth * (4 * d * weights + 2 * d * d * d * 25),
          8 * (10 * d * d + 4 * d * widest)};
}

// Mean over the singular values of E ln s of one layer: for a matrix of normal entries,
// |det|^2 is a product of chi-squares with 1 to d degrees of freedom.
std::optional<double> JacobianCase::mean_log_theory_a_layer() const {
  const StackSpec& s = model_.stack;
  const Init& init = model_.inits.front();
  if (!is_plain() || s.activation.row->forms != &kLinearForms) return std::nullopt;
  const double d = static_cast<double>(s.width), spread = init.spread(s.width, s.width);
  if (init.row->distribution == Distribution::orthogonal) return std::log(spread * std::sqrt(d));
  if (init.row->distribution != Distribution::normal) return std::nullopt;
  // psi(1/2) and psi(1), then psi(x + 1) = psi(x) + 1/x.
  double half = -std::numbers::egamma - 2 * std::numbers::ln2, whole = -std::numbers::egamma;
  double sum = 0;
  for (std::int64_t i = 1; i <= s.width; ++i) {
    double& psi = i % 2 == 1 ? half : whole;
    sum += (psi + std::numbers::ln2) / 2;
    psi += 2 / static_cast<double>(i);
  }
  return sum / d + std::log(spread);
}

void set_row(CaseResult& result, std::size_t measure, double value) {
  for (Column& column : result.columns) {
    if (column.name == kMeasures[measure].name) column.values.push_back(value);
  }
}

void JacobianCase::add_theory(const Matrix<double>& input, CaseResult& result) const {
  const std::int64_t width = model_.stack.width;
  const auto a_layer = mean_log_theory_a_layer();
  for (std::int64_t layer = 1; layer <= rows() && a_layer; ++layer) {
    set_row(result, kMeanLogTheory, static_cast<double>(layer) * *a_layer);
  }
  if (!has_rms_theory()) return;
  double square = 0;
  for (double x : input.all()) square += x * x / static_cast<double>(width);
  const double spread = model_.inits.front().spread(width, width);
  const SizeMap map(model_.stack.activation);
  const LayerVariances layer_variances{static_cast<double>(width) * spread * spread};
  // Of an input of size 0 nothing is known but that slopes are those at 0.
  const double size = std::fmax(square, std::numeric_limits<double>::min());
  for (double log_rms : gradients_after(map, layer_variances, size, rows())) {
    set_row(result, kRmsTheory, std::exp(log_rms));
  }
}

// Without values: of a Jacobian that is not finite.
void add_spectrum(const std::vector<double>& log_values, CaseResult& result) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (log_values.empty()) {
    for (std::size_t i = 0; i < std::size(kMeasures); ++i) {
      if (i != kRmsTheory && i != kMeanLogTheory) set_row(result, i, kNan);
    }
    return;
  }
  const Spectrum spectrum = spectrum_of(log_values);
  set_row(result, kLargest, std::exp(log_values.front()));
  set_row(result, kMedian, std::exp(log_values[log_values.size() / 2]));
  set_row(result, kSmallest, std::exp(log_values.back()));
  set_row(result, kRms, std::exp(spectrum.log_rms));
  set_row(result, kMeanLog, spectrum.mean_log);
  set_row(result, kCondition, std::exp(log_values.front() - log_values.back()));
  set_row(result, kEffectiveRank, spectrum.effective_rank);
  set_row(result, kRank, static_cast<double>(spectrum.rank));
}

// Rows all equal to the one of `x`.
Matrix<double> repeated(const Matrix<double>& x, std::int64_t rows) {
  Matrix<double> tokens(rows, x.cols());
  for (std::int64_t r = 0; r < rows; ++r) {
    std::ranges::copy(x.all(), tokens.view().row(r).begin());
  }
  return tokens;
}

CaseResult JacobianCase::compute(DrawSource& source, const Resources& resources) const {
  CaseResult result = shape();
  Drawn<double> drawn;
  source.draw(model_, drawn, [&] {
    StackSpec spec = model_.stack;
    spec.tokens = spec.width;
    DenseStack<double> stack(spec, *drawn.weights);
    Probe<double> nothing;
    stack.start_forward(repeated(drawn.input, spec.width), nothing, true);
    GradedProduct jacobian(spec.width);
    std::vector<double> last;
    std::int64_t lost = 0;  // the first block whose Jacobian is not finite
    for (std::int64_t layer = 1; layer <= spec.depth; ++layer) {
      resources.check_interrupt();
      resources.step();
      if (lost == 0) {
        stack.forward_block(layer, nothing);
        const Matrix<double> block =
            stack.back_through_block(layer, identity<double>(spec.width), nothing);
        if (std::ranges::all_of(block.all(), [](double v) { return std::isfinite(v); })) {
          jacobian.multiply_from_left(block.view());
          last = jacobian.log_singular_values();
        } else {
          lost = layer;
          last.clear();
        }
      }
      add_spectrum(last, result);
    }
    add_theory(drawn.input, result);
    result.verdicts = histogram_lines(last, fmt::format("block {}", spec.depth));
    if (lost > 0) {
      result.verdicts = {fmt::format("the Jacobian of block {} is not finite", lost)};
    }
  });
  return result;
}

void run_unit(std::span<const UnitCase> cases, const Seed& seed, const Resources& resources,
              const std::function<void(std::size_t, CaseResult)>& emit) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const JacobianCase& one = case_as<JacobianCase>(cases[i]);
    DrawSource source(*one.draw().generator, seed, cases[i].name, cases[i].point, resources.team,
                      resources.spare_bytes);
    emit(i, one.compute(source, resources));
  }
}

constexpr Kind kJacobianKind = {
    .name = "jacobian",
    .help = "singular values of the input-output Jacobian after every block",
    .row_name = "layer",
    .draws = true,
    .fields = [] { return part_fields(kPartKeys, std::vector{draw_field()}); },
    .measures = rows_of<kMeasures>,
    .read = read_as<JacobianCase>,
    .check_unit = check_drawn<JacobianCase>,
    .run = run_unit,
};

}  // namespace

const Kind& jacobian_kind() { return kJacobianKind; }

}  // namespace sigstab
