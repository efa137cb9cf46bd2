// The two hashes of SeedSequence.
//
// Both walk a multiplicative sequence of constants, so the position of a word in the order of
// hashing matters as much as its value.

#include "random/seed_sequence.hpp"

namespace sigstab {
namespace {

constexpr std::uint32_t fold(std::uint32_t x) { return x ^ (x >> 16); }

// One pass of keyed hashing; the key moves on with every word.
class WordHash {
 public:
  constexpr WordHash(std::uint32_t start, std::uint32_t step) : key_(start), step_(step) {}

  std::uint32_t operator()(std::uint32_t word) {
    word ^= key_;
    key_ *= step_;
    return fold(word * key_);
  }

 private:
  std::uint32_t key_, step_;
};

constexpr std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
  return fold(0xca01f9ddU * x - 0x4973f715U * y);
}

}  // namespace

SeedSequence::SeedSequence(const Seed& seed) {
  const std::vector<std::uint32_t>& entropy = seed.words();
  WordHash hash(0x43b0d7e5U, 0x931e8875U);

  for (std::size_t i = 0; i < pool_.size(); ++i) {
    pool_[i] = hash(i < entropy.size() ? entropy[i] : 0);
  }
  // Every word into every other, so that late words of the pool reach early ones.
  for (std::size_t from = 0; from < pool_.size(); ++from) {
    for (std::size_t to = 0; to < pool_.size(); ++to) {
      if (from != to) pool_[to] = mix(pool_[to], hash(pool_[from]));
    }
  }
  for (std::size_t i = pool_.size(); i < entropy.size(); ++i) {
    for (std::uint32_t& word : pool_) word = mix(word, hash(entropy[i]));
  }
}

std::vector<std::uint32_t> SeedSequence::generate_state32(std::size_t count) const {
  WordHash hash(0x8b51f9ddU, 0x58f38dedU);
  std::vector<std::uint32_t> state(count);
  for (std::size_t i = 0; i < count; ++i) state[i] = hash(pool_[i % pool_.size()]);
  return state;
}

std::vector<std::uint64_t> SeedSequence::generate_state64(std::size_t count) const {
  const std::vector<std::uint32_t> halves = generate_state32(2 * count);
  std::vector<std::uint64_t> state(count);
  for (std::size_t i = 0; i < count; ++i) {
    state[i] = std::uint64_t{halves[2 * i + 1]} << 32 | halves[2 * i];
  }
  return state;
}

}  // namespace sigstab
