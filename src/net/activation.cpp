#include "net/activation.hpp"

#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace sigstab {
namespace {

using P = ParameterValues;

template <class T>
T sigmoid(T z) {
  return T(1) / (T(1) + std::exp(-z));
}

// log(1 + e^z) without overflow.
template <class T>
T log1p_exp(T z) {
  return (z > 0 ? z : T(0)) + std::log1p(std::exp(-std::fabs(z)));
}

// 1 - tanh(u)^2 and 1 + tanh(u), which keep their digits where tanh(u) is near 1 or -1.
template <class T>
T sech_squared(T u) {
  const T e = std::exp(-std::fabs(u)), c = 2 * e / (1 + e * e);
  return c * c;
}
template <class T>
T one_plus_tanh(T u) {
  return 2 * sigmoid(2 * u);
}

// Each struct is one function: value f(z) and slope f'(z), in the type of z. Comparisons are
// written so that NaN falls through to an arm that keeps it.

struct Linear {
  template <class T>
  static T value(T z, const P&) {
    return z;
  }
  template <class T>
  static T slope(T, const P&) {
    return 1;
  }
};

struct Relu {
  static constexpr bool kSelects = true;
  template <class T>
  static T value(T z, const P&) {
    return z <= 0 ? T(0) : z;
  }
  template <class T>
  static T slope(T z, const P&) {
    return z > 0 ? T(1) : T(0);
  }
};

struct LeakyRelu {
  template <class T>
  static T value(T z, const P& p) {
    return z > 0 ? z : T(p[0]) * z;
  }
  template <class T>
  static T slope(T z, const P& p) {
    return z > 0 ? T(1) : T(p[0]);
  }
};

struct Tanh {  // the slope is formed from tanh(z), as frameworks do from the value they keep
  template <class T>
  static T value(T z, const P&) {
    return std::tanh(z);
  }
  template <class T>
  static T slope(T z, const P&) {
    const T t = std::tanh(z);
    return (1 - t) * (1 + t);
  }
};

struct Sigmoid {
  template <class T>
  static T value(T z, const P&) {
    return sigmoid(z);
  }
  template <class T>
  static T slope(T z, const P&) {
    return sigmoid(z) * sigmoid(-z);
  }
};

struct Gelu {  // z Phi(z); erfc keeps the digits of the lower tail
  template <class T>
  static T phi(T z) {
    return T(0.5) * std::erfc(-z * T(std::numbers::sqrt2 / 2));
  }
  template <class T>
  static T value(T z, const P&) {
    return z * phi(z);
  }
  template <class T>
  static T slope(T z, const P&) {
    constexpr double kDensity = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    return phi(z) + z * T(kDensity) * std::exp(-z * z / 2);
  }
};

struct GeluTanh {  // z/2 (1 + tanh(k (z + c z^3)))
  static constexpr double kK = 2 * std::numbers::inv_sqrtpi / std::numbers::sqrt2, kC = 0.044715;
  template <class T>
  static T inner(T z) {
    return T(kK) * (z + T(kC) * z * z * z);
  }
  template <class T>
  static T value(T z, const P&) {
    return z / 2 * one_plus_tanh(inner(z));
  }
  template <class T>
  static T slope(T z, const P&) {
    const T u = inner(z);
    if (sech_squared(u) == 0) return one_plus_tanh(u) / 2;  // z^2 may be infinite
    return one_plus_tanh(u) / 2 + z / 2 * sech_squared(u) * T(kK) * (1 + 3 * T(kC) * z * z);
  }
};

struct Silu {
  template <class T>
  static T value(T z, const P&) {
    return z * sigmoid(z);
  }
  template <class T>
  static T slope(T z, const P&) {
    return sigmoid(z) * (1 + z * sigmoid(-z));
  }
};

struct Erf {
  template <class T>
  static T value(T z, const P&) {
    return std::erf(z);
  }
  template <class T>
  static T slope(T z, const P&) {
    return T(2 * std::numbers::inv_sqrtpi) * std::exp(-z * z);
  }
};

struct Elu {
  template <class T>
  static T value(T z, const P& p) {
    return z > 0 ? z : T(p[0]) * std::expm1(z);
  }
  template <class T>
  static T slope(T z, const P& p) {
    return z > 0 ? T(1) : T(p[0]) * std::exp(z);
  }
};

struct Selu {
  static constexpr double kScale = 1.0507009873554804934193349852946;
  static constexpr double kAlpha = 1.6732632423543772848170429916717;
  template <class T>
  static T value(T z, const P&) {
    return z > 0 ? T(kScale) * z : T(kScale * kAlpha) * std::expm1(z);
  }
  template <class T>
  static T slope(T z, const P&) {
    return z > 0 ? T(kScale) : T(kScale * kAlpha) * std::exp(z);
  }
};

struct Softplus {  // linear above the threshold, as PyTorch's: off by 2e-9 there
  template <class T>
  static T value(T z, const P& p) {
    return z > T(p[0]) ? z : log1p_exp(z);
  }
  template <class T>
  static T slope(T z, const P& p) {
    return z > T(p[0]) ? T(1) : sigmoid(z);
  }
};

struct Mish {  // z tanh(softplus(z))
  template <class T>
  static T value(T z, const P&) {
    return z * std::tanh(log1p_exp(z));
  }
  template <class T>
  static T slope(T z, const P&) {
    const T u = log1p_exp(z);
    return std::tanh(u) + z * sech_squared(u) * sigmoid(z);
  }
};

struct Softsign {
  template <class T>
  static T value(T z, const P&) {
    return z / (1 + std::fabs(z));
  }
  template <class T>
  static T slope(T z, const P&) {
    const T s = 1 / (1 + std::fabs(z));
    return s * s;
  }
};

struct Hardtanh {
  static constexpr bool kSelects = true;
  template <class T>
  static T value(T z, const P&) {
    return z < -1 ? T(-1) : z > 1 ? T(1) : z;
  }
  template <class T>
  static T slope(T z, const P&) {
    return z > -1 && z < 1 ? T(1) : T(0);
  }
};

struct Softcap {  // cap tanh(z / cap)
  template <class T>
  static T value(T z, const P& p) {
    return T(p[0]) * std::tanh(z / T(p[0]));
  }
  template <class T>
  static T slope(T z, const P& p) {
    const T t = std::tanh(z / T(p[0]));
    return (1 - t) * (1 + t);
  }
};

template <class F, class T>
void apply(std::span<const T> z, std::span<T> a, const P& p) {
  SIGSTAB_ASSERT(z.size() == a.size());
  for (std::size_t i = 0; i < z.size(); ++i) a[i] = F::value(z[i], p);
}

// With kSelects the gradient passes or is cut, as in PyTorch: an infinite one does not become NaN.
template <class F>
concept Selects = F::kSelects;

template <class F, class T>
void backward(std::span<const T> z, std::span<T> g, const P& p) {
  SIGSTAB_ASSERT(z.size() == g.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const T slope = F::slope(z[i], p);
    if constexpr (Selects<F>) {
      g[i] = slope == 0 ? T(0) : g[i];
    } else {
      g[i] *= slope;
    }
  }
}

template <class F>
constexpr ActivationRow row(std::string_view name, std::string_view help,
                            std::span<const Parameter> parameters = {}) {
  return {name,
          help,
          parameters,
          F::template value<double>,
          F::template slope<double>,
          apply<F, float>,
          apply<F, double>,
          backward<F, float>,
          backward<F, double>};
}

constexpr Parameter kLeakyParameters[] = {
    {"negative_slope", 0.01, -kHuge, kHuge, "slope for negative inputs"}};
constexpr Parameter kEluParameters[] = {
    {"alpha", 1.0, -kHuge, kHuge, "minus the limit at minus infinity"}};
constexpr Parameter kSoftplusParameters[] = {
    {"threshold", 20.0, 0, kHuge, "where PyTorch's softplus becomes linear"}};
constexpr Parameter kSoftcapParameters[] = {
    {"cap", 30.0, 1e-6, 1e6, "largest magnitude; Gemma 2 has 50 in attention, 30 at the output"}};

constexpr ActivationRow kTable[] = {
    row<Linear>("linear", "z"),
    row<Relu>("relu", "max(0, z)"),
    row<LeakyRelu>("leaky_relu", "z for z > 0, else negative_slope z", kLeakyParameters),
    row<Tanh>("tanh", "tanh(z)"),
    row<Sigmoid>("sigmoid", "1 / (1 + exp(-z))"),
    row<Gelu>("gelu", "z Phi(z), Phi the normal distribution function"),
    row<GeluTanh>("gelu_tanh", "z/2 (1 + tanh(sqrt(2/pi) (z + 0.044715 z^3)))"),
    row<Silu>("silu", "z sigmoid(z)"),
    row<Erf>("erf", "erf(z)"),
    row<Elu>("elu", "z for z > 0, else alpha (exp(z) - 1)", kEluParameters),
    row<Selu>("selu", "1.0507 elu(z) with alpha 1.6733"),
    row<Softplus>("softplus", "log(1 + exp(z)), linear above threshold", kSoftplusParameters),
    row<Mish>("mish", "z tanh(softplus(z))"),
    row<Softsign>("softsign", "z / (1 + |z|)"),
    row<Hardtanh>("hardtanh", "z clamped to [-1, 1]"),
    row<Softcap>("softcap", "cap tanh(z / cap)", kSoftcapParameters),
};

}  // namespace

std::span<const ActivationRow> activation_table() { return kTable; }

}  // namespace sigstab
