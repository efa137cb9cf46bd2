// Bands of finite width: chains of sizes, drawn without a matrix.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "random/native_stream.hpp"
#include "theory/mean_field_stack.hpp"

namespace sigstab {
namespace {

// Moments interpolated between sizes a factor e^(1/4) apart, computed where a chain first comes.
class TabulatedLaws final : public ActivationLaws {
 public:
  TabulatedLaws(const MeanFieldModel& model, std::int64_t fan_in)
      : model_(model), fan_in_(fan_in) {}

  const SiteLaw& at(double log_variance) override {
    if (!(std::fabs(log_variance) < kFar)) return far(log_variance);
    const double place = log_variance / kStep, low = std::floor(place), t = place - low;
    const SiteLaw &a = node(low - 1), &b = node(low), &c = node(low + 1), &d = node(low + 2);
    // Lagrange's cubic through four nodes.
    const double wa = -t * (t - 1) * (t - 2) / 6, wb = (t + 1) * (t - 1) * (t - 2) / 2;
    const double wc = -(t + 1) * t * (t - 2) / 2, wd = (t + 1) * t * (t - 1) / 6;
    const auto mix = [&](double ya, double yb, double yc, double yd) {
      return std::isfinite(ya + yb + yc + yd) ? wa * ya + wb * yb + wc * yc + wd * yd : yb;
    };
    const auto all = [&](auto member) { return mix(member(a), member(b), member(c), member(d)); };
    now_.law = {all([](const SiteLaw& s) { return s.law.log_square; }),
                all([](const SiteLaw& s) { return s.law.mean_share; }),
                all([](const SiteLaw& s) { return s.law.log_slope_square; })};
    now_.spread = {std::max(0.0, all([](const SiteLaw& s) { return s.spread.value; })),
                   std::max(0.0, all([](const SiteLaw& s) { return s.spread.slope; })),
                   all([](const SiteLaw& s) { return s.spread.both; })};
    return now_;
  }

 private:
  static constexpr double kStep = 0.25, kFar = 232;

  SiteLaw exact(double log_variance) const {
    const PreactivationLaw law = preactivation_law(log_variance, model_.bias, fan_in_);
    return {activation_law(model_.stack.activation, law),
            square_spread(model_.stack.activation, law)};
  }
  // Formulas of powers need no table, and a bias alone no sizes below it.
  const SiteLaw& far(double log_variance) {
    now_ = node(log_variance > 0 ? kFar / kStep : -kFar / kStep);
    if (log_variance > 0 || !model_.bias.present()) {
      now_.law = activation_law(model_.stack.activation,
                                preactivation_law(log_variance, model_.bias, fan_in_));
    }
    return now_;
  }
  const SiteLaw& node(double index) {
    const auto found = nodes_.find(index);
    if (found != nodes_.end()) return found->second;
    return nodes_.emplace(index, exact(index * kStep)).first->second;
  }

  const MeanFieldModel& model_;
  std::int64_t fan_in_;
  std::map<double, SiteLaw> nodes_;
  SiteLaw now_{};
};

Band band_of(std::vector<double>& values) {
  Band band;
  const double count = static_cast<double>(values.size());
  for (double v : values) band.mean += v / count;
  for (double v : values) band.deviation += (v - band.mean) * (v - band.mean) / (count - 1);
  band.deviation = std::sqrt(band.deviation);
  std::ranges::sort(values);
  for (std::size_t i = 0; i < Band::kLevels.size(); ++i) {
    const double place = Band::kLevels[i] * (count - 1), low = std::floor(place);
    const auto at = static_cast<std::size_t>(low);
    const double next = values[std::min(at + 1, values.size() - 1)];
    band.quantiles[i] = values[at] + (place - low) * (next - values[at]);
  }
  return band;
}

std::string bands_refusal(const MeanFieldModel& model) {
  constexpr std::int64_t kDeepest = 10000;
  if (std::string why = mean_field_refusal(model); !why.empty()) return why;
  if (model.stack.depth > kDeepest) return fmt::format("deeper than {} layers", kDeepest);
  for (const Init& init : model.inits) {
    if (init.row->distribution == Distribution::orthogonal) {
      return "orthogonal weights keep sizes, which independent ones do not";
    }
  }
  return "";
}

// Psi(x) and psi'(x): recurrences up to 12, then the asymptotic series. Accuracy: 14 digits.
double digamma(double x) {
  double sum = 0;
  for (; x < 12; ++x) sum -= 1 / x;
  const double s = 1 / (x * x);
  return sum + std::log(x) - 1 / (2 * x) -
         s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132)))));
}
double trigamma(double x) {
  double sum = 0;
  for (; x < 12; ++x) sum += 1 / (x * x);
  const double s = 1 / (x * x);
  return sum + 1 / x + s / 2 +
         s / x * (1.0 / 6 - s * (1.0 / 30 - s * (1.0 / 42 - s * (1.0 / 30 - s * (5.0 / 66)))));
}

}  // namespace

