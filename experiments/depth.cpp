// The depth stack: one signal forward through `depth` blocks and one gradient back, sizes at every
// layer.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "math/moments.hpp"
#include "net/cross_entropy.hpp"
#include "net/dense_stack.hpp"
#include "net/measure.hpp"
#include "pipeline/draw_model.hpp"
#include "pipeline/kind.hpp"
#include "pipeline/model_config.hpp"
#include "pipeline/story.hpp"

namespace sigstab {
namespace {

constexpr Measure kScalars[] = {
    {"input_rms", "RMS of the input"},
    {"output_rms", "RMS of the output, after the final norm if there is one"},
    {"input_gradient_rms", "RMS of the loss gradient at the input"},
    {"loss", "mean cross-entropy over tokens, for cross_entropy"},
};

constexpr double kSavedState = 3072;  // bytes of a copy of a generator, one a matrix

// --- what a case is -----------------------------------------------------------------------------

// A measure at every layer, of one matrix if it is each matrix's.
struct DepthColumn {
  const MeasureRow* measure;
  std::size_t matrix;
  std::string name;
};

std::vector<DepthColumn> columns_of(const ModelConfig& model) {
  std::vector<DepthColumn> columns;
  for (const MeasureRow& row : measure_table()) {
    if (row.backward() && !model.has_gradient()) continue;
    if (row.applies != nullptr && !row.applies(model.stack)) continue;
    if (!row.each_matrix()) {
      columns.push_back({&row, 0, std::string(row.name)});
      continue;
    }
    const std::vector<MatrixSpec> matrices = block_matrices(model.stack);
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      columns.push_back({&row, i, fmt::format("{}.{}", row.name, matrices[i].name)});
    }
  }
  return columns;
}

constexpr const char* kForward = "forward_rms";
constexpr const char* kGradient = "gradient_rms";

class DepthCase final : public KindCase {
 public:
  explicit DepthCase(ModelConfig model) : model_(std::move(model)), columns_(columns_of(model_)) {}

  const ModelConfig& model() const { return model_; }
  const std::vector<DepthColumn>& columns() const { return columns_; }
  std::int64_t rows() const override { return model_.stack.depth; }
  CaseResult shape() const override;
  void ask(const std::vector<std::string>& columns) override;
  std::vector<std::string> default_columns() const override;
  Cost cost() const override;
  const Seed* seed() const override { return &model_.random.seed; }
  std::string stream() const override;

 private:
  ModelConfig model_;
  std::vector<DepthColumn> columns_;
};

void DepthCase::ask(const std::vector<std::string>& columns) {
  std::erase_if(columns_, [&](const DepthColumn& column) {
    return column.name != kForward && column.name != kGradient &&
           std::ranges::find(columns, column.name) == columns.end();
  });
}

CaseResult DepthCase::shape() const {
  const StackSpec& s = model_.stack;
  CaseResult shape;
  shape.traits = model_traits(model_);
  const auto fact = [&](const char* name, auto value) { shape.facts.push_back({name, value}); };
  const auto text = [&](const char* name, std::string_view value) {
    fact(name, std::string(value));
  };
  fact("width", s.width);
  fact("depth", s.depth);
  fact("tokens", s.tokens);
  text("layer", s.layer == LayerKind::mlp ? "mlp" : "dense");
  if (s.layer == LayerKind::mlp) fact("hidden", s.hidden);
  text("activation", s.activation.row->name);
  text("init", model_.inits.front().row->name);
  text("norm", s.norm.row->name);
  text("residual", s.residual.row->name);
  text("dtype", model_.dtype->name);
  text("generator", model_.random.generator->name);

  shape.scalars = {{"input_rms", 0.0}, {"output_rms", 0.0}};
  if (model_.has_gradient()) {
    if (model_.upstream == Upstream::cross_entropy) shape.scalars.push_back({"loss", 0.0});
    shape.scalars.push_back({"input_gradient_rms", 0.0});
  }
  for (const DepthColumn& column : columns_) {
    const bool forward = column.name == kForward, gradient = column.name == kGradient;
    shape.columns.push_back({column.name,
                             {},
                             forward    ? "input_rms"
                             : gradient ? "input_gradient_rms"
                                        : "",
                             forward ? "output_rms" : ""});
  }
  return shape;
}

std::vector<std::string> DepthCase::default_columns() const {
  if (!model_.has_gradient()) return {kForward};
  return {kForward, kGradient};
}

Cost DepthCase::cost() const {
  const StackSpec& s = model_.stack;
  const double tokens = static_cast<double>(s.tokens), depth = static_cast<double>(s.depth);
  const double width = static_cast<double>(s.width), classes = static_cast<double>(model_.classes);
  const bool backward = model_.has_gradient();
  const bool wants_gradients = std::ranges::any_of(
      columns_, [](const DepthColumn& c) { return c.measure->site == Site::weight_gradient; });
  const bool forms_gradient = wants_gradients && s.tokens > 1;
  double weights = 0, work = 0;
  const std::vector<MatrixSpec> matrices = block_matrices(s);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const double size =
        static_cast<double>(matrices[i].fan_in) * static_cast<double>(matrices[i].fan_out);
    weights += size;
    // Stored whole: a gradient that is no outer product; an orthogonal matrix, with a transposed
    // copy and the workspace of its factorisation, or a sparse one, with what chooses its zeros.
    const bool whole = drawn_whole(model_.inits[i]);
    work = std::max(work, (whole ? 3 * size : 0) + (forms_gradient ? size : 0));
  }
  double block = 2 * width;
  for (const Operation& op : make_block(s).branch) block += static_cast<double>(op.in);
  const double widest = std::max(width, static_cast<double>(s.hidden));
  const double partials = static_cast<double>(DrawnWeights<double>::kLanes) * widest;
  Cost cost;
  cost.weights = depth * weights + width * classes;
  cost.flops = 2 * tokens * cost.weights * (!backward ? 1 : forms_gradient ? 3 : 2);
  double biases = 0;
  for (const MatrixSpec& m : matrices) {
    if (model_.bias.present()) biases += depth * static_cast<double>(m.fan_out);
  }
  cost.bytes = static_cast<double>(model_.dtype->bytes) *
                   (width * classes + biases + work + partials * tokens +
                    tokens * (block * (backward ? depth : 1) + 2 * width + 2 * classes)) +
               depth * static_cast<double>(matrices.size()) * kSavedState;
  return cost;
}

