#pragma once
// Matrix products and factorisations, all through OpenBLAS on one thread.
//
// blas.cpp is the only file that knows OpenBLAS; it loads it at the first use. One token (a matrix
// of one row) is a gemv, more are a gemm. With `add` the product is added to C. Results depend on
// the core that OpenBLAS runs, never on the number of our own threads.

#include <string>
#include <vector>

#include "math/matrix.hpp"

namespace sigstab {

// C (m x n) = A (m x k) B^T, with B (n x k).
void multiply_nt(ConstView<float> a, ConstView<float> b, View<float> c, bool add = false);
void multiply_nt(ConstView<double> a, ConstView<double> b, View<double> c, bool add = false);
// C (m x n) = A (m x k) B, with B (k x n).
void multiply_nn(ConstView<float> a, ConstView<float> b, View<float> c, bool add = false);
void multiply_nn(ConstView<double> a, ConstView<double> b, View<double> c, bool add = false);
// C (m x n) = A^T B, with A (k x m) and B (k x n).
void multiply_tn(ConstView<float> a, ConstView<float> b, View<float> c, bool add = false);
void multiply_tn(ConstView<double> a, ConstView<double> b, View<double> c, bool add = false);

// Replaces A (rows >= cols) by the Q of its QR factorisation, each column's sign such that R has a
// non-negative diagonal; that makes Q unique, and uniform over orthogonal matrices when A is
// Gaussian. Source: Mezzadri 2007, arXiv math-ph/0609050.
void orthonormalise_columns(View<float> a);
void orthonormalise_columns(View<double> a);

// The singular values of A, largest first; A is overwritten. All entries must be finite.
std::vector<double> singular_values(View<double> a);
// The same for a square A that is graded, a diagonal matrix times a well-conditioned one: however
// many decades they span, each is as accurate as the condition of the latter allows. One-sided
// Jacobi rotations, about 5 times as slow.
// Source: Drmac & Veselic 2008, SIAM J. Matrix Anal. Appl. 29 (LAPACK's dgejsv).
std::vector<double> graded_singular_values(View<double> a);

// The kernels that OpenBLAS runs, such as "Haswell", and its version.
std::string blas_core();
std::string blas_version();

}  // namespace sigstab
