// Norm arithmetic: both norms on one given vector, entry by entry, with every number on the way.
//
// Nothing is drawn; everything is float64. The vector is `values` times `scale`.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kinds/kind.hpp"
#include "math/moments.hpp"
#include "net/norm.hpp"

namespace sigstab {
namespace {

constexpr Field kFields[] = {
    {.name = "values",
     .type = FieldType::numbers,
     .fallback = "[4, -2, 6, 4]",
     .help = "the vector"},
    {.name = "scale", .type = FieldType::number, .fallback = "1", .help = "multiplies the vector"},
    {.name = "eps",
     .type = FieldType::number,
     .fallback = "1e-5",
     .help = "added to the second moment",
     .low = 0},
};

constexpr Measure kMeasures[] = {
    {"x", "the entry, scaled"},
    {"centred", "x less the mean"},
    {"layernorm", "(x - mean) / sqrt(variance + eps)"},
    {"rmsnorm", "x / sqrt(mean square + eps)"},
    {"rmsnorm_without_eps", "x / sqrt(mean square)"},
    {"layernorm_jacobian", "Euclidean norm of d layernorm[entry] / d x; up to 4096 entries"},
    {"rmsnorm_jacobian", "the same of rmsnorm"},
    {"mean", "mean of the entries"},
    {"squared_mean", "its square"},
    {"variance", "mean squared distance from the mean"},
    {"standard_deviation", "its root, the spread"},
    {"sum_of_squares", "sum of the squared entries"},
    {"mean_square", "mean of the squared entries: squared_mean + variance"},
    {"root_mean_square", "its root"},
    {"layernorm_mean", "mean of what layernorm gives"},
    {"layernorm_variance", "its variance"},
    {"rmsnorm_root_mean_square", "root mean square of what rmsnorm gives"},
    {"norms_distance", "largest difference between the two norms' entries"},
};

constexpr std::int64_t kLargestJacobian = 4096;

std::vector<double> normalised(std::string_view kind, double eps, const std::vector<double>& x) {
  const std::int64_t d = static_cast<std::int64_t>(x.size());
  std::vector<double> y(x.size());
  const Norm norm{find_row(norm_table(), kind), eps};
  norm.apply(ConstView<double>{x.data(), 1, d}, View<double>{y.data(), 1, d});
  return y;
}

// The Euclidean norm of each row of the Jacobian at x: one unit vector a row, propagated back.
std::vector<double> jacobian_rows(std::string_view kind, double eps, const std::vector<double>& x) {
  const std::int64_t d = static_cast<std::int64_t>(x.size());
  const Norm norm{find_row(norm_table(), kind), eps};
  std::vector<double> sizes, g(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::ranges::fill(g, 0.0);
    g[i] = 1;
    norm.backward(ConstView<double>{x.data(), 1, d}, View<double>{g.data(), 1, d});
    sizes.push_back(euclidean_norm(std::span<const double>(g)));
  }
  return sizes;
}

double mean_of_entries(const std::vector<double>& x) { return mean(std::span<const double>(x)); }
double variance_of_entries(const std::vector<double>& x) {
  const double centre = mean_of_entries(x);
  double sum = 0;
  for (double v : x) sum += (v - centre) * (v - centre);
  return sum / static_cast<double>(x.size());
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

bool has_nan(const std::vector<double>& x) {
  return std::ranges::any_of(x, [](double v) { return std::isnan(v); });
}

class NormCase final : public KindCase {
 public:
  explicit NormCase(const ObjectReader& config)
      : x_(config.numbers("values")), scale_(config.number("scale")), eps_(config.number("eps")) {
    for (double& v : x_) v *= scale_;
  }

  std::int64_t rows() const override { return static_cast<std::int64_t>(x_.size()); }
  CaseResult shape() const override { return compute(); }  // too cheap to tell apart
  std::vector<std::string> default_columns() const override {
    return {"x", "centred", "layernorm", "rmsnorm"};
  }
  Cost cost() const override { return {0, 0, static_cast<double>(x_.size()) * 10 * 8}; }

  CaseResult compute() const {
    CaseResult result;
    result.facts = {{"scale", scale_}, {"eps", eps_}, {"width", rows()}};
    result.traits = {fmt::format("scale {:g}", scale_), fmt::format("eps {:g}", eps_)};
    const double centre = mean(std::span<const double>(x_));
    std::vector<double> centred = x_;
    for (double& v : centred) v -= centre;
    double sum_of_squares = 0, centred_squares = 0;
    for (double v : x_) sum_of_squares += v * v;
    for (double v : centred) centred_squares += v * v;
    const double d = static_cast<double>(rows());
    result.scalars = {{"mean", centre},
                      {"squared_mean", centre * centre},
                      {"variance", centred_squares / d},
                      {"standard_deviation", root_mean_square(std::span<const double>(centred))},
                      {"sum_of_squares", sum_of_squares},
                      {"mean_square", sum_of_squares / d},
                      {"root_mean_square", root_mean_square(std::span<const double>(x_))}};
    const auto add = [&](const char* name, std::vector<double> values) {
      result.columns.push_back({.name = name, .values = std::move(values)});
    };
    add("x", x_);
    add("centred", std::move(centred));
    const std::vector<double> layer = normalised("layernorm", eps_, x_);
    const std::vector<double> rms = normalised("rmsnorm", eps_, x_);
    result.scalars.push_back({"layernorm_mean", mean_of_entries(layer)});
    result.scalars.push_back({"layernorm_variance", variance_of_entries(layer)});
    result.scalars.push_back(
        {"rmsnorm_root_mean_square", root_mean_square(std::span<const double>(rms))});
    result.scalars.push_back({"norms_distance", largest_difference(layer, rms)});
    add("layernorm", layer);
    add("rmsnorm", rms);
    add("rmsnorm_without_eps", normalised("rmsnorm", 0, x_));
    if (rows() <= kLargestJacobian) {
      add("layernorm_jacobian", jacobian_rows("layernorm", eps_, x_));
      add("rmsnorm_jacobian", jacobian_rows("rmsnorm", eps_, x_));
    }
    for (const char* name : {"layernorm", "rmsnorm"}) {
      const std::vector<double>& y = result.column(name)->values;
      if (has_nan(y)) {
        result.verdicts.push_back(
            fmt::format("{} is nan: the {} is 0 and eps is 0, so it divides 0 by 0", name,
                        std::string_view(name) == "layernorm" ? "variance" : "mean square"));
        continue;
      }
      result.verdicts.push_back(fmt::format("{} comes out at RMS {:.4g}", name,
                                            root_mean_square(std::span<const double>(y))));
    }
    return result;
  }

 private:
  std::vector<double> x_;
  double scale_, eps_;
};

constexpr Kind kNormArithmeticKind = {
    .name = "norm_arithmetic",
    .help = "LayerNorm and RMSNorm of one vector, entry by entry",
    .row_name = "entry",
    .draws = false,
    .fields = rows_of<kFields>,
    .measures = rows_of<kMeasures>,
    .read = read_as<NormCase>,
    .check_unit = check_undrawn,
    .run = run_undrawn<NormCase>,
};

}  // namespace

const Kind& norm_arithmetic_kind() { return kNormArithmeticKind; }

}  // namespace sigstab
