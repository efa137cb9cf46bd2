// The Mersenne Twister against the standard library's.
//
// The C++ standard fixes std::mt19937 bit for bit, so it is an independent reference; what PyTorch
// makes of its words is tested in torch_stream_test.cpp.

#include "random/mt19937.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace sigstab {
namespace {

TEST(Mt19937, AgreesWithTheStandardLibrary) {
  for (const std::uint32_t seed : {0U, 1U, 42U, 5489U, 0x80000000U, 0xffffffffU}) {
    Mt19937 bits(seed);
    std::mt19937 reference(seed);
    for (int i = 0; i < 5'000; ++i) ASSERT_EQ(bits.next32(), reference()) << seed << " at " << i;
  }
}

TEST(Mt19937, GivesTheStandardsTenThousandthWord) {
  Mt19937 bits(5489);
  for (int i = 1; i < 10'000; ++i) bits.next32();
  EXPECT_EQ(bits.next32(), 4123659995U);
}

TEST(Mt19937, TakesTheLow32BitsOfASeed) {
  Mt19937 low(5), wide((std::uint64_t{1} << 32) + 5);
  for (int i = 0; i < 1'000; ++i) ASSERT_EQ(low.next32(), wide.next32());
}

TEST(Mt19937, DrawsTheHighWordFirst) {
  Mt19937 bits(3), words(3);
  const std::uint64_t high = words.next32(), low = words.next32();
  EXPECT_EQ(bits.next64(), high << 32 | low);
}

TEST(Mt19937, TakesUniformsFromTheLowBits) {
  Mt19937 bits(3), words(3);
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_EQ(bits.next_float(), std::ldexp(static_cast<float>(words.next32() % (1U << 24)), -24));
    const std::uint64_t low53 = words.next64() % (std::uint64_t{1} << 53);
    ASSERT_EQ(bits.next_double(), std::ldexp(static_cast<double>(low53), -53));
  }
}

}  // namespace
}  // namespace sigstab
