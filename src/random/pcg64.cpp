// Seeding and jumping.

#include "random/pcg64.hpp"

#include <array>
#include <cstddef>
#include <vector>

#include "random/seed_sequence.hpp"

namespace sigstab {
namespace {

// 2^i steps.
constexpr std::array<Pcg64::Jump, 128> make_doublings() {
  std::array<Pcg64::Jump, 128> doublings{};
  doublings[0] = Pcg64::kJump<1>;
  for (std::size_t i = 1; i < doublings.size(); ++i) {
    doublings[i] = Pcg64::doubled(doublings[i - 1]);
  }
  return doublings;
}
constexpr auto kDoublings = make_doublings();

}  // namespace

Pcg64::Pcg64(const Seed& seed) {
  const std::vector<std::uint64_t> words = SeedSequence(seed).generate_state64(4);
  increment_ = make_uint128(words[2], words[3]) << 1 | 1;
  // From zero: a step, the initial state added, another step.
  state_ = (increment_ + make_uint128(words[0], words[1])) * kMultiplier + increment_;
}

void Pcg64::skip(Uint128 words) {
  for (std::size_t i = 0; words != 0; ++i, words >>= 1) {
    if ((words & 1) == 0) continue;
    state_ = state_ * kDoublings[i].multiplier + kDoublings[i].increment * increment_;
  }
}

}  // namespace sigstab
