// Seeding and the recurrence of the Mersenne Twister.
//
// The state is renewed 624 words at a time, in place: each word needs its successor as it was and
// the word 397 places on, which for the last 397 words has been renewed already.

#include "random/mt19937.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kMiddle = 397;

// The recurrence: the top bit of one word and the rest of the next, times the matrix A, onto a
// third.
constexpr std::uint32_t recur(std::uint32_t upper, std::uint32_t lower, std::uint32_t far) {
  const std::uint32_t y = (upper & 0x80000000U) | (lower & 0x7fffffffU);
  return far ^ (y >> 1) ^ ((y & 1) != 0 ? 0x9908b0dfU : 0U);
}

}  // namespace

Mt19937::Mt19937(std::uint64_t seed) {
  state_[0] = static_cast<std::uint32_t>(seed);
  for (std::size_t i = 1; i < kStateWords; ++i) {
    const std::uint32_t previous = state_[i - 1];
    state_[i] = 1812433253U * (previous ^ (previous >> 30)) + static_cast<std::uint32_t>(i);
  }
}

void Mt19937::twist() {
  // Three loops in place of index arithmetic modulo 624.
  std::size_t i = 0;
  for (; i < kStateWords - kMiddle; ++i) {
    state_[i] = recur(state_[i], state_[i + 1], state_[i + kMiddle]);
  }
  for (; i < kStateWords - 1; ++i) {
    state_[i] = recur(state_[i], state_[i + 1], state_[i + kMiddle - kStateWords]);
  }
  state_[i] = recur(state_[i], state_[0], state_[kMiddle - 1]);
  position_ = 0;
}

}  // namespace sigstab
