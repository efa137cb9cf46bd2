#include "model/draw_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "math/moments.hpp"
#include "math/rounding.hpp"

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

// Turns every second token until it has that cosine with the one before it; lengths stay.
template <class T>
void set_cosine(double cosine, View<T> x) {
  for (std::int64_t r = 0; r + 1 < x.rows; r += 2) {
    const std::span<T> first = x.row(r), second = x.row(r + 1);
    const double first_length = euclidean_norm(std::span<const T>(first));
    const double length = euclidean_norm(std::span<const T>(second));
    std::vector<double> across(second.begin(), second.end());
    double along = 0;
    for (std::size_t i = 0; i < across.size(); ++i) {
      along += across[i] * (static_cast<double>(first[i]) / first_length);
    }
    for (std::size_t i = 0; i < across.size(); ++i) {
      across[i] -= along * (static_cast<double>(first[i]) / first_length);
    }
    const double across_length = euclidean_norm(std::span<const double>(across));
    const double sine = std::sqrt(1 - cosine * cosine);
    for (std::size_t i = 0; i < across.size(); ++i) {
      second[i] = static_cast<T>(length * (cosine * static_cast<double>(first[i]) / first_length +
                                           sine * across[i] / across_length));
    }
  }
}

// Every matrix of the stack in drawing order.
std::vector<MatrixDraw> weight_draws(const ModelConfig& model) {
  const std::vector<MatrixSpec> matrices = block_matrices(model.stack);
  std::vector<MatrixDraw> draws;
  for (std::int64_t layer = 1; layer <= model.stack.depth; ++layer) {
    const BlockFactors factors = model.stack.residual.factors(layer);
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const TensorId id{TensorId::kWeights + static_cast<std::uint32_t>(i),
                        static_cast<std::uint32_t>(layer)};
      const TensorId bias_id{TensorId::kBiases + static_cast<std::uint32_t>(i), id.layer};
      const double scale = matrices[i].last ? factors.last_weights : factors.other_weights;
      draws.push_back({model.inits[i], scale, matrices[i].fan_in, matrices[i].fan_out, id,
                       model.bias, bias_id});
    }
  }
  return draws;
}

// Everything but weights.
template <class T>
void draw_item(DrawItem item, const ModelConfig& model, Stream& stream, Drawn<T>& drawn) {
  const StackSpec& s = model.stack;
  switch (item) {
    case DrawItem::input:
      drawn.input =
          draw_normal<T>(s.tokens, s.width, model.input_spread, {TensorId::kInput}, stream);
      if (model.input_cosine) set_cosine(*model.input_cosine, drawn.input.view());
      store_in(model.stack.storage, drawn.input.all());
      break;
    case DrawItem::upstream:
      drawn.upstream = draw_normal<T>(s.tokens, s.width, 1, {TensorId::kUpstream}, stream);
      store_in(model.stack.storage, drawn.upstream.all());
      break;
    case DrawItem::head:  // always width x classes as drawn
      drawn.head = Matrix<T>(s.width, model.classes);
      draw_weights(model.head_init, Layout::in_out, 1, {TensorId::kHead}, stream,
                   drawn.head.view());
      store_in(model.stack.storage, drawn.head.all());
      break;
    case DrawItem::targets:
      drawn.targets.resize(static_cast<std::size_t>(s.tokens));
      stream.integers({TensorId::kTargets}, drawn.targets,
                      static_cast<std::uint32_t>(model.classes));
      break;
    case DrawItem::weights:
      SIGSTAB_ASSERT(false);
  }
}

template <class T>
void use_given_input(const ModelConfig& model, Drawn<T>& drawn) {
  if (model.input_values.empty()) return;
  drawn.input = Matrix<T>(model.stack.tokens, model.stack.width);
  std::ranges::transform(model.input_values, drawn.input.all().begin(),
                         [](double value) { return static_cast<T>(value); });
  store_in(model.stack.storage, drawn.input.all());
}

}  // namespace

bool have_same_draws(const ModelConfig& a, const ModelConfig& b) {
  const std::vector<MatrixDraw> ours = weight_draws(a), theirs = weight_draws(b);
  return std::ranges::equal(ours, theirs, [](const MatrixDraw& x, const MatrixDraw& y) {
    const Law x_law = entry_law(x.init, x.scale, x.fan_in, x.fan_out);
    const Law y_law = entry_law(y.init, y.scale, y.fan_in, y.fan_out);
    const bool entry_by_entry = !drawn_whole(x.init) && !drawn_whole(y.init) &&
                                !draws_nothing(x.init) && !draws_nothing(y.init);
    return entry_by_entry && x.fan_in == y.fan_in && x.fan_out == y.fan_out && x_law == y_law &&
           !x.bias.present() && !y.bias.present();
  });
}

DrawSource::DrawSource(const Generator& generator, const Seed& seed, std::string_view case_name,
                       std::string_view point, Team& team, double keep_bytes)
    : generator_(generator), seed_(seed), team_(team), keep_bytes_(keep_bytes) {
  restart(case_name, point);
}

void DrawSource::restart(std::string_view case_name, std::string_view point) {
  stream_ = generator_.make(seed_, case_name, point);
}

template <class T>
void DrawSource::draw_shared(const ModelConfig& model) {
  for (DrawItem item : model.random.shared) {
    starts_[static_cast<std::size_t>(item)] = stream_->clone();
    if (item == DrawItem::weights) {
      stream_ =
          DrawnWeights<T>(weight_draws(model), model.random.layout, std::move(stream_), true, team_)
              .end();
    } else {
      Drawn<T> discarded;
      draw_item(item, model, *stream_, discarded);
    }
  }
}

template <class T>
void DrawSource::draw(const ModelConfig& model, Drawn<T>& drawn,
                      const std::function<void()>& forward) {
  use_given_input(model, drawn);
  const auto weights_from = [&](std::unique_ptr<Stream> start, bool again) {
    drawn.weights = std::make_unique<DrawnWeights<T>>(weight_draws(model), model.random.layout,
                                                      std::move(start), again, team_, keep_bytes_,
                                                      model.stack.storage);
  };
  for (DrawItem item : model.random.shared) {
    std::unique_ptr<Stream> start = starts_[static_cast<std::size_t>(item)]->clone();
    if (item == DrawItem::weights) {
      weights_from(std::move(start), model.has_gradient());
    } else {
      draw_item(item, model, *start, drawn);
    }
  }
  bool passed = false;
  for (DrawItem item : model.random.each) {
    if (item != DrawItem::weights) {
      draw_item(item, model, *stream_, drawn);
      continue;
    }
    const bool now = drawn.input.size() > 0;
    weights_from(std::move(stream_), model.has_gradient() || !now);
    if (now) forward();
    passed = now;
    stream_ = drawn.weights->end();
  }
  if (!passed) forward();
}

template void DrawSource::draw_shared<float>(const ModelConfig&);
template void DrawSource::draw_shared<double>(const ModelConfig&);
template void DrawSource::draw(const ModelConfig&, Drawn<float>&, const std::function<void()>&);
template void DrawSource::draw(const ModelConfig&, Drawn<double>&, const std::function<void()>&);

}  // namespace sigstab
