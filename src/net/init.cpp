#include "net/init.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"
#include "base/named_table.hpp"

namespace sigstab {
namespace {

constexpr Parameter kSpread[] = {
    {"spread", kRequired, 0, kHuge, "standard deviation of the weights"}};
constexpr Parameter kLimit[] = {{"limit", kRequired, 0, kHuge, "weights lie in [-limit, limit)"}};
constexpr Parameter kTruncated[] = {{"spread", 1, 0, kHuge, "standard deviation before the cut"},
                                    {"cut", 2, 1e-3, 1e3, "weights lie within cut spreads of 0"}};
constexpr Parameter kScale[] = {{"scale", 1, 1e-300, kHuge, "variance times fan"}};
constexpr Parameter kGpt2[] = {{"spread", 0.02, 0, kHuge, "standard deviation of the weights"}};
constexpr Parameter kValue[] = {{"value", kRequired, -kHuge, kHuge, "every weight"}};
constexpr Parameter kSparse[] = {
    {"sparsity", kRequired, 0, 1, "share of zeros among the weights of each input, rounded up"},
    {"spread", 0.01, 0, kHuge, "standard deviation of the others"}};

constexpr const char* kHeSource = "He et al. 2015, arXiv 1502.01852";
constexpr const char* kXavierSource = "Glorot & Bengio 2010";
constexpr const char* kLecunSource = "LeCun et al. 1998, Efficient BackProp";

struct Text {
  std::string_view name, help, source, aliases = "";
};

// Variance scale / fan, of a fan that the config may choose.
constexpr InitRow fan_row(Text t, Distribution distribution, FanMode mode, double scale,
                          std::span<const Parameter> parameters = {}) {
  return {t.name, t.help, t.source, t.aliases, distribution, mode, true, scale, parameters};
}
// Variance scale / fan, of the fan that the init's name means.
constexpr InitRow own_fan_row(Text t, Distribution distribution, FanMode mode, double scale) {
  return {t.name, t.help, t.source, t.aliases, distribution, mode, false, scale, {}};
}
// Its parameters, or the constant, say everything.
constexpr InitRow fixed_row(Text t, Distribution distribution,
                            std::span<const Parameter> parameters = {}, double constant = 0) {
  return {t.name,         t.help, t.source, t.aliases, distribution,
          FanMode::fixed, false,  constant, parameters};
}
constexpr InitRow scaling_row(Distribution distribution) {
  return fan_row({"variance_scaling",
                  "variance scale/fan, exact after truncation; `distribution` normal, uniform or "
                  "truncated_normal (the default)",
                  "JAX jax.nn.initializers, Keras VarianceScaling", "scaling"},
                 distribution, FanMode::fan_in, 0, kScale);
}

constexpr DistributionRow kScalingDistributions[] = {
    {"truncated_normal", Distribution::truncated_normal},
    {"normal", Distribution::normal},
    {"uniform", Distribution::uniform},
};
constexpr InitRow kScalingRows[] = {scaling_row(Distribution::truncated_normal),
                                    scaling_row(Distribution::normal),
                                    scaling_row(Distribution::uniform)};

constexpr InitRow kTable[] = {
    fan_row({"he", "normal, variance 2/fan_in; for leaky_relu of slope a set gain 1/sqrt(1 + a^2)",
             kHeSource, "kaiming kaiming_normal he_normal msra"},
            Distribution::normal, FanMode::fan_in, 2),
    fan_row({"he_uniform", "uniform, variance 2/fan_in", kHeSource, "kaiming_uniform"},
            Distribution::uniform, FanMode::fan_in, 2),
    fan_row({"xavier", "normal, variance 2/(fan_in + fan_out)", kXavierSource,
             "glorot glorot_normal xavier_normal"},
            Distribution::normal, FanMode::fan_avg, 1),
    fan_row({"xavier_uniform", "uniform, variance 2/(fan_in + fan_out)", kXavierSource,
             "glorot_uniform"},
            Distribution::uniform, FanMode::fan_avg, 1),
    fan_row({"lecun", "normal, variance 1/fan_in", kLecunSource, "lecun_normal"},
            Distribution::normal, FanMode::fan_in, 1),
    fan_row({"lecun_uniform", "uniform, variance 1/fan_in", kLecunSource}, Distribution::uniform,
            FanMode::fan_in, 1),
    scaling_row(Distribution::truncated_normal),
    fixed_row({"normal", "normal of a given spread", "PyTorch torch.nn.init.normal_",
               "gaussian random_normal normal_"},
              Distribution::normal, kSpread),
    fixed_row({"uniform", "uniform of a given limit", "PyTorch torch.nn.init.uniform_",
               "random_uniform uniform_"},
              Distribution::uniform, kLimit),
    own_fan_row({"torch_default",
                 "uniform within 1/sqrt(fan_in): PyTorch's nn.Linear, variance 1/(3 fan_in)",
                 "PyTorch torch.nn.Linear", "torch pytorch nn.linear default"},
                Distribution::uniform, FanMode::fan_in, 1.0 / 3),
    fixed_row({"truncated_normal", "normal of a given spread, cut at `cut` spreads",
               "PyTorch torch.nn.init.trunc_normal_", "trunc_normal trunc_normal_"},
              Distribution::truncated_normal, kTruncated),
    fixed_row({"orthogonal", "orthonormal rows or columns, times gain",
               "Saxe et al. 2013, arXiv 1312.6120", "orthogonal_ ortho"},
              Distribution::orthogonal),
    fixed_row({"gpt2", "normal of spread 0.02; the residual scheme gpt2 adds its 1/sqrt(depth)",
               "Radford et al. 2019", "gpt bert"},
              Distribution::normal, kGpt2),
    own_fan_row({"small", "normal, variance 2/(5 d), d the smaller fan",
                 "Nguyen & Salazar 2019, arXiv 1910.05895", "small_init smallinit"},
                Distribution::normal, FanMode::fan_min, 2.0 / 5),
    fixed_row({"sparse", "normal, but that `sparsity` of each input's weights are 0",
               "Martens 2010; PyTorch torch.nn.init.sparse_", "sparse_"},
              Distribution::sparse, kSparse),
    fixed_row(
        {"identity", "1 on the diagonal, times gain", "PyTorch torch.nn.init.eye_", "eye eye_"},
        Distribution::identity),
    fixed_row({"constant", "every weight the same", "PyTorch torch.nn.init.constant_",
               "constant_ fill full"},
              Distribution::constant, kValue),
    fixed_row({"ones", "every weight 1, times gain", "PyTorch torch.nn.init.ones_", "ones_ one"},
              Distribution::constant, {}, 1),
    fixed_row({"zeros", "every weight 0", "PyTorch torch.nn.init.zeros_", "zeros_ zero"},
              Distribution::constant),
    fixed_row(
        {"checkpoint", "a trained model's weights, times gain: `tensors` of the safetensors `file`",
         "https://github.com/huggingface/safetensors", "safetensors pretrained trained file"},
        Distribution::stored),
};

constexpr FanModeRow kModes[] = {
    {"fan_in", FanMode::fan_in}, {"fan_out", FanMode::fan_out}, {"fan_avg", FanMode::fan_avg}};

constexpr double kScalingCut = 2;  // of variance_scaling, in spreads

// Standard deviation of a standard normal within +-cut. Its variance 1 - 2 c phi(c) / erf(c/sqrt 2)
// loses digits to cancellation below 1, where the series of its two integrals take over:
// sum (-c^2/2)^k / k! / (2k + 3) and / (2k + 1).
double truncated_share(double cut) {
  if (cut >= 1) {
    const double density = std::exp(-cut * cut / 2) / std::sqrt(2 * std::numbers::pi);
    return std::sqrt(1 - 2 * cut * density / std::erf(cut / std::numbers::sqrt2));
  }
  double second = 0, zeroth = 0, term = 1;
  for (int k = 0; k < 20; ++k) {
    second += term / (2 * k + 3);
    zeroth += term / (2 * k + 1);
    term *= -cut * cut / 2 / (k + 1);
  }
  return cut * std::sqrt(second / zeroth);
}

double fan_of(FanMode mode, double fan_in, double fan_out) {
  switch (mode) {
    case FanMode::fan_out:
      return fan_out;
    case FanMode::fan_avg:
      return (fan_in + fan_out) / 2;
    case FanMode::fan_min:
      return std::min(fan_in, fan_out);
    default:
      return fan_in;
  }
}

// The row's own number, or the first parameter.
double number_of(const Init& init) {
  const bool given = init.row->scale == 0 && !init.row->parameters.empty();
  return given ? init.parameters[0] : init.row->scale;
}

// Of an init whose mode is not fixed: sqrt(times * variance).
double fan_spread(const Init& init, double times, std::int64_t fan_in, std::int64_t fan_out) {
  const double fan = fan_of(init.mode, static_cast<double>(fan_in), static_cast<double>(fan_out));
  return std::sqrt(times * number_of(init) / fan);
}

}  // namespace

std::string_view distribution_name(Distribution distribution) {
  constexpr DistributionRow kNames[] = {
      {"normal", Distribution::normal},
      {"uniform", Distribution::uniform},
      {"truncated normal", Distribution::truncated_normal},
      {"orthogonal", Distribution::orthogonal},
      {"sparse normal", Distribution::sparse},
      {"constant", Distribution::constant},
      {"identity", Distribution::identity},
      {"trained", Distribution::stored},
  };
  return std::ranges::find(kNames, distribution, &DistributionRow::distribution)->name;
}

std::span<const InitRow> init_table() { return kTable; }
std::span<const FanModeRow> fan_mode_table() { return kModes; }
std::span<const DistributionRow> scaling_distribution_table() { return kScalingDistributions; }

const InitRow* with_distribution(const InitRow& row, Distribution distribution) {
  if (row.name != kScalingRows[0].name) return nullptr;
  const auto found = std::ranges::find(kScalingRows, distribution, &InitRow::distribution);
  return found == std::end(kScalingRows) ? nullptr : &*found;
}

double Init::spread(std::int64_t fan_in, std::int64_t fan_out) const {
  const double drawn = std::fabs(factor(fan_in, fan_out));
  switch (row->distribution) {
    case Distribution::orthogonal:
    case Distribution::identity:
      return drawn / std::sqrt(static_cast<double>(std::max(fan_in, fan_out)));
    case Distribution::truncated_normal:
      return drawn * truncated_share(cut());
    case Distribution::uniform:
      return limit(fan_in, fan_out) / std::sqrt(3.0);
    case Distribution::sparse:
      return drawn * std::sqrt(static_cast<double>(fan_out - zeros(fan_out)) /
                               static_cast<double>(fan_out));
    case Distribution::stored:
      return drawn == 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
    case Distribution::normal:
    case Distribution::constant:
      break;
  }
  return drawn;
}

double Init::limit(std::int64_t fan_in, std::int64_t fan_out) const {
  if (mode == FanMode::fixed) return gain * parameters[0];
  return gain * fan_spread(*this, 3, fan_in, fan_out);
}

double Init::factor(std::int64_t fan_in, std::int64_t fan_out) const {
  switch (row->distribution) {
    case Distribution::uniform:
      return 1;
    case Distribution::orthogonal:
    case Distribution::identity:
    case Distribution::stored:
      return gain;
    case Distribution::constant:
      return gain * number_of(*this);
    case Distribution::sparse:
      return gain * parameters[1];
    case Distribution::normal:
    case Distribution::truncated_normal:
      break;
  }
  if (mode == FanMode::fixed) return gain * parameters[0];
  const double spread = gain * fan_spread(*this, 1, fan_in, fan_out);
  const bool cut_later = row->distribution == Distribution::truncated_normal;
  return cut_later ? spread / truncated_share(cut()) : spread;
}

double Init::cut() const { return mode == FanMode::fixed ? parameters[1] : kScalingCut; }

std::int64_t Init::zeros(std::int64_t fan_out) const {
  if (row->distribution != Distribution::sparse) return 0;
  return static_cast<std::int64_t>(std::ceil(parameters[0] * static_cast<double>(fan_out)));
}

bool drawn_whole(const Init& init) {
  if (init.stored != nullptr) return !init.stored->has_rows();
  return init.row->distribution == Distribution::orthogonal ||
         init.row->distribution == Distribution::sparse;
}

bool draws_nothing(const Init& init) {
  return init.row->distribution == Distribution::constant ||
         init.row->distribution == Distribution::identity ||
         init.row->distribution == Distribution::stored;
}

}  // namespace sigstab
