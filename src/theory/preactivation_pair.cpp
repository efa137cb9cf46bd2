// Two tokens at once: E f(z1) f(z2) for correlated preactivations.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

#include "theory/preactivation.hpp"

namespace sigstab {
namespace {

using std::numbers::pi;

constexpr std::size_t kPoints = 10;
struct Rule {
  std::array<double, kPoints> nodes, weights;  // on [-1, 1]
};

// Gauss and Legendre, by Newton's steps from Chebyshev's nodes.
Rule gauss_legendre() {
  Rule rule{};
  const double n = static_cast<double>(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) {
    double x = std::cos(pi * (static_cast<double>(i) + 0.75) / (n + 0.5)), slope = 0;
    for (int step = 0; step < 20; ++step) {
      double before = 1, now = x;
      for (std::size_t k = 2; k <= kPoints; ++k) {
        const double order = static_cast<double>(k);
        const double next = ((2 * order - 1) * x * now - (order - 1) * before) / order;
        before = now;
        now = next;
      }
      slope = n * (x * now - before) / (x * x - 1);
      x -= now / slope;
    }
    rule.nodes[i] = x;
    rule.weights[i] = 2 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

struct Sample {
  double z, weight;
};

// Points and weights of N(centre, spread^2), with panels at the scales of both the density and the
// activations' features.
void sample_normal(double centre, double spread, std::vector<Sample>& samples) {
  static const Rule rule = gauss_legendre();
  constexpr double kReach = 8.5;
  samples.clear();
  if (spread == 0) return samples.push_back({centre, 1});
  std::vector<double> ends;
  const auto add = [&](double u) {
    if (std::fabs(u) <= kReach) ends.push_back(u);
  };
  for (double u : {0.0, 0.75, 1.5, 3.0, 4.5, 6.0, kReach}) {
    add(u);
    add(-u);
  }
  for (double z : {0.0, 0.5, 1.0, 2.0, 3.0, 6.0, 12.0}) {
    add((z - centre) / spread);
    add((-z - centre) / spread);
  }
  std::ranges::sort(ends);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double half = (ends[i + 1] - ends[i]) / 2, middle = (ends[i + 1] + ends[i]) / 2;
    if (half == 0) continue;
    for (std::size_t k = 0; k < kPoints; ++k) {
      const double u = middle + half * rule.nodes[k];
      const double weight = half * rule.weights[k] * std::exp(-u * u / 2) / std::sqrt(2 * pi);
      samples.push_back({centre + spread * u, weight});
    }
  }
}

// E f(z1) f(z2), both N(shift, spread^2) with that correlation.
double normal_pair(const Activation& f, double shift, double spread, double correlation) {
  std::vector<Sample> first, second;
  sample_normal(shift, spread, first);
  const double rest = spread * std::sqrt(std::max(0.0, 1 - correlation * correlation));
  double sum = 0;
  for (const Sample& one : first) {
    sample_normal(shift + correlation * (one.z - shift), rest, second);
    double inner = 0;
    for (const Sample& other : second) inner += other.weight * f.value(other.z);
    sum += one.weight * f.value(one.z) * inner;
  }
  return sum;
}

}  // namespace

double pair_share(const Activation& f, const PreactivationLaw& law, double correlation) {
  const ActivationLaw alone = activation_law(f, law);
  if (correlation >= 1 || alone.log_square == -std::numeric_limits<double>::infinity()) return 1;
  if (law.shift == 0 && law.limit == 0) {
    const GaussianForms* forms = f.row->forms;
    if (forms != nullptr && forms->pair != nullptr) {
      return forms->pair(law.log_variance, std::clamp(correlation, -1.0, 1.0), f.parameters);
    }
  }
  // Homogeneous at both ends of the range, so that a ratio taken there holds beyond.
  const double log_spread = std::clamp(law.log_variance / 2, -115.0, 115.0);
  const double spread = std::exp(log_spread);
  PreactivationLaw near = law;
  near.log_variance = 2 * log_spread;
  const double square = std::exp(activation_law(f, near).log_square);
  if (law.limit == 0) return normal_pair(f, law.shift, spread, correlation) / square;
  static const Rule rule = gauss_legendre();
  double mean = 0;
  for (std::size_t k = 0; k < kPoints; ++k) {
    const double shift = law.shift + law.limit * rule.nodes[k];
    mean += rule.weights[k] / 2 * normal_pair(f, shift, spread, correlation);
  }
  return mean / square;
}

}  // namespace sigstab
