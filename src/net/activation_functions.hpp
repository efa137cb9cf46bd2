#pragma once
// The activations' functions: value f(z) and slope f'(z), in the type of z. Private to
// activation.cpp.
//
// Accuracy: a few roundings of the result, and of what rounding z itself changes in it, over the
// whole range of the type (slopes of tanh and softcap: a rounding of 1); no intermediate overflows
// where the result does not. Comparisons are written so that NaN falls through to the arm that
// PyTorch's would take. At kinks and infinities the slopes are those of PyTorch 1.13, whose
// infinity times 0 is often nan.
//
// kCuts: where the slope is 0 the gradient is cut, as PyTorch does it for functions of pieces: an
// infinite one does not become nan.

#include <cmath>
#include <numbers>

#include "base/parameter.hpp"

namespace sigstab::functions {

using P = ParameterValues;

template <class T>
T sigmoid(T z) {  // from the e^-|z| that cannot overflow
  const T e = std::exp(-std::fabs(z));
  return (z >= 0 ? T(1) : e) / (1 + e);
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

// 0, but nan at an infinite z.
template <class T>
T nan_at_infinity(T z) {
  return 0 * z;
}

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
  static constexpr bool kCuts = true;
  template <class T>
  static T value(T z, const P&) {
    return z <= 0 ? T(0) : z;
  }
  template <class T>
  static T slope(T z, const P&) {
    return z <= 0 ? T(0) : T(1);
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

struct ReluSquared {
  static constexpr bool kCuts = true;
  template <class T>
  static T value(T z, const P&) {
    return z <= 0 ? T(0) : z * z;
  }
  template <class T>
  static T slope(T z, const P&) {
    return z <= 0 ? T(0) : 2 * z;
  }
};

template <int low, int high>
struct Clamp {
  static constexpr bool kCuts = true;
  template <class T>
  static T value(T z, const P&) {
    return z < low ? T(low) : z > high ? T(high) : z;
  }
  template <class T>
  static T slope(T z, const P&) {
    return z > low && z < high ? T(1) : T(0);
  }
};
using Hardtanh = Clamp<-1, 1>;
using Relu6 = Clamp<0, 6>;

struct Hardswish {  // z clamp(z + 3, 0, 6) / 6
  static constexpr bool kCuts = true;
  template <class T>
  static T value(T z, const P&) {
    return z < -3 ? z * 0 : z >= 3 ? z : z * (z + 3) / 6;
  }
  template <class T>
  static T slope(T z, const P&) {
    return z < -3 ? T(0) : z >= 3 ? T(1) : (2 * z + 3) / 6;
  }
};

// Of tanh and softcap the slope is formed from the value, as frameworks do from the one they keep:
// where tanh rounds to 1 their gradient is 0 or a rounding error, and so is ours.
template <class T>
T one_minus_square(T t) {
  return (1 - t) * (1 + t);
}

struct Tanh {
  template <class T>
  static T value(T z, const P&) {
    return std::tanh(z);
  }
  template <class T>
  static T slope(T z, const P&) {
    return one_minus_square(std::tanh(z));
  }
};

struct Softcap {  // cap tanh(z / cap)
  template <class T>
  static T value(T z, const P& p) {
    return T(p[0]) * std::tanh(z / T(p[0]));
  }
  template <class T>
  static T slope(T z, const P& p) {
    return one_minus_square(std::tanh(z / T(p[0])));
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
    if (sech_squared(u) == 0) return one_plus_tanh(u) / 2 + nan_at_infinity(z);  // z^2 may overflow
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
    const T s = sigmoid(z);
    return s + z * s * sigmoid(-z);
  }
};

struct QuickGelu {  // z sigmoid(1.702 z)
  static constexpr double kK = 1.702;
  template <class T>
  static T value(T z, const P&) {
    return z * sigmoid(T(kK) * z);
  }
  template <class T>
  static T slope(T z, const P&) {
    const T s = sigmoid(T(kK) * z);
    return s + T(kK) * (z * s * sigmoid(T(-kK) * z));
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

struct Sin {
  template <class T>
  static T value(T z, const P&) {
    return std::sin(z);
  }
  template <class T>
  static T slope(T z, const P&) {
    return std::cos(z);
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
    return s * s + nan_at_infinity(z);  // the value is nan there, too
  }
};

}  // namespace sigstab::functions
