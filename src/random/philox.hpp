#pragma once
// Philox4x32-10: a keyed bijection of 128-bit counters. Any block of the sequence can be had alone.
//
// Word 0 of counter and key comes first, as in the known-answer vectors of Random123.
// Source: Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC11.

#include <array>
#include <cstdint>

namespace sigstab {

using PhiloxBlock = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

constexpr PhiloxBlock philox4x32_10(PhiloxBlock counter, PhiloxKey key) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t even = std::uint64_t{0xd2511f53U} * counter[0];
    const std::uint64_t odd = std::uint64_t{0xcd9e8d57U} * counter[2];
    counter = {static_cast<std::uint32_t>(odd >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(odd),
               static_cast<std::uint32_t>(even >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(even)};
    // Weyl sequences: the golden ratio and sqrt(3) - 1, as fractions of 2^32.
    key[0] += 0x9e3779b9U;
    key[1] += 0xbb67ae85U;
  }
  return counter;
}

}  // namespace sigstab
