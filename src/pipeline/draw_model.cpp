#include "pipeline/draw_model.hpp"

#include <utility>

namespace sigstab {
namespace {

template <class T>
Matrix<T> draw_normal(std::int64_t rows, std::int64_t cols, double spread, TensorId id,
                      Stream& stream) {
  Matrix<T> m(rows, cols);
  stream.normal(id, m.all());
  for (T& v : m.all()) v *= static_cast<T>(spread);
  return m;
}

template <class T>
void draw_all_weights(const ModelConfig& model, Stream& stream, Drawn<T>& drawn) {
  const std::vector<MatrixSpec> matrices = block_matrices(model.stack);
  const bool out_in = model.random.layout == Layout::out_in;
  const double last_scale =
      model.stack.residual.row->last_matrix_scale(static_cast<double>(model.stack.depth));
  for (std::int64_t layer = 1; layer <= model.stack.depth; ++layer) {
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const auto [name, fan_in, fan_out] = matrices[i];
      Matrix<T> w(out_in ? fan_out : fan_in, out_in ? fan_in : fan_out);
      const TensorId id{TensorId::kWeights + static_cast<std::uint32_t>(i),
                        static_cast<std::uint32_t>(layer)};
      const double scale = i + 1 == matrices.size() ? last_scale : 1;
      draw_weights(model.inits[i], model.random.layout, scale, id, stream, w.view());
      drawn.weights.add(std::move(w));
    }
  }
}

template <class T>
void draw_item(DrawItem item, const ModelConfig& model, Stream& stream, Drawn<T>& drawn) {
  const StackSpec& s = model.stack;
  switch (item) {
    case DrawItem::input:
      drawn.input =
          draw_normal<T>(s.tokens, s.width, model.input_spread, {TensorId::kInput}, stream);
      break;
    case DrawItem::upstream:
      drawn.upstream = draw_normal<T>(s.tokens, s.width, 1, {TensorId::kUpstream}, stream);
      break;
    case DrawItem::head:  // always width x classes as drawn
      drawn.head = Matrix<T>(s.width, model.classes);
      draw_weights(model.head_init, Layout::in_out, 1, {TensorId::kHead}, stream,
                   drawn.head.view());
      break;
    case DrawItem::targets:
      drawn.targets.resize(static_cast<std::size_t>(s.tokens));
      stream.integers({TensorId::kTargets}, drawn.targets,
                      static_cast<std::uint32_t>(model.classes));
      break;
    case DrawItem::weights:
      draw_all_weights(model, stream, drawn);
      break;
  }
}

}  // namespace

DrawSource::DrawSource(const Generator& generator, const Seed& seed, std::string_view case_name,
                       std::string_view point)
    : generator_(generator), seed_(seed) {
  restart(case_name, point);
}

void DrawSource::restart(std::string_view case_name, std::string_view point) {
  stream_ = generator_.make(seed_, case_name, point);
}

template <class T>
void DrawSource::share(const ModelConfig& model) {
  for (DrawItem item : model.random.shared) {
    starts_[static_cast<std::size_t>(item)] = stream_->clone();
    Drawn<T> discarded(model.random.layout);
    draw_item(item, model, *stream_, discarded);
  }
}

template <class T>
Drawn<T> DrawSource::next(const ModelConfig& model) {
  Drawn<T> drawn(model.random.layout);
  for (DrawItem item : model.random.shared) {
    draw_item(item, model, *starts_[static_cast<std::size_t>(item)]->clone(), drawn);
  }
  for (DrawItem item : model.random.each) draw_item(item, model, *stream_, drawn);
  return drawn;
}

void DrawSource::draw_shared(const ModelConfig& model, float) { share<float>(model); }
void DrawSource::draw_shared(const ModelConfig& model, double) { share<double>(model); }
Drawn<float> DrawSource::draw(const ModelConfig& model, float) { return next<float>(model); }
Drawn<double> DrawSource::draw(const ModelConfig& model, double) { return next<double>(model); }

}  // namespace sigstab
