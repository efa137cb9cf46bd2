// SeedSequence against NumPy: the reference file for seeds of up to 200 bits, and beyond it a few
// numbers from
//   numpy.random.SeedSequence(10**9999).generate_state(4, "u8")

#include "random/seed_sequence.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/random_reference.hpp"

namespace sigstab {
namespace {

using Words64 = std::vector<std::uint64_t>;

Words64 state_of(const std::string& seed) {
  return SeedSequence(Seed::parse(seed).value()).generate_state64(4);
}

TEST(SeedSequence, AgreesWithNumPy) {
  for (const auto& row : testing::random_reference("numpy")) {
    const SeedSequence sequence(testing::seed_of(row));
    EXPECT_EQ(sequence.generate_state32(8),
              row.at("seed_sequence_uint32x8").get<std::vector<std::uint32_t>>())
        << row.at("seed");
  }
}

TEST(SeedSequence, MixesInEveryWordOfAVeryLongSeed) {
  EXPECT_EQ(
      state_of("1" + std::string(9999, '0')),
      (Words64{0x5d977e7f4606dc37, 0x97dd0aedab21db07, 0x4743319b73ce525f, 0x5160e00043417197}));
  EXPECT_EQ(state_of(std::string(10'000, '9')), (Words64{0x851857d34efcb33c, 0x6f80b3fc434ecfee,
                                                         0x8d2fc284145b8a6b, 0xad5c2850ba24a0d4}));
  // 2^128 and 2^160 - 1: the first word beyond the pool.
  EXPECT_EQ(
      state_of("340282366920938463463374607431768211456"),
      (Words64{0x43bfff7a2820a7af, 0xc28cba32643645e9, 0xfbc1be8429bf6610, 0x0cc5330b50571ea8}));
  EXPECT_EQ(
      state_of("1461501637330902918203684832716283019655932542975"),
      (Words64{0x20dedfba6981bca9, 0xe3264fcb343dd9d0, 0x475432208a4d2395, 0xe43725ba72564e5b}));
}

TEST(SeedSequence, MakesWordsOfBothSizesFromOneSequence) {
  const SeedSequence sequence(Seed(5));
  const auto halves = sequence.generate_state32(6);
  const auto words = sequence.generate_state64(3);
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(words[i], std::uint64_t{halves[2 * i + 1]} << 32 | halves[2 * i]);
  }
  EXPECT_TRUE(sequence.generate_state32(0).empty());
}

}  // namespace
}  // namespace sigstab
