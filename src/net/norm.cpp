#include "net/norm.hpp"

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "math/moments.hpp"

namespace sigstab {
namespace {

constexpr NormRow kNorms[] = {
    {"none", "no norm", false, true},
    {"layernorm", "(x - mean) / sqrt(variance + eps)", true, false},
    {"rmsnorm", "x / sqrt(mean square + eps)", false, false},
};

constexpr PlacementRow kPlacements[] = {
    {"none", "in no block (only where `final` asks)", Placement::none, false, false},
    {"pre", "s x + b f(N x); without residual f(N x)", Placement::pre, false, false},
    {"post", "N(s x + b f x); without residual N(f x)", Placement::post, false, false},
    {"sandwich", "s x + b N(f(N x))", Placement::sandwich, true, false},
    {"reordered", "s x + b N(f x)", Placement::reordered, true, false},
    {"sub", "s x + b W2 N(act(W1 N x))", Placement::sub, true, true},
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

template <class T>
bool apply_rows(const Norm& norm, ConstView<T> x, View<T> y) {
  SIGSTAB_ASSERT(norm.present() && x.rows == y.rows && x.cols == y.cols);
  Standardised token;
  bool defined = true;
  for (std::int64_t r = 0; r < x.rows; ++r) {
    standardise(norm, x.row(r), token);
    defined = defined && token.denominator != 0;
    const std::span<T> out = y.row(r);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<T>(norm.gain * (token.centred[i] / token.denominator) + norm.bias);
    }
  }
  return defined;
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

bool Norm::apply(ConstView<float> x, View<float> y) const { return apply_rows(*this, x, y); }
bool Norm::apply(ConstView<double> x, View<double> y) const { return apply_rows(*this, x, y); }
void Norm::backward(ConstView<float> x, View<float> g) const { backward_rows(*this, x, g); }
void Norm::backward(ConstView<double> x, View<double> g) const { backward_rows(*this, x, g); }

}  // namespace sigstab
