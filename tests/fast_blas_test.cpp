// When the program starts itself again for faster BLAS kernels, and when it leaves things alone.

#include "cli/fast_blas.hpp"

#include <gtest/gtest.h>

namespace sigstab {
namespace {

constexpr CpuFeatures kOld{}, kAvx2{true, false}, kAvx512{true, true};

TEST(FastBlas, a_generic_core_on_a_newer_cpu_is_detected_again_then_named) {
  EXPECT_EQ(core_type_to_try("Prescott", kAvx512, 0), "");
  EXPECT_EQ(core_type_to_try("Prescott", kAvx512, 1), "SkylakeX");
  EXPECT_EQ(core_type_to_try("Nehalem", kAvx2, 0), "");
  EXPECT_EQ(core_type_to_try("Sandybridge", kAvx2, 1), "Haswell");
}

TEST(FastBlas, it_gives_up_after_two_attempts) {
  EXPECT_EQ(core_type_to_try("Prescott", kAvx512, 2), std::nullopt);
}

TEST(FastBlas, a_fast_core_or_an_old_cpu_is_left_alone) {
  EXPECT_EQ(core_type_to_try("Haswell", kAvx512, 0), std::nullopt);
  EXPECT_EQ(core_type_to_try("Cooperlake", kAvx512, 0), std::nullopt);
  EXPECT_EQ(core_type_to_try("Prescott", kOld, 0), std::nullopt);
}

}  // namespace
}  // namespace sigstab
