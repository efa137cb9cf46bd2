// Seeding.

#include "random/pcg64.hpp"

#include <vector>

#include "random/seed_sequence.hpp"

namespace sigstab {

Pcg64::Pcg64(const Seed& seed) {
  const std::vector<std::uint64_t> words = SeedSequence(seed).generate_state64(4);
  increment_ = make_uint128(words[2], words[3]) << 1 | 1;
  // From zero: a step, the initial state added, another step.
  state_ = (increment_ + make_uint128(words[0], words[1])) * kMultiplier + increment_;
}

}  // namespace sigstab
