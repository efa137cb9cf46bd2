#pragma once
// Sizes of vectors, in double whatever the type of the entries.
//
// Squares pass the range of a double at half the depth at which the values do; every function here
// rescales by a power of two when its direct sum would overflow or lose digits to underflow, so
// that it is finite and accurate wherever its true value is. NaN if any entry is NaN, else infinite
// if any is.

#include <span>

namespace sigstab {

// sqrt of the mean of squares; NaN for no entries.
double root_mean_square(std::span<const float> x);
double root_mean_square(std::span<const double> x);
// sqrt of the sum of squares: the Frobenius norm of a matrix's entries.
double euclidean_norm(std::span<const float> x);
double euclidean_norm(std::span<const double> x);
// Mean, by a sum that cannot overflow; of equal entries exactly that entry.
double mean(std::span<const float> x);
double mean(std::span<const double> x);

}  // namespace sigstab
