// Which kernels OpenBLAS is told to run, and that it does.

#include "math/blas_core.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "math/blas.hpp"

namespace sigstab {
namespace {

constexpr CpuFeatures kOld{}, kAvx2{true, false}, kAvx512{true, true};

TEST(BlasCore, AGenericCoreOnANewerCpuIsReplacedByOneThatTheCpuCanRun) {
  EXPECT_EQ(better_core("Prescott", kAvx512), "SkylakeX");
  EXPECT_EQ(better_core("Nehalem", kAvx2), "Haswell");
  EXPECT_EQ(better_core("Sandybridge", kAvx2), "Haswell");
}

TEST(BlasCore, AFastCoreOrAnOldCpuIsLeftAlone) {
  EXPECT_EQ(better_core("Haswell", kAvx512), std::nullopt);
  EXPECT_EQ(better_core("Cooperlake", kAvx512), std::nullopt);
  EXPECT_EQ(better_core("Prescott", kOld), std::nullopt);
}

TEST(BlasCore, TheLibraryRunsACoreThatNeedsNoReplacementUnlessTheUserChoseOne) {
  const char* chosen = std::getenv("OPENBLAS_CORETYPE");
  const std::string core = blas_core();
  if (chosen == nullptr || *chosen == '\0') {
    EXPECT_EQ(better_core(core, this_cpu()), std::nullopt) << core;
  }
  EXPECT_FALSE(core.empty());
}

}  // namespace
}  // namespace sigstab
