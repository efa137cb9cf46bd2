#pragma once
// A product of square matrices, one after another from the left, and all its singular values.
//
// A product of many random matrices has singular values that differ by more than 10^16, of which
// the product itself, formed in doubles, would keep the largest alone. It is held as Q S e^scale:
// Q orthogonal, S triangular with rows that fall off, so that each row keeps its own digits.
// Source: Stewart 1997, "On graded QR decompositions of products of matrices".

#include <vector>

#include "math/matrix.hpp"

namespace sigstab {

class GradedProduct {
 public:
  // Starts as the identity.
  explicit GradedProduct(std::int64_t n);

  // Replaces the product J by B J. Entries of B must be finite.
  void multiply_from_left(ConstView<double> b);

  // ln of the singular values, largest first; minus infinity where they are 0.
  // Accuracy: about 12 digits of each. Directions that one factor shrinks by more than
  // 2^-52 n beside its largest are taken as its null space, and singular values below 1e-300 of the
  // largest as 0.
  std::vector<double> log_singular_values() const;

 private:
  Matrix<double> q_, s_;  // n x n
  double scale_ = 0;
};

}  // namespace sigstab
