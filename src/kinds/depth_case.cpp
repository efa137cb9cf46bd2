#include "kinds/depth_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/model_traits.hpp"
#include "net/drawn_weights.hpp"

namespace sigstab {
namespace {

constexpr double kSavedState = 3072;  // bytes of a copy of a generator, one a matrix

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

std::vector<const TheoryColumn*> theory_columns_of(const ModelConfig& model) {
  std::vector<const TheoryColumn*> columns;
  for (const TheoryColumn& column : theory_column_table()) {
    if (!column.gradient || model.has_gradient()) columns.push_back(&column);
  }
  return columns;
}

}  // namespace

DepthCase::DepthCase(ModelConfig model)
    : model_(std::move(model)),
      columns_(columns_of(model_)),
      theory_columns_(theory_columns_of(model_)),
      theory_(model_) {}

void DepthCase::add_theory(CaseResult& result) const {
  if (theory_columns_.empty()) return;
  const bool scores = std::ranges::any_of(
      theory_columns_, [](const TheoryColumn* c) { return c->role == ColumnRole::score; });
  fill_theory(theory_columns_, theory_.of(scores), result);
}

std::string DepthCase::why_no_column(const std::string& name) const {
  const std::string measure = name.substr(0, name.find('.'));
  const MeasureRow* row = find_row(measure_table(), measure);
  if (find_row(theory_column_table(), measure) != nullptr) return "it needs a gradient";
  if (row == nullptr) {
    const bool scalar = name == "loss" || name == "input_rms" || name == "output_rms" ||
                        name == "input_gradient_rms";
    return scalar ? "it is one number a case, not one a layer" : "";
  }
  if (row->backward() && !model_.has_gradient()) {
    return "it needs a gradient: an upstream other than none, drawn in random.each";
  }
  if (row->applies != nullptr && !row->applies(model_.stack)) {
    return fmt::format("it needs {}", row->needs);
  }
  Names known;
  for (const MatrixSpec& m : block_matrices(model_.stack)) known.push_back(m.name);
  return fmt::format("it is of one matrix: {}.{}; its matrices: {}", measure, known.front(),
                     joined(known));
}

void DepthCase::ask(const std::vector<std::string>& columns) {
  std::erase_if(columns_, [&](const DepthColumn& column) {
    return column.name != kForwardColumn && column.name != kGradientColumn &&
           std::ranges::find(columns, column.name) == columns.end();
  });
  std::erase_if(theory_columns_, [&](const TheoryColumn* column) {
    return std::ranges::none_of(columns, [&](const std::string& name) {
      // An expected line asks for a column without a name.
      return !name.empty() && (name == column->name || name == column->input_scalar ||
                               name == column->output_scalar);
    });
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
    const std::string input(column.measure->input_scalar);
    shape.columns.push_back({.name = column.name,
                             .input_scalar = input,
                             .output_scalar = column.name == kForwardColumn ? "output_rms" : "",
                             .is_size = column.measure->is_size});
    if (column.name == kForwardColumn) shape.columns.back().told = {"forward", Direction::forward};
    if (column.name == kGradientColumn) {
      shape.columns.back().told = {"gradient", Direction::backward};
    }
    const bool known = std::ranges::any_of(
        shape.scalars, [&](const NamedScalar& scalar) { return scalar.name == input; });
    if (!input.empty() && !known) shape.scalars.push_back({input, 0.0});
  }
  add_theory_shape(theory_columns_, shape);
  return shape;
}

std::vector<std::string> DepthCase::default_columns() const {
  std::vector<std::string> columns = {kForwardColumn};
  if (model_.has_gradient()) columns.emplace_back(kGradientColumn);
  if (!theory_.refusal().empty()) return columns;
  for (const TheoryColumn* column : theory_columns_) {
    if (!column->gradient || theory_.predicts_gradients()) columns.emplace_back(column->name);
  }
  return columns;
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

// The stream before and after every block, forward and back.
double DepthCase::steps() const {
  return static_cast<double>(model_.stack.depth + 1) * (model_.has_gradient() ? 2 : 1);
}

std::string DepthCase::stream() const {
  const RandomSpec& random = model_.random;
  if (!random.generator->sequential) return "";
  // After a reseed nothing of the other cases is left in the stream, unless something is shared.
  if (random.reseed && random.shared.empty()) return "";
  return fmt::format("{} {}", random.generator->name, random.own_seed ? random.seed.text() : "");
}

}  // namespace sigstab
