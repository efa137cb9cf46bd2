#include "math/blas.hpp"

#include <cblas.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "math/blas_core.hpp"

namespace sigstab {
namespace {

// LAPACK's routines, part of OpenBLAS; column-major.
template <class T>
using Geqrf = void(const int* m, const int* n, T* a, const int* lda, T* tau, T* work,
                   const int* lwork, int* info);
template <class T>
using Orgqr = void(const int* m, const int* n, const int* k, T* a, const int* lda, const T* tau,
                   T* work, const int* lwork, int* info);
using Gesvd = void(const char* jobu, const char* jobvt, const int* m, const int* n, double* a,
                   const int* lda, double* s, double* u, const int* ldu, double* vt,
                   const int* ldvt, double* work, const int* lwork, int* info);
using Gejsv = void(const char* joba, const char* jobu, const char* jobv, const char* jobr,
                   const char* jobt, const char* jobp, const int* m, const int* n, double* a,
                   const int* lda, double* sva, double* u, const int* ldu, double* v,
                   const int* ldv, double* work, const int* lwork, int* iwork, int* info);

// OpenBLAS reads its environment when it is loaded, so it is loaded here, at the first use, with
// the environment that it should see: one thread, or its idle threads would spin beside ours, and
// the kernels of blas_core.hpp. Commands that multiply nothing never load it.
struct OpenBlas {
  void* handle = nullptr;
  decltype(&openblas_get_corename) core_name = nullptr;
  decltype(&openblas_get_config) config = nullptr;
  decltype(&cblas_sgemm) sgemm = nullptr;
  decltype(&cblas_dgemm) dgemm = nullptr;
  decltype(&cblas_sgemv) sgemv = nullptr;
  decltype(&cblas_dgemv) dgemv = nullptr;
  Geqrf<float>* sgeqrf = nullptr;
  Geqrf<double>* dgeqrf = nullptr;
  Orgqr<float>* sorgqr = nullptr;
  Orgqr<double>* dorgqr = nullptr;
  Gesvd* dgesvd = nullptr;
  Gejsv* dgejsv = nullptr;
};

template <class Function>
void find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
  if (function == nullptr) {
    throw Error("OpenBLAS", fmt::format("it has no {}", name), "apt-get install libopenblas0");
  }
}

OpenBlas open_library() {
  OpenBlas blas;
  blas.handle = ::dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (blas.handle == nullptr) blas.handle = ::dlopen(SIGSTAB_OPENBLAS, RTLD_NOW | RTLD_LOCAL);
  if (blas.handle == nullptr) {
    throw Error("OpenBLAS", ::dlerror(), "apt-get install libopenblas0");
  }
  find(blas.handle, "openblas_get_corename", blas.core_name);
  find(blas.handle, "openblas_get_config", blas.config);
  find(blas.handle, "cblas_sgemm", blas.sgemm);
  find(blas.handle, "cblas_dgemm", blas.dgemm);
  find(blas.handle, "cblas_sgemv", blas.sgemv);
  find(blas.handle, "cblas_dgemv", blas.dgemv);
  find(blas.handle, "sgeqrf_", blas.sgeqrf);
  find(blas.handle, "dgeqrf_", blas.dgeqrf);
  find(blas.handle, "sorgqr_", blas.sorgqr);
  find(blas.handle, "dorgqr_", blas.dorgqr);
  find(blas.handle, "dgesvd_", blas.dgesvd);
  find(blas.handle, "dgejsv_", blas.dgejsv);
  return blas;
}

OpenBlas load_openblas() {
  constexpr const char* kCoreType = "OPENBLAS_CORETYPE";
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  ::setenv("OMP_NUM_THREADS", "1", 1);  // what an OpenMP build listens to
  const bool users_choice = std::getenv(kCoreType) != nullptr;
  if (!users_choice) ::setenv(kCoreType, "", 1);
  OpenBlas blas = open_library();
  const auto better = users_choice ? std::nullopt : better_core(blas.core_name(), this_cpu());
  if (better) {
    ::dlclose(blas.handle);
    ::setenv(kCoreType, std::string(*better).c_str(), 1);
    blas = open_library();
  }
  if (!users_choice) ::unsetenv(kCoreType);
  return blas;
}

const OpenBlas& openblas() {
  static const OpenBlas blas = load_openblas();
  return blas;
}

using Index = blasint;

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, Index m, Index n, Index k, ConstView<float> a,
          ConstView<float> b, View<float> c, bool add) {
  openblas().sgemm(CblasRowMajor, ta, tb, m, n, k,                            //
                   1.0f, a.data, static_cast<Index>(a.stride),                // lda
                   b.data, static_cast<Index>(b.stride),                      // ldb
                   add ? 1.0f : 0.0f, c.data, static_cast<Index>(c.stride));  // ldc
}

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, Index m, Index n, Index k, ConstView<double> a,
          ConstView<double> b, View<double> c, bool add) {
  openblas().dgemm(CblasRowMajor, ta, tb, m, n, k,                          //
                   1.0, a.data, static_cast<Index>(a.stride),               // lda
                   b.data, static_cast<Index>(b.stride),                    // ldb
                   add ? 1.0 : 0.0, c.data, static_cast<Index>(c.stride));  // ldc
}

