#pragma once
// Integrals of functions of one variable, to the last digits.

#include <functional>
#include <span>

namespace sigstab {

// The integral of f from the first break to the last: 15-point Gauss-Kronrod on every panel,
// bisected until halving it changes nothing. Breaks ascend; put one wherever f has a kink or a
// narrow feature that 15 points between two breaks would miss.
// Accuracy: 1e-13 of the integral of |f|. A kink between breaks costs time, not digits.
double integrate(const std::function<double(double)>& f, std::span<const double> breaks);

}  // namespace sigstab
