#pragma once
// NumPy's SeedSequence: hashes an integer of any size into a pool of four words, and the pool into
// as many words of generator state as are wanted. Only the part that default_rng(seed) uses: no
// spawn keys, pool size 4.
//
// Source: M. E. O'Neill, "Developing a seed_seq Alternative" (2015); numpy.random.SeedSequence,
// whose constants and order of mixing fix every bit.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "random/seed.hpp"

namespace sigstab {

class SeedSequence {
 public:
  explicit SeedSequence(const Seed& seed);

  // SeedSequence(seed).generate_state(count, dtype): the same call gives the same words.
  std::vector<std::uint32_t> generate_state32(std::size_t count) const;
  std::vector<std::uint64_t> generate_state64(std::size_t count) const;

 private:
  std::array<std::uint32_t, 4> pool_{};
};

}  // namespace sigstab
