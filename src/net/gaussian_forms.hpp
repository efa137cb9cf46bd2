#pragma once
// Closed forms of an activation's Gaussian integrals, for z ~ N(0, q) at any size: 10^-3000 is a
// size like any other.
//
// Units: sizes are natural logarithms of mean squares, -infinity for 0; everything else is a ratio.
// Source: Cho & Saul 2009 (relu), Williams 1997 (erf); gelu's forms follow from E Phi and its
// derivatives, and are checked against 30-digit quadrature.

#include "base/parameter.hpp"

namespace sigstab {

// The first moments of f(z) and f'(z).
struct GaussianMoments {
  double log_square;        // ln E f^2
  double mean_share;        // E f / sqrt(E f^2), 0 where f is 0
  double log_slope_square;  // ln E f'^2
};

struct GaussianForms {
  GaussianMoments (*moments)(double log_variance, const ParameterValues&);
  // E f(z1) f(z2) / E f^2 of two normals of that correlation; null: no closed form is known.
  double (*pair)(double log_variance, double correlation, const ParameterValues&) = nullptr;
  // f(c z) = c^k f(z) for c > 0: what is said of a size holds for all.
  bool homogeneous = false;
};

extern const GaussianForms kLinearForms, kReluForms, kLeakyReluForms, kReluSquaredForms, kErfForms,
    kGeluForms, kSinForms;

}  // namespace sigstab
