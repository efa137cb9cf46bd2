// The depth stack: one signal forward through `depth` blocks and one gradient back, sizes at every
// layer.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "kinds/depth_pass.hpp"
#include "model/read_model.hpp"

namespace sigstab {
namespace {

constexpr Measure kScalars[] = {
    {"output_rms", "RMS of the output, after the final norm if there is one"},
    {"loss", "mean cross-entropy over tokens, for cross_entropy"},
};

// --- running ------------------------------------------------------------------------------------

// Whether cases can take turns on one draw of their weights, block by block: the first then draws
// and the others take.
template <class T>
bool can_take_turns(std::span<const UnitCase> cases, const Resources& resources) {
  const ModelConfig& first = case_as<DepthCase>(cases.front()).model();
  const bool shared =
      std::ranges::find(first.random.shared, DrawItem::weights) != first.random.shared.end();
  if (!shared || cases.size() == 1) return false;
  double more_bytes = 0;  // beside the cost of one case
  for (const UnitCase& one : cases) {
    const DepthCase& planned = case_as<DepthCase>(one);
    if (!have_same_draws(planned.model(), first)) return false;
    if (planned.model().has_gradient() != first.has_gradient()) return false;
    more_bytes += planned.cost().bytes;
  }
  for (const MatrixSpec& m : block_matrices(first.stack)) {
    more_bytes += static_cast<double>(m.fan_in * m.fan_out) * sizeof(T);
  }
  return more_bytes <= resources.spare_bytes;
}

template <class T>
void run_in_turns(std::span<const UnitCase> cases, const Resources& resources, DrawSource& source,
                  const std::function<void(std::size_t, CaseResult)>& emit) {
  const ModelConfig& first = case_as<DepthCase>(cases.front()).model();
  const auto last = std::make_shared<LastDraws<T>>(block_matrices(first.stack).size());
  std::vector<std::unique_ptr<DepthPass<T>>> passes;
  for (const UnitCase& one : cases) {
    if (first.random.reseed) source.restart(one.name, one.point);
    passes.push_back(std::make_unique<DepthPass<T>>(case_as<DepthCase>(one), resources));
    passes.back()->draw(source, last);
  }
  for (std::int64_t layer = 1; layer <= first.stack.depth; ++layer) {
    for (const auto& pass : passes) pass->forward_block(layer);
  }
  for (const auto& pass : passes) pass->turn();
  for (std::int64_t layer = first.has_gradient() ? first.stack.depth : 0; layer >= 1; --layer) {
    for (const auto& pass : passes) pass->backward_block(layer);
  }
  for (std::size_t i = 0; i < passes.size(); ++i) {
    passes[i]->end();
    emit(i, passes[i]->result());
  }
}

template <class T>
void run_cases(std::span<const UnitCase> cases, const Resources& resources, DrawSource& source,
               const std::function<void(std::size_t, CaseResult)>& emit) {
  if (can_take_turns<T>(cases, resources)) return run_in_turns<T>(cases, resources, source, emit);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const DepthCase& planned = case_as<DepthCase>(cases[i]);
    if (planned.model().random.reseed) source.restart(cases[i].name, cases[i].point);
    DepthPass<T> pass(planned, resources);
    pass.run_forward(source);
    pass.run_backward();
    emit(i, pass.result());
  }
}

void run_unit(std::span<const UnitCase> cases, const Seed& seed, const Resources& resources,
              const std::function<void(std::size_t, CaseResult)>& emit) {
  const ModelConfig& first = case_as<DepthCase>(cases.front()).model();
  DrawSource source(*first.random.generator, seed, cases.front().name, cases.front().point,
                    resources.team, resources.spare_bytes);
  // Cases of one type in a row, each of which may change it.
  const auto with_dtype = [](DType dtype, auto body) {
    dtype == DType::float32 ? body(float{}) : body(double{});
  };
  with_dtype(first.dtype->value, [&]<class T>(T) { source.draw_shared<T>(first); });
  const auto type_of = [&](std::size_t i) {
    return case_as<DepthCase>(cases[i]).model().dtype->value;
  };
  for (std::size_t from = 0, to = 0; from < cases.size(); from = to) {
    while (to < cases.size() && type_of(to) == type_of(from)) ++to;
    with_dtype(type_of(from), [&]<class T>(T) {
      run_cases<T>(cases.subspan(from, to - from), resources, source,
                   [&](std::size_t i, CaseResult one) { emit(from + i, std::move(one)); });
    });
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
  const ModelConfig& first = case_as<DepthCase>(cases.front()).model();
  const Generator& generator = *first.random.generator;
  if (!accepts_seed(generator, seed)) {
    throw Error(
        "/seeds",
        fmt::format("{} takes {}, got {}", generator.name, seed_rule(generator), seed.text()),
        "use a smaller seed, or the numpy generator");
  }
  for (const UnitCase& unit : cases) {
    const ModelConfig& model = case_as<DepthCase>(unit).model();
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

std::vector<Field> all_fields() { return {model_fields().begin(), model_fields().end()}; }

std::vector<Measure> all_measures() {
  std::vector<Measure> all;
  for (const MeasureRow& row : measure_table()) {
    all.push_back({row.name, row.help});
    if (!row.input_scalar.empty()) all.push_back({row.input_scalar, row.input_help});
  }
  for (const TheoryColumn& row : theory_column_table()) all.push_back({row.name, row.help});
  all.insert(all.end(), std::begin(kScalars), std::end(kScalars));
  all.insert(all.end(), theory_scalars().begin(), theory_scalars().end());
  return all;
}

constexpr Kind kDepthKind = {
    .name = "depth",
    .help = "a stack of random layers: sizes of signal and gradient at every layer",
    .row_name = "layer",
    .draws = true,
    .fields = all_fields,
    .measures = all_measures,
    .read = read_case,
    .check_unit = check_unit,
    .run = run_unit,
};

}  // namespace

const Kind& depth_kind() { return kDepthKind; }

}  // namespace sigstab
