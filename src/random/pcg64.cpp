// Seeding and jumping.
//
// A step is x -> a x + c; doing it twice is x -> a^2 x + (a + 1) c, a step of the same form. So any
// number of steps is a product of the doublings that its bits select.

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

void Pcg64::advance(Uint128 delta) {
  Uint128 step_multiplier = kMultiplier, step_increment = increment_;
  Uint128 multiplier = 1, increment = 0;
  for (; delta != 0; delta >>= 1) {
    if ((delta & 1) != 0) {
      multiplier *= step_multiplier;
      increment = increment * step_multiplier + step_increment;
    }
    step_increment *= step_multiplier + 1;
    step_multiplier *= step_multiplier;
  }
  state_ = state_ * multiplier + increment;
  has_half_ = false;
}

}  // namespace sigstab
