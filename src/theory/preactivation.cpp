#include "theory/preactivation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "math/quadrature.hpp"
#include "math/special.hpp"
#include "theory/mean_field.hpp"

namespace sigstab {
namespace {

using std::numbers::pi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kFarLog = 2 * std::log(1e50);  // |ln variance| from which f is a power on each side
constexpr double kCut = 12;                 // spreads; what lies beyond has weight 4e-33

double square(double v) { return v * v; }

// --- beyond the range of a double ---------------------------------------------------------------

// g(z) = c |z|^k near +-t, for t so far out or in that g is a power there.
struct Power {
  double log_c, sign, k;
};
template <class G>
Power power_at(const G& g, double t) {
  const double here = g(t), there = g(2 * t);
  if (here == 0 || there == 0) return {-kInfinity, 0, 0};
  const double k = std::round(std::log2(std::fabs(there / here)));
  return {std::log(std::fabs(here)) - k * std::log(std::fabs(t)), here > 0 ? 1.0 : -1.0, k};
}
// ln E |z|^k of a standard normal, over one half of the line.
double log_half_moment(double k) {
  return k / 2 * std::log(2.0) + std::lgamma((k + 1) / 2) - 0.5 * std::log(pi) - std::log(2.0);
}
// ln of the mean square of a function with a power on each side.
double log_square_of(const Power& up, const Power& down, double log_spread) {
  const auto half = [&](const Power& p) {
    return p.sign == 0 ? -kInfinity : 2 * p.log_c + 2 * p.k * log_spread + log_half_moment(2 * p.k);
  };
  return log_add(half(up), half(down));
}

ActivationLaw far_law(const Activation& f, double log_variance) {
  const bool large = log_variance > 0;
  const double log_spread = log_variance / 2, t = large ? 1e60 : 1e-60;
  const auto value = [&](double z) { return f.value(z); };
  const auto slope = [&](double z) { return f.slope(z); };
  const Power up = power_at(value, t), down = power_at(value, -t);
  ActivationLaw law{log_square_of(up, down, log_spread), 0, 0};
  const auto mean_half = [&](const Power& p) {
    if (p.sign == 0) return 0.0;
    return p.sign *
           std::exp(p.log_c + p.k * log_spread + log_half_moment(p.k) - law.log_square / 2);
  };
  if (law.log_square > -kInfinity) law.mean_share = mean_half(up) + mean_half(down);
  const Power steep_up = power_at(slope, t), steep_down = power_at(slope, -t);
  const bool vanishes =
      large && (steep_up.sign == 0 || steep_up.k < 0) && (steep_down.sign == 0 || steep_down.k < 0);
  if (vanishes) {
    // The slope lives near 0 alone, and the density there is 1/spread.
    constexpr double kSpread = 1e8;
    const double there = gaussian_mean([&](double z) { return square(f.slope(z)); }, kSpread);
    law.log_slope_square = std::log(there) + std::log(kSpread) - log_spread;
  } else {
    law.log_slope_square = log_square_of(steep_up, steep_down, log_spread);
  }
  return law;
}

// --- with a bias --------------------------------------------------------------------------------

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double density(double z, double spread, const PreactivationLaw& law) {
  const double x = z - law.shift;
  if (law.limit == 0) {
    return std::exp(-square(x / spread) / 2) / (spread * std::sqrt(2 * pi));
  }
  if (spread == 0) return 1 / (2 * law.limit);
  // By symmetry in the tail that keeps its digits.
  const double far = -std::fabs(x);
  return (normal_below((far + law.limit) / spread) - normal_below((far - law.limit) / spread)) /
         (2 * law.limit);
}

// Where panels end: at the scales of the density, and at those of the activation.
std::vector<double> panel_ends(double spread, const PreactivationLaw& law) {
  const double reach = law.limit + kCut * spread;
  std::vector<double> ends = {law.shift - reach, law.shift + reach};
  const auto add = [&](double z) {
    if (std::fabs(z - law.shift) < reach) ends.push_back(z);
  };
  for (double edge : {law.shift - law.limit, law.shift + law.limit}) {
    for (double k : {-8.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 8.0}) add(edge + k * spread);
  }
  for (double z : {0.0, 1.0, 3.0, 6.0}) {
    add(z);
    add(-z);
  }
  for (double z = 0x1p-24; z < std::fabs(law.shift) + reach; z *= 4) {
    add(z);
    add(-z);
  }
  std::ranges::sort(ends);
  return ends;
}

bool is_centred_normal(const PreactivationLaw& law) { return law.shift == 0 && law.limit == 0; }

double spread_of(const PreactivationLaw& law) { return std::exp(law.log_variance / 2); }

// The same law where a bias is too small beside the weights to matter.
PreactivationLaw without_lost_bias(PreactivationLaw law) {
  constexpr double kLost = 1e-3;  // a uniform then acts through its variance, to 1e-12
  const double spread = spread_of(law);
  if (law.limit > 0 && law.limit < kLost * spread) {
    law.log_variance = log_add(law.log_variance, std::log(square(law.limit) / 3));
    law.limit = 0;
  }
  if (std::fabs(law.shift) < 1e-16 * spread) law.shift = 0;
  return law;
}

// E f over the root of E f^2, to 14 digits of 1: of a nearly odd function the mean is a difference
// whose own digits would take for ever.
double mean_share(const Activation& f, double root, const PreactivationLaw& law) {
  constexpr double kRounding = 1e-14;
  if (root == 0) return 0;
  const double share = law_mean([&](double z) { return 1 + f.value(z) / root; }, law) - 1;
  return std::fabs(share) < kRounding ? 0 : share;
}

}  // namespace

double PreactivationLaw::log_square() const {
  return log_add(log_variance, std::log(square(shift) + square(limit) / 3));
}

PreactivationLaw preactivation_law(double log_variance, const Bias& bias, std::int64_t fan_in) {
  PreactivationLaw law{log_variance, 0, 0};
  if (!bias.present()) return law;
  const double size = bias.row->size(static_cast<double>(fan_in), bias.parameters);
  if (!bias.row->drawn) {
    law.shift = size;
  } else if (bias.row->law == Law::kUniform) {
    law.limit = std::fabs(size);
  } else {
    law.log_variance = log_add(log_variance, std::log(square(size)));
  }
  return law;
}

double law_mean(const std::function<double(double)>& g, const PreactivationLaw& given) {
  const PreactivationLaw law = without_lost_bias(given);
  const double spread = spread_of(law);
  if (is_centred_normal(law)) return gaussian_mean(g, spread);
  if (spread == 0 && law.limit == 0) return g(law.shift);
  return integrate([&](double z) { return g(z) * density(z, spread, law); },
                   panel_ends(spread, law));
}

ActivationLaw activation_law(const Activation& f, const PreactivationLaw& given) {
  const PreactivationLaw law = without_lost_bias(given);
  const bool centred = is_centred_normal(law);
  if (centred && law.log_variance == -kInfinity) {
    const double value = std::fabs(f.value(0)), slope = std::fabs(f.slope(0));
    return {2 * std::log(value), value == 0 ? 0 : std::copysign(1.0, f.value(0)),
            2 * std::log(slope)};
  }
  if (const GaussianForms* forms = f.row->forms; forms != nullptr && centred) {
    return forms->moments(law.log_variance, f.parameters);
  }
  if (std::fabs(law.log_variance) > kFarLog && centred) return far_law(f, law.log_variance);
  const double second = law_mean([&](double z) { return square(f.value(z)); }, law);
  const double steep = law_mean([&](double z) { return square(f.slope(z)); }, law);
  return {std::log(second), mean_share(f, std::sqrt(second), law), std::log(steep)};
}

SquareSpread square_spread(const Activation& f, const PreactivationLaw& given) {
  PreactivationLaw law = without_lost_bias(given);
  law.log_variance = std::clamp(law.log_variance, -kFarLog, kFarLog);
  // Relative to one size, so that fourth powers stay in range.
  const double root = std::sqrt(law_mean([&](double z) { return square(f.value(z)); }, law));
  const double steep = std::sqrt(law_mean([&](double z) { return square(f.slope(z)); }, law));
  if (!(root > 0) || !(steep > 0)) return {};
  const auto value = [&](double z) { return square(f.value(z) / root); };
  const auto slope = [&](double z) { return square(f.slope(z) / steep); };
  SquareSpread spread;
  spread.value = law_mean([&](double z) { return square(value(z)); }, law) - 1;
  spread.slope = law_mean([&](double z) { return square(slope(z)); }, law) - 1;
  spread.both = law_mean([&](double z) { return value(z) * slope(z); }, law) - 1;
  spread.value = std::max(spread.value, 0.0);
  spread.slope = std::max(spread.slope, 0.0);
  return spread;
}

}  // namespace sigstab
