// Philox4x32-10 against the known-answer vectors published with Random123.
//
// They are the three of the file kat_vectors for philox4x32-10: counter, key, output. What the
// stream makes of the blocks is tested in native_stream_test.cpp.

#include "random/philox.hpp"

#include <gtest/gtest.h>

namespace sigstab {
namespace {

constexpr std::uint32_t kOnes = 0xffffffff;

TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32_10({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
      (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, IsAConstantExpression) {
  static_assert(philox4x32_10({0, 0, 0, 0}, {0, 0})[0] == 0x6627e8d5);
}

}  // namespace
}  // namespace sigstab