std::string DepthCase::stream() const {
  const RandomSpec& random = model_.random;
  if (!random.generator->sequential) return "";
  // After a reseed nothing of the other cases is left in the stream, unless something is shared.
  if (random.reseed && random.shared.empty()) return "";
  return fmt::format("{} {}", random.generator->name, random.own_seed ? random.seed.text() : "");
}

// --- measuring ----------------------------------------------------------------------------------

// Fills one column a measure, and the sizes at the stream's ends.
template <class T>
class ColumnProbe final : public Probe<T> {
 public:
  ColumnProbe(const DepthCase& planned, const Resources& resources)
      : model_(planned.model()), columns_(planned.columns()), resources_(resources) {
    const auto layers = static_cast<std::size_t>(planned.model().stack.depth);
    values_.assign(columns_.size(), std::vector<double>(layers + 1));
  }

  bool wants(Site site) const override {
    return std::ranges::any_of(columns_,
                               [&](const DepthColumn& c) { return c.measure->site == site; });
  }
  void see(Site site, const Seen<T>& seen) override {
    resources_.check_interrupt();
    if (site == Site::output) output_ = root_mean_square(seen.value.all());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const DepthColumn& column = columns_[i];
      if (column.measure->site != site || column.matrix != seen.matrix) continue;
      values_[i][static_cast<std::size_t>(seen.layer)] = column.measure->of(seen);
    }
  }
  void undefined_norm(std::int64_t layer) override {
    if (undefined_norm_ == 0) undefined_norm_ = layer;
  }

  // Fills a result of the case's shape.
  void report(CaseResult& result) const;

 private:
  const ModelConfig& model_;
  const std::vector<DepthColumn>& columns_;
  const Resources& resources_;
  std::vector<std::vector<double>> values_;  // of each column, by layer; 0 is the input
  double output_ = 0;
  std::int64_t undefined_norm_ = 0;  // the first layer whose norm divided by 0
};

void set_scalar(CaseResult& result, std::string_view name, double value) {
  const auto scalar = std::ranges::find(result.scalars, name, &NamedScalar::name);
  SIGSTAB_ASSERT(scalar != result.scalars.end());
  scalar->value = value;
}

template <class T>
void ColumnProbe<T>::report(CaseResult& result) const {
  set_scalar(result, "output_rms", output_);
  const auto tell = [&](std::string_view what, const std::vector<double>& sizes, Direction way) {
    result.verdicts.push_back(tell_sizes(what, sizes, way));
    const auto limit = tell_limit(what, sizes, model_.dtype->format(), way);
    if (limit) result.verdicts.push_back(*limit);
  };
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::vector<double>& values = values_[i];
    Column& column = result.columns[i];
    column.values.assign(values.begin() + 1, values.end());
    if (!column.input_scalar.empty()) set_scalar(result, column.input_scalar, values.front());
    if (column.name == kForward) {
      tell("forward", values, Direction::forward);
      if (undefined_norm_ > 0) {
        result.verdicts.push_back(fmt::format(
            "the norm of layer {} divides 0 by 0: no spread, and eps is 0", undefined_norm_));
      }
    }
    if (column.name == kGradient) {
      tell("gradient", values, Direction::backward);
    }
  }
}