void gemv(CBLAS_TRANSPOSE t, ConstView<float> b, const float* x, float* y, bool add) {
  openblas().sgemv(CblasRowMajor, t, static_cast<Index>(b.rows), static_cast<Index>(b.cols),  //
                   1.0f, b.data, static_cast<Index>(b.stride),                                // lda
                   x, 1, add ? 1.0f : 0.0f, y, 1);
}

void gemv(CBLAS_TRANSPOSE t, ConstView<double> b, const double* x, double* y, bool add) {
  openblas().dgemv(CblasRowMajor, t, static_cast<Index>(b.rows), static_cast<Index>(b.cols),  //
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
  openblas().sgeqrf(&m, &n, a, &m, tau, work, &lwork, info);
}
void geqrf(int m, int n, double* a, double* tau, double* work, int lwork, int* info) {
  openblas().dgeqrf(&m, &n, a, &m, tau, work, &lwork, info);
}
void orgqr(int m, int n, float* a, const float* tau, float* work, int lwork, int* info) {
  openblas().sorgqr(&m, &n, &n, a, &m, tau, work, &lwork, info);
}
void orgqr(int m, int n, double* a, const double* tau, double* work, int lwork, int* info) {
  openblas().dorgqr(&m, &n, &n, a, &m, tau, work, &lwork, info);
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

std::vector<double> singular_values(View<double> a) {
  SIGSTAB_ASSERT(a.size() > 0 && a.stride == a.cols);
  const int m = static_cast<int>(a.cols), n = static_cast<int>(a.rows);  // of the column-major A^T
  std::vector<double> singular(static_cast<std::size_t>(std::min(m, n)));
  const int one = 1;
  int info = 0;
  const auto gesvd = [&](double* work, int lwork) {
    openblas().dgesvd("N", "N", &m, &n, a.data, &m, singular.data(), nullptr, &one, nullptr, &one,
                      work, &lwork, &info);
  };
  double best_size = 0;
  gesvd(&best_size, -1);
  std::vector<double> work(static_cast<std::size_t>(best_size));
  gesvd(work.data(), static_cast<int>(work.size()));
  SIGSTAB_ASSERT(info == 0);
  return singular;
}

std::vector<double> graded_singular_values(View<double> a) {
  SIGSTAB_ASSERT(a.rows == a.cols && a.rows > 0 && a.stride == a.cols);
  const int n = static_cast<int>(a.rows);
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> singular(size), work(size * size + 64 * size + 64);
  std::vector<int> integers(4 * size + 4);
  const int work_size = static_cast<int>(work.size());
  int info = 0;
  // Column-major A^T is graded by columns ("C"); nothing small is flushed to 0 ("N").
  openblas().dgejsv("C", "N", "N", "N", "N", "N", &n, &n, a.data, &n, singular.data(), nullptr, &n,
                    nullptr, &n, work.data(), &work_size, integers.data(), &info);
  SIGSTAB_ASSERT(info == 0);
  for (double& s : singular) s *= work[0] / work[1];
  return singular;
}

std::string blas_core() { return openblas().core_name(); }

std::string blas_version() {
  std::istringstream config(openblas().config());  // "OpenBLAS 0.3.21 ..."
  std::string name, version;
  config >> name >> version;
  return name + " " + version;
}

}  // namespace sigstab