Band linear_stack_law(std::int64_t width, std::int64_t depth) {
  constexpr std::array<double, 5> kNormal = {-1.959963984540054, -0.994457883209753, 0,
                                             0.994457883209753, 1.959963984540054};
  const double half = static_cast<double>(width) / 2, layers = static_cast<double>(depth);
  Band band;
  band.mean = layers / 2 * (digamma(half) - std::log(half));
  band.deviation = std::sqrt(layers * trigamma(half)) / 2;
  for (std::size_t i = 0; i < kNormal.size(); ++i) {
    band.quantiles[i] = band.mean + kNormal[i] * band.deviation;
  }
  return band;
}

MeanFieldBands sample_bands(const MeanFieldModel& model, int chains) {
  MeanFieldBands bands;
  bands.refusal = bands_refusal(model);
  if (!bands.refusal.empty()) return bands;
  const StackSpec& stack = model.stack;
  const auto depth = static_cast<std::size_t>(stack.depth);
  // Deep stacks are sampled less, so that none takes long.
  constexpr std::size_t kMostSizes = 1'000'000, kFewestChains = 300;
  const std::size_t count =
      std::min(static_cast<std::size_t>(chains), std::max(kFewestChains, kMostSizes / (depth + 1)));
  TabulatedLaws laws(model, stack.width);
  MeanFieldModel alone = model;  // cosines come from the mean field
  alone.pairs = false;
  const MeanFieldBlock block(alone, laws);
  const NativeStream stream(stream_key("0", "theory", "bands"));
  const double entries = static_cast<double>(stack.width * stack.tokens);

  // How alike the tokens are, which share their weights' fluctuations.
  MeanFieldModel followed = model;
  followed.pairs = followed.roughly = true;
  const MeanFieldPrediction means =
      stack.tokens > 1 ? predict_mean_field(followed) : MeanFieldPrediction();

  std::vector<std::vector<double>> forward(depth + 1, std::vector<double>(count)),
      gradient(model.gradient ? depth + 1 : 0, std::vector<double>(count));
  std::vector<BlockTrace> traces(depth + 1);
  std::vector<double> normals((depth + 1) * kNormalsPerBlock);
  for (std::size_t chain = 0; chain < count; ++chain) {
    stream.normal_at({TensorId::kInput, static_cast<std::uint32_t>(chain)}, 0,
                     std::span<double>(normals));
    Noise noise(normals);
    Signal x{model.log_input, model.input_mean_share, model.input_cosine};
    const double first = noise.next(), top = noise.next();
    if (model.input_drawn) x.log_square += log_factor(2 / entries, first);
    for (std::size_t layer = 0; layer <= depth; ++layer) {
      if (layer > 0) {
        if (stack.tokens > 1) x.cosine = means.layers[layer - 1].cosine;
        x = block.forward(static_cast<std::int64_t>(layer), x, traces[layer], &noise);
      }
      forward[layer][chain] = x.log_square / 2;
    }
    if (!model.gradient) continue;
    BackSignal g{log_factor(2 / entries, top), 1, 1};
    if (stack.final_norm) {
      BlockTrace::Step step;
      block.final_norm(x, step);
      g = block.back_through_final_norm(g, step);
    }
    for (std::size_t layer = depth;; --layer) {
      gradient[layer][chain] = g.log_square / 2;
      if (layer == 0) break;
      g = block.backward(static_cast<std::int64_t>(layer), g, traces[layer], &noise, nullptr,
                         nullptr);
    }
  }
  for (std::vector<double>& values : forward) bands.forward.push_back(band_of(values));
  for (std::vector<double>& values : gradient) bands.gradient.push_back(band_of(values));
  return bands;
}

}  // namespace sigstab