template <class T>
CaseResult measure(const DepthCase& planned, DrawSource& source, const Resources& resources) {
  const ModelConfig& model = planned.model();
  CaseResult result = planned.shape();
  ColumnProbe<T> probe(planned, resources);
  Drawn<T> drawn;
  std::optional<DenseStack<T>> stack;
  Matrix<T> output;
  source.draw(model, drawn, [&] {
    stack.emplace(model.stack, *drawn.weights);
    output = stack->forward(std::move(drawn.input), probe, model.has_gradient());
  });
  if (model.has_gradient()) {
    Matrix<T> g = std::move(drawn.upstream);
    if (model.upstream == Upstream::cross_entropy) {
      auto [loss, gradient] = cross_entropy(std::as_const(output).view(),
                                            std::as_const(drawn.head).view(), drawn.targets);
      g = std::move(gradient);
      set_scalar(result, "loss", loss);
    }
    stack->backward(std::move(g), probe);
  }
  probe.report(result);
  return result;
}

// --- running ------------------------------------------------------------------------------------

const DepthCase& depth_case(const UnitCase& unit) {
  return static_cast<const DepthCase&>(*unit.model);
}

void run_unit(std::span<const UnitCase> cases, const Seed& seed, const Resources& resources,
              const std::function<void(std::size_t, CaseResult)>& emit) {
  const ModelConfig& first = depth_case(cases.front()).model();
  DrawSource source(*first.random.generator, seed, cases.front().name, cases.front().point,
                    resources.team, resources.spare_bytes);
  const auto with_dtype = [](DType dtype, auto body) {
    dtype == DType::float32 ? body(float{}) : body(double{});
  };
  with_dtype(first.dtype->value, [&]<class T>(T) { source.draw_shared<T>(first); });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const DepthCase& planned = depth_case(cases[i]);
    const ModelConfig& model = planned.model();
    if (model.random.reseed) source.restart(cases[i].name, cases[i].point);
    with_dtype(model.dtype->value,
               [&]<class T>(T) { emit(i, measure<T>(planned, source, resources)); });
  }
}

// What one draw of a shared item takes from the stream: cases that share it must agree. Text, so
// that an error can show both.
std::string draw_shape(DrawItem item, const ModelConfig& model) {
  const StackSpec& s = model.stack;
  const std::string_view dtype = model.dtype->name;
  switch (item) {
    case DrawItem::input:
    case DrawItem::upstream:
      return fmt::format("{} x {} {}", s.tokens, s.width, dtype);
    case DrawItem::targets:
      return fmt::format("{} of {} classes", s.tokens, model.classes);
    case DrawItem::head:
      return fmt::format("{} x {} {} {}", s.width, model.classes, dtype,
                         distribution_name(model.head_init.row->distribution));
    case DrawItem::weights:
      break;
  }
  std::string text = fmt::format("{} blocks, {} {}:", s.depth, dtype,
                                 model.random.layout == Layout::out_in ? "out_in" : "in_out");
  const std::vector<MatrixSpec> matrices = block_matrices(s);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    text += fmt::format(" {} {} -> {} {}", matrices[i].name, matrices[i].fan_in,
                        matrices[i].fan_out, distribution_name(model.inits[i].row->distribution));
    if (model.bias.row->drawn) text += fmt::format(", bias {}", model.bias.row->name);
  }
  return text;
}

std::string unit_label(const UnitCase& unit) {
  return unit.point.empty() ? unit.name : fmt::format("{} {}", unit.name, unit.point);
}

void check_unit(std::span<const UnitCase> cases, const Seed& seed) {
  const ModelConfig& first = depth_case(cases.front()).model();
  const Generator& generator = *first.random.generator;
  if (!accepts_seed(generator, seed)) {
    throw Error(
        "/seeds",
        fmt::format("{} takes {}, got {}", generator.name, seed_rule(generator), seed.text()),
        "use a smaller seed, or the numpy generator");
  }
  for (const UnitCase& unit : cases) {
    const ModelConfig& model = depth_case(unit).model();
    if (model.random.shared != first.random.shared) {
      throw Error("/random/shared",
                  fmt::format("cases \"{}\" and \"{}\" share different things",
                              unit_label(cases.front()), unit_label(unit)),
                  "list the same in every case");
    }
    for (DrawItem item : first.random.shared) {
      const std::string ours = draw_shape(item, model), theirs = draw_shape(item, first);
      if (ours == theirs) continue;
      throw Error("/random/shared",
                  fmt::format("\"{}\" is {} in case \"{}\" and {} in case \"{}\"",
                              kDrawItems[static_cast<std::size_t>(item)].name, theirs,
                              unit_label(cases.front()), ours, unit_label(unit)),
                  "draw it in random.each, or make these equal");
    }
  }
}

std::unique_ptr<KindCase> read_case(const ObjectReader& config) {
  return std::make_unique<DepthCase>(read_model(config));
}

}  // namespace

const Kind& depth_kind() {
  static const std::vector<Measure> measures = [] {
    std::vector<Measure> all;
    for (const MeasureRow& row : measure_table()) all.push_back({row.name, row.help});
    all.insert(all.end(), std::begin(kScalars), std::end(kScalars));
    return all;
  }();
  static const Kind kind = {
      "depth",        "a stack of random layers: sizes of signal and gradient at every layer",
      "layer",        true,
      model_fields(), measures,
      read_case,      check_unit,
      run_unit};
  return kind;
}

}  // namespace sigstab
