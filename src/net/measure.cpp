#include "net/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "math/blas.hpp"
#include "math/moments.hpp"

namespace sigstab {
namespace {

bool has_residual(const StackSpec& s) { return s.residual.present(); }
bool has_several_tokens(const StackSpec& s) { return s.tokens > 1; }
bool has_token_pairs(const StackSpec& s) { return s.tokens % 2 == 0; }

struct RootMeanSquare {
  template <class T>
  static double of(const Seen<T>& seen) {
    return root_mean_square(seen.value.all());
  }
};

struct Mean {
  template <class T>
  static double of(const Seen<T>& seen) {
    return mean(seen.value.all());
  }
};

struct StandardDeviation {
  template <class T>
  static double of(const Seen<T>& seen) {
    const double centre = mean(seen.value.all());
    std::vector<double> centred;
    centred.reserve(static_cast<std::size_t>(seen.value.size()));
    for (T v : seen.value.all()) centred.push_back(static_cast<double>(v) - centre);
    return root_mean_square(std::span<const double>(centred));
  }
};

struct Largest {
  template <class T>
  static double of(const Seen<T>& seen) {
    double largest = 0;
    for (T v : seen.value.all()) {
      const double magnitude = std::fabs(static_cast<double>(v));
      if (std::isnan(magnitude)) return magnitude;
      largest = std::max(largest, magnitude);
    }
    return largest;
  }
};

struct DeadUnits {
  template <class T>
  static double of(const Seen<T>& seen) {
    constexpr double kDead = 1e-12;
    std::int64_t dead = 0;
    for (std::int64_t unit = 0; unit < seen.value.cols; ++unit) {
      bool silent = true;
      for (std::int64_t token = 0; silent && token < seen.value.rows; ++token) {
        silent = std::fabs(static_cast<double>(seen.value(token, unit))) < kDead;
      }
      dead += silent ? 1 : 0;
    }
    return static_cast<double>(dead) / static_cast<double>(seen.value.cols);
  }
};

struct SaturatedUnits {
  template <class T>
  static double of(const Seen<T>& seen) {
    constexpr double kFlat = 0.01;
    // A slope without a largest value has no share of it.
    if (!std::isfinite(seen.steepest_slope)) return std::numeric_limits<double>::quiet_NaN();
    std::int64_t saturated = 0;
    for (T z : seen.value.all()) {
      const double slope = std::fabs(seen.activation->slope(static_cast<double>(z)));
      saturated += slope < kFlat * seen.steepest_slope ? 1 : 0;
    }
    return static_cast<double>(saturated) / static_cast<double>(seen.value.size());
  }
};

// RMS of the branch's part over RMS of the sum.
struct BranchShare {
  template <class T>
  static double of(const Seen<T>& seen) {
    const std::span<const T> f = seen.value.all(), x = seen.beside.all();
    std::vector<double> part(f.size()), sum(f.size());
    for (std::size_t i = 0; i < f.size(); ++i) {
      part[i] = seen.multiplier * static_cast<double>(f[i]);
      sum[i] = seen.skip * static_cast<double>(x[i]) + part[i];
    }
    return root_mean_square(std::span<const double>(part)) /
           root_mean_square(std::span<const double>(sum));
  }
};

double cosine(std::span<const double> a, std::span<const double> b) {
  double dot = 0;
  const double a_norm = euclidean_norm(a), b_norm = euclidean_norm(b);
  for (std::size_t i = 0; i < a.size(); ++i) dot += (a[i] / a_norm) * (b[i] / b_norm);
  return dot;
}

struct PairCosine {
  template <class T>
  static double of(const Seen<T>& seen) {
    double sum = 0;
    for (std::int64_t token = 0; token + 1 < seen.value.rows; token += 2) {
      const std::span<const T> first = seen.value.row(token), second = seen.value.row(token + 1);
      sum += cosine(std::vector<double>(first.begin(), first.end()),
                    std::vector<double>(second.begin(), second.end()));
    }
    return sum / static_cast<double>(seen.value.rows / 2);
  }
};

// exp of the entropy of the normalised singular values.
// Source: Roy & Vetterli 2007, "The effective rank".
struct EffectiveRank {
  template <class T>
  static double of(const Seen<T>& seen) {
    Matrix<double> x(seen.value.rows, seen.value.cols);
    std::ranges::copy(seen.value.all(), x.all().begin());
    const double size = euclidean_norm(std::as_const(x).all());
    if (size == 0 || !std::isfinite(size)) return std::numeric_limits<double>::quiet_NaN();
    for (double& v : x.all()) v /= size;
    const std::vector<double> singular = singular_values(x.view());
    double total = 0, entropy = 0;
    for (double s : singular) total += s;
    for (double s : singular) entropy -= s > 0 ? s / total * std::log(s / total) : 0;
    return std::exp(entropy);
  }
};

// |dW|_F without forming dW where it is an outer product.
struct GradientNorm {
  template <class T>
  static double of(const Seen<T>& seen) {
    const ConstView<T> x = seen.value, dy = seen.beside;
    if (x.rows == 1) return euclidean_norm(x.all()) * euclidean_norm(dy.all());
    Matrix<T> dw(dy.cols, x.cols);
    multiply_tn(dy, x, dw.view());
    return euclidean_norm(std::as_const(dw).all());
  }
};

struct GradientRms {
  template <class T>
  static double of(const Seen<T>& seen) {
    const double entries =
        static_cast<double>(seen.value.cols) * static_cast<double>(seen.beside.cols);
    return GradientNorm::of(seen) / std::sqrt(entries);
  }
};

template <class F>
constexpr MeasureRow size(std::string_view name, std::string_view help, Site site) {
  return {name, help, site, F::template of<float>, F::template of<double>, true, nullptr, ""};
}
// What is no size: shares, means and angles.
template <class F>
constexpr MeasureRow other(std::string_view name, std::string_view help, Site site,
                           bool (*applies)(const StackSpec&) = nullptr,
                           std::string_view needs = "") {
  return {name, help, site, F::template of<float>, F::template of<double>, false, applies, needs};
}

constexpr MeasureRow at_input(std::string_view scalar, std::string_view help, MeasureRow row) {
  row.input_scalar = scalar;
  row.input_help = help;
  return row;
}

constexpr MeasureRow kTable[] = {
    at_input("input_rms", "RMS of the input",
             size<RootMeanSquare>("forward_rms", "RMS of the stream after the layer's block",
                                  Site::stream)),
    at_input("input_mean", "mean of the input's entries",
             other<Mean>("forward_mean", "mean of the stream's entries", Site::stream)),
    at_input("input_deviation", "standard deviation of the input's entries",
             size<StandardDeviation>("forward_deviation",
                                     "standard deviation of the stream's entries", Site::stream)),
    at_input("input_max", "largest magnitude in the input",
             size<Largest>("forward_max", "largest magnitude in the stream", Site::stream)),
    size<RootMeanSquare>("preactivation_rms", "RMS of what the activation is given",
                         Site::preactivation),
    other<DeadUnits>("dead_units", "share of units with |activation| < 1e-12 for every token",
                     Site::activation),
    other<SaturatedUnits>("saturated_units",
                          "share of preactivations where |f'| is below 1% of its largest value",
                          Site::preactivation),
    size<RootMeanSquare>("branch_rms", "RMS of the branch, before its multiplier", Site::branch),
    other<BranchShare>("branch_share",
                       "RMS of the branch, multiplied, over RMS of its sum with the skip",
                       Site::branch, has_residual, "a residual scheme"),
    at_input("input_cosine", "cosine of the input",
             other<PairCosine>("cosine",
                               "cosine of tokens 1 and 2, 3 and 4, ... of the stream, on average",
                               Site::stream, has_token_pairs, "an even number of tokens")),
    at_input(
        "input_effective_rank", "effective_rank of the input",
        other<EffectiveRank>("effective_rank",
                             "exp of the entropy of the normalised singular values of the tokens",
                             Site::stream, has_several_tokens, "more than one token")),
    at_input(
        "input_gradient_rms", "RMS of the loss gradient at the input",
        size<RootMeanSquare>("gradient_rms", "RMS of the loss gradient with respect to the stream",
                             Site::stream_gradient)),
    size<RootMeanSquare>("branch_gradient_rms", "RMS of the loss gradient at the branch's end",
                         Site::branch_gradient),
    size<GradientRms>("weight_gradient_rms", "RMS of the loss gradient of a matrix",
                      Site::weight_gradient),
    size<GradientNorm>("weight_gradient_frobenius", "its Frobenius norm", Site::weight_gradient),
};

}  // namespace

std::span<const MeasureRow> measure_table() { return kTable; }

}  // namespace sigstab
