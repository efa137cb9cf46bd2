#include "math/blas.hpp"

#include <cblas.h>

#include <cstring>
#include <sstream>
#include <vector>

#include "base/error.hpp"

extern "C" {
// LAPACK, part of Debian's libopenblas; column-major.
void sgeqrf_(const int* m, const int* n, float* a, const int* lda, float* tau, float* work,
             const int* lwork, int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void sorgqr_(const int* m, const int* n, const int* k, float* a, const int* lda, const float* tau,
             float* work, const int* lwork, int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau,
             double* work, const int* lwork, int* info);
// Only there when an OpenMP build of OpenBLAS was loaded; such a build ignores its own setting.
void omp_set_num_threads(int) __attribute__((weak));
}

namespace sigstab {
namespace {

using Index = blasint;

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, Index m, Index n, Index k, ConstView<float> a,
          ConstView<float> b, View<float> c, bool add) {
  cblas_sgemm(CblasRowMajor, ta, tb, m, n, k,                            //
              1.0f, a.data, static_cast<Index>(a.stride),                // lda
              b.data, static_cast<Index>(b.stride),                      // ldb
              add ? 1.0f : 0.0f, c.data, static_cast<Index>(c.stride));  // ldc
}

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, Index m, Index n, Index k, ConstView<double> a,
          ConstView<double> b, View<double> c, bool add) {
  cblas_dgemm(CblasRowMajor, ta, tb, m, n, k,                          //
              1.0, a.data, static_cast<Index>(a.stride),               // lda
              b.data, static_cast<Index>(b.stride),                    // ldb
              add ? 1.0 : 0.0, c.data, static_cast<Index>(c.stride));  // ldc
}

void gemv(CBLAS_TRANSPOSE t, ConstView<float> b, const float* x, float* y, bool add) {
  cblas_sgemv(CblasRowMajor, t, static_cast<Index>(b.rows), static_cast<Index>(b.cols),  //
              1.0f, b.data, static_cast<Index>(b.stride),                                // lda
              x, 1, add ? 1.0f : 0.0f, y, 1);
}

void gemv(CBLAS_TRANSPOSE t, ConstView<double> b, const double* x, double* y, bool add) {
  cblas_dgemv(CblasRowMajor, t, static_cast<Index>(b.rows), static_cast<Index>(b.cols),  //
              1.0, b.data, static_cast<Index>(b.stride),                                 // lda
              x, 1, add ? 1.0 : 0.0, y, 1);
}

template <class T>
void nt(ConstView<T> a, ConstView<T> b, View<T> c, bool add) {
  SIGSTAB_ASSERT(a.cols == b.cols && c.rows == a.rows && c.cols == b.rows);
  if (a.rows == 1) return gemv(CblasNoTrans, b, a.data, c.data, add);
  gemm(CblasNoTrans, CblasTrans, static_cast<Index>(c.rows), static_cast<Index>(c.cols),
       static_cast<Index>(a.cols), a, b, c, add);
}

template <class T>
void nn(ConstView<T> a, ConstView<T> b, View<T> c, bool add) {
  SIGSTAB_ASSERT(a.cols == b.rows && c.rows == a.rows && c.cols == b.cols);
  if (a.rows == 1) return gemv(CblasTrans, b, a.data, c.data, add);
  gemm(CblasNoTrans, CblasNoTrans, static_cast<Index>(c.rows), static_cast<Index>(c.cols),
       static_cast<Index>(a.cols), a, b, c, add);
}

template <class T>
void tn(ConstView<T> a, ConstView<T> b, View<T> c, bool add) {
  SIGSTAB_ASSERT(a.rows == b.rows && c.rows == a.cols && c.cols == b.cols);
  gemm(CblasTrans, CblasNoTrans, static_cast<Index>(c.rows), static_cast<Index>(c.cols),
       static_cast<Index>(a.rows), a, b, c, add);
}

void geqrf(int m, int n, float* a, float* tau, float* work, int lwork, int* info) {
  sgeqrf_(&m, &n, a, &m, tau, work, &lwork, info);
}
void geqrf(int m, int n, double* a, double* tau, double* work, int lwork, int* info) {
  dgeqrf_(&m, &n, a, &m, tau, work, &lwork, info);
}
void orgqr(int m, int n, float* a, const float* tau, float* work, int lwork, int* info) {
  sorgqr_(&m, &n, &n, a, &m, tau, work, &lwork, info);
}
void orgqr(int m, int n, double* a, const double* tau, double* work, int lwork, int* info) {
  dorgqr_(&m, &n, &n, a, &m, tau, work, &lwork, info);
}

template <class T>
void orthonormalise(View<T> a) {
  SIGSTAB_ASSERT(a.rows >= a.cols);
  const int m = static_cast<int>(a.rows), n = static_cast<int>(a.cols);
  Matrix<T> by_columns(a.cols, a.rows);  // LAPACK's column-major A is the row-major A^T
  for (std::int64_t r = 0; r < a.rows; ++r) {
    for (std::int64_t c = 0; c < a.cols; ++c) by_columns.view()(c, r) = a(r, c);
  }
  std::vector<T> tau(static_cast<std::size_t>(n));
  T best_size[1];
  int info = 0;
  geqrf(m, n, by_columns.data(), tau.data(), best_size, -1, &info);
  std::vector<T> work(static_cast<std::size_t>(best_size[0]) + static_cast<std::size_t>(n) * 64);
  const int lwork = static_cast<int>(work.size());
  geqrf(m, n, by_columns.data(), tau.data(), work.data(), lwork, &info);
  SIGSTAB_ASSERT(info == 0);
  std::vector<bool> flip(static_cast<std::size_t>(n));
  for (std::int64_t c = 0; c < a.cols; ++c) {
    flip[static_cast<std::size_t>(c)] = by_columns.view()(c, c) < 0;
  }
  orgqr(m, n, by_columns.data(), tau.data(), work.data(), lwork, &info);
  SIGSTAB_ASSERT(info == 0);
  for (std::int64_t r = 0; r < a.rows; ++r) {
    for (std::int64_t c = 0; c < a.cols; ++c) {
      const T q = by_columns.view()(c, r);
      a(r, c) = flip[static_cast<std::size_t>(c)] ? -q : q;
    }
  }
}

}  // namespace

void multiply_nt(ConstView<float> a, ConstView<float> b, View<float> c, bool add) {
  nt(a, b, c, add);
}
void multiply_nt(ConstView<double> a, ConstView<double> b, View<double> c, bool add) {
  nt(a, b, c, add);
}
void multiply_nn(ConstView<float> a, ConstView<float> b, View<float> c, bool add) {
  nn(a, b, c, add);
}
void multiply_nn(ConstView<double> a, ConstView<double> b, View<double> c, bool add) {
  nn(a, b, c, add);
}
void multiply_tn(ConstView<float> a, ConstView<float> b, View<float> c, bool add) {
  tn(a, b, c, add);
}
void multiply_tn(ConstView<double> a, ConstView<double> b, View<double> c, bool add) {
  tn(a, b, c, add);
}
void orthonormalise_columns(View<float> a) { orthonormalise(a); }
void orthonormalise_columns(View<double> a) { orthonormalise(a); }

void use_one_blas_thread() {
  openblas_set_num_threads(1);
  if (omp_set_num_threads != nullptr) omp_set_num_threads(1);
}

std::string blas_core() { return openblas_get_corename(); }

std::string blas_version() {
  std::istringstream config(openblas_get_config());  // "OpenBLAS 0.3.21 ..."
  std::string name, version;
  config >> name >> version;
  return name + " " + version;
}

}  // namespace sigstab
