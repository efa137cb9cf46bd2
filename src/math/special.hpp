#pragma once
// Special functions that the standard library lacks.

namespace sigstab {

// The inverse of erf on [-1, 1], infinite at the ends.
// Accuracy: relative error below 1e-14 (two Newton steps on a rational start).
double erf_inverse(double y);

}  // namespace sigstab
