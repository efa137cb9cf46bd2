#include "net/activation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "math/golden_section.hpp"
#include "net/activation_functions.hpp"
#include "net/gaussian_forms.hpp"

namespace sigstab {
namespace {

using namespace functions;  // NOLINT(google-build-using-namespace): the rows below name them

template <class F, class T>
void apply(std::span<const T> z, std::span<T> a, const P& p) {
  SIGSTAB_ASSERT(z.size() == a.size());
  for (std::size_t i = 0; i < z.size(); ++i) a[i] = F::value(z[i], p);
}

template <class F>
concept Cuts = F::kCuts;

template <class F, class T>
void backward(std::span<const T> z, std::span<T> g, const P& p) {
  SIGSTAB_ASSERT(z.size() == g.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const T slope = F::slope(z[i], p);
    if constexpr (Cuts<F>) {
      g[i] = slope == 0 ? T(0) : g[i] * slope;
    } else {
      g[i] *= slope;
    }
  }
}

struct Text {
  std::string_view name, help, source, aliases = "";
};

template <class F>
constexpr ActivationRow row(Text text, std::span<const Parameter> parameters = {}) {
  return {text.name,
          text.help,
          text.source,
          text.aliases,
          parameters,
          false,
          nullptr,
          nullptr,
          F::template value<double>,
          F::template slope<double>,
          apply<F, float>,
          apply<F, double>,
          backward<F, float>,
          backward<F, double>};
}

// The gate of a gated mlp, W2 (f(Wg x) * (W1 x)).
template <class F>
constexpr ActivationRow gate(Text text) {
  ActivationRow gate = row<F>(text);
  gate.gated = true;
  return gate;
}

// What is known of an activation beside its functions.
constexpr ActivationRow with(ActivationRow known, const GaussianForms* forms,
                             double (*torch_gain)(const P&) = nullptr) {
  known.forms = forms;
  known.torch_gain = torch_gain;
  return known;
}

// torch/nn/init.py, calculate_gain.
double torch_one(const P&) { return 1; }
double torch_tanh(const P&) { return 5.0 / 3; }
double torch_relu(const P&) { return std::sqrt(2.0); }
double torch_leaky(const P& p) { return std::sqrt(2 / (1 + p[0] * p[0])); }
double torch_selu(const P&) { return 0.75; }

constexpr Parameter kLeakyParameters[] = {
    {"negative_slope", 0.01, -kHuge, kHuge, "slope for negative inputs"}};
constexpr Parameter kEluParameters[] = {
    {"alpha", 1.0, -kHuge, kHuge, "minus the limit at minus infinity"}};
constexpr Parameter kSoftplusParameters[] = {
    {"threshold", 20.0, 0, kHuge, "where PyTorch's softplus becomes linear"}};
constexpr Parameter kSoftcapParameters[] = {
    {"cap", 30.0, 1e-6, 1e6, "largest magnitude; Gemma 2 has 50 in attention, 30 at the output"}};

constexpr std::string_view kGluSource = "Shazeer 2020, arXiv 2002.05202";

constexpr ActivationRow kTable[] = {
    with(row<Linear>({"linear", "z", "Saxe et al. 2013, arXiv 1312.6120", "identity none"}),
         &kLinearForms, torch_one),
    with(row<Relu>({"relu", "max(0, z)", "Nair & Hinton 2010"}), &kReluForms, torch_relu),
    with(row<LeakyRelu>({"leaky_relu", "z for z > 0, else negative_slope z", "Maas et al. 2013",
                         "leaky lrelu"},
                        kLeakyParameters),
         &kLeakyReluForms, torch_leaky),
    row<Relu6>({"relu6", "z clamped to [0, 6]", "Howard et al. 2017, arXiv 1704.04861"}),
    with(row<ReluSquared>({"relu_squared", "max(0, z)^2", "So et al. 2021, arXiv 2109.08668",
                           "squared_relu relu2 sqrelu primer"}),
         &kReluSquaredForms),
    row<Elu>(
        {"elu", "z for z > 0, else alpha (exp(z) - 1)", "Clevert et al. 2015, arXiv 1511.07289"},
        kEluParameters),
    with(row<Selu>({"selu", "1.0507 elu(z) with alpha 1.6733",
                    "Klambauer et al. 2017, arXiv 1706.02515"}),
         nullptr, torch_selu),
    with(row<Gelu>({"gelu", "z Phi(z), Phi the normal distribution function",
                    "Hendrycks & Gimpel 2016, arXiv 1606.08415", "gelu_exact gelu_erf"}),
         &kGeluForms),
    row<GeluTanh>({"gelu_tanh", "z/2 (1 + tanh(sqrt(2/pi) (z + 0.044715 z^3)))",
                   "Hendrycks & Gimpel 2016, arXiv 1606.08415",
                   "gelu_new gelu_approximate gelu_pytorch_tanh gelu_fast"}),
    row<QuickGelu>({"quick_gelu", "z sigmoid(1.702 z)", "Hendrycks & Gimpel 2016, arXiv 1606.08415",
                    "gelu_quick gelu_sigmoid"}),
    row<Silu>({"silu", "z sigmoid(z)", "Elfwing et al. 2017, arXiv 1702.03118", "swish"}),
    row<Mish>({"mish", "z tanh(softplus(z))", "Misra 2019, arXiv 1908.08681"}),
    row<Softplus>({"softplus", "log(1 + exp(z)), linear above threshold", "Dugas et al. 2000"},
                  kSoftplusParameters),
    row<Softsign>({"softsign", "z / (1 + |z|)", "Turian et al. 2009"}),
    row<Hardtanh>({"hardtanh", "z clamped to [-1, 1]", "Collobert 2004", "hard_tanh htanh"}),
    row<Hardswish>({"hardswish", "z clamp(z + 3, 0, 6) / 6", "Howard et al. 2019, arXiv 1905.02244",
                    "hard_swish hswish hard_silu"}),
    with(row<Sigmoid>({"sigmoid", "1 / (1 + exp(-z))", "Glorot & Bengio 2010", "logistic"}),
         nullptr, torch_one),
    with(row<Tanh>({"tanh", "tanh(z)", "LeCun et al. 1998, Efficient BackProp"}), nullptr,
         torch_tanh),
    with(row<Erf>({"erf", "erf(z)", "Williams 1997"}), &kErfForms),
    with(row<Sin>({"sin", "sin(z)", "Sitzmann et al. 2020, arXiv 2006.09661", "sine siren"}),
         &kSinForms),
    row<Softcap>({"softcap", "cap tanh(z / cap)", "Gemma 2, arXiv 2408.00118",
                  "soft_cap logit_cap tanh_cap"},
                 kSoftcapParameters),
    with(gate<Gelu>({"geglu", "the gate of a gated mlp: gelu", kGluSource, "gelu_glu gated_gelu"}),
         &kGeluForms),
    gate<GeluTanh>({"geglu_tanh", "the gate of a gated mlp: gelu_tanh", kGluSource}),
    gate<Silu>({"swiglu", "the gate of a gated mlp: silu", kGluSource, "silu_glu gated_silu"}),
    with(gate<Relu>({"reglu", "the gate of a gated mlp: relu", kGluSource, "relu_glu gated_relu"}),
         &kReluForms),
};

// The larger |slope| of two points; nan counts as none.
double steeper(double a, double b) { return b > a || std::isnan(a) ? b : a; }

// The largest |f'| between a and b, where it rises to one peak and falls.
double peak_slope(const Activation& f, double a, double b) {
  constexpr int kSections = 80;  // 0.618^80 < 2^-53
  return golden_peak([&](double z) { return std::fabs(f.slope(z)); }, a, b, kSections).value;
}

}  // namespace

std::span<const ActivationRow> activation_table() { return kTable; }

double steepest_slope(const Activation& f) {
  constexpr double kFar = 1e150;
  double best = 0;
  for (double sign : {-1.0, 1.0}) {
    const double far = std::fabs(f.slope(sign * kFar));
    if (std::fabs(f.slope(sign * kFar * kFar)) > 2 * far && far > 1) {
      return std::numeric_limits<double>::infinity();
    }
    best = steeper(best, far);
    // 0, then 2^-40 to 2^40 in steps of 2^(1/16).
    constexpr int kSteps = 16, kEnd = 40 * kSteps;
    double inner = 0, middle = 0;
    for (int k = -kEnd; k <= kEnd; ++k) {
      const double outer = sign * std::exp2(static_cast<double>(k) / kSteps);
      const double here = std::fabs(f.slope(middle));
      best = steeper(best, here);
      if (here >= std::fabs(f.slope(inner)) && here >= std::fabs(f.slope(outer))) {
        best = steeper(best, peak_slope(f, inner, outer));
      }
      inner = middle;
      middle = outer;
    }
  }
  return best;
}

}  // namespace sigstab
