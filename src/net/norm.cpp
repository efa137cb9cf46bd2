#include "net/norm.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/named_table.hpp"
#include "math/moments.hpp"

namespace sigstab {
namespace {

constexpr NormRow kNorms[] = {
    {"none", "no norm", false, true},
    {"layernorm", "(x - mean) / sqrt(variance + eps)", true, false},
    {"rmsnorm", "x / sqrt(mean square + eps)", false, false},
};

constexpr PlacementRow kPlacements[] = {
    {.name = "none", .help = "in no block (only where `final` asks)"},
    {.name = "pre", .help = "s x + b f(N x); without residual f(N x)", .before_branch = true},
    {.name = "post", .help = "N(s x + b f x); without residual N(f x)", .after_sum = true},
    {.name = "sandwich",
     .help = "s x + b N(f(N x))",
     .before_branch = true,
     .after_branch = true,
     .needs_residual = true},
    {.name = "reordered", .help = "s x + b N(f x)", .after_branch = true, .needs_residual = true},
    {.name = "sub",
     .help = "s x + b W2 N(act(W1 N x))",
     .before_branch = true,
     .inside_branch = true,
     .needs_residual = true,
     .needs_mlp = true},
};

// One token's centred values in double, and the denominator sqrt(second moment + eps).
struct Standardised {
  std::vector<double> centred;
  double denominator;
};

template <class T>
void standardise(const Norm& norm, std::span<const T> x, Standardised& out) {
  const double centre = norm.row->centred ? mean(x) : 0.0;
  out.centred.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out.centred[i] = static_cast<double>(x[i]) - centre;
  out.denominator =
      std::hypot(root_mean_square(std::span<const double>(out.centred)), std::sqrt(norm.eps));
}

// y = gain x / sqrt(mean(x x) + eps) + bias, for layernorm with x less its mean, where every
// intermediate result is stored in a 16-bit format; sums run in float32 and are stored rounded.
NormState apply_in_steps(const Norm& norm, std::span<const float> x, std::span<float> y) {
  const auto stored = [&](float v) {
    norm.steps->round({&v, 1});
    return v;
  };
  const auto mean_of = [&](std::span<const float> values) {
    float sum = 0;
    for (float v : values) sum += v;
    return stored(sum / static_cast<float>(values.size()));
  };
  std::vector<float> centred(x.begin(), x.end()), squares(x.size());
  if (norm.row->centred) {
    const float centre = mean_of(x);
    for (float& v : centred) v -= centre;
    norm.steps->round(centred);
  }
  for (std::size_t i = 0; i < x.size(); ++i) squares[i] = centred[i] * centred[i];
  norm.steps->round(squares);
  const float moment = stored(mean_of(squares) + stored(static_cast<float>(norm.eps)));
  const float factor = stored(1 / std::sqrt(moment));
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = stored(centred[i] * factor) * static_cast<float>(norm.gain);
    y[i] = stored(y[i]) + static_cast<float>(norm.bias);
  }
  norm.steps->round(y);
  const bool has_size = std::ranges::any_of(centred, [](float v) { return v != 0; });
  if (std::isinf(moment) || (has_size && mean_of(squares) == 0)) return NormState::lost;
  return moment == 0 ? NormState::divided_by_zero : NormState::defined;
}

template <class T>
NormState apply_rows(const Norm& norm, ConstView<T> x, View<T> y) {
  SIGSTAB_ASSERT(norm.present() && x.rows == y.rows && x.cols == y.cols);
  Standardised token;
  NormState state = NormState::defined;
  for (std::int64_t r = 0; r < x.rows; ++r) {
    if constexpr (std::is_same_v<T, float>) {
      if (norm.steps != nullptr) {
        state = std::max(state, apply_in_steps(norm, x.row(r), y.row(r)));
        continue;
      }
    }
    standardise(norm, x.row(r), token);
    if (token.denominator == 0) state = std::max(state, NormState::divided_by_zero);
    const std::span<T> out = y.row(r);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<T>(norm.gain * (token.centred[i] / token.denominator) + norm.bias);
    }
  }
  return state;
}

template <class T>
void backward_rows(const Norm& norm, ConstView<T> x, View<T> g) {
  SIGSTAB_ASSERT(norm.present() && x.rows == g.rows && x.cols == g.cols);
  Standardised token;
  for (std::int64_t r = 0; r < x.rows; ++r) {
    standardise(norm, x.row(r), token);
    const std::span<T> gradient = g.row(r);
    const double d = static_cast<double>(gradient.size());
    double sum = 0, sum_along = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      token.centred[i] /= token.denominator;  // now y
      sum += static_cast<double>(gradient[i]);
      sum_along += static_cast<double>(gradient[i]) * token.centred[i];
    }
    const double shift = norm.row->centred ? sum / d : 0.0, along = sum_along / d;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double inner = static_cast<double>(gradient[i]) - shift - token.centred[i] * along;
      gradient[i] = static_cast<T>(norm.gain * (inner / token.denominator));
    }
  }
}

}  // namespace

std::span<const NormRow> norm_table() { return kNorms; }
std::span<const PlacementRow> placement_table() { return kPlacements; }

const PlacementRow& default_placement(bool has_norm, bool has_residual) {
  return *find_row(kPlacements, !has_norm ? "none" : has_residual ? "pre" : "post");
}

NormState Norm::apply(ConstView<float> x, View<float> y) const { return apply_rows(*this, x, y); }
NormState Norm::apply(ConstView<double> x, View<double> y) const { return apply_rows(*this, x, y); }
void Norm::backward(ConstView<float> x, View<float> g) const { backward_rows(*this, x, g); }
void Norm::backward(ConstView<double> x, View<double> g) const { backward_rows(*this, x, g); }

}  // namespace sigstab
