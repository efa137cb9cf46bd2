#pragma once
// MT19937, the 32-bit Mersenne Twister behind PyTorch's CPU generator.
//
// 624 words of state are renewed at once (twist) and tempered one by one on the way out.
// Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998); seeding by one word as
// in their 2002 revision.

#include <array>
#include <cstddef>
#include <cstdint>

namespace sigstab {

class Mt19937 {
 public:
  static constexpr std::size_t kStateWords = 624;

  // Uses the low 32 bits only, as torch.manual_seed does.
  explicit Mt19937(std::uint64_t seed);

  std::uint32_t next32() {
    if (position_ == kStateWords) twist();
    return temper(state_[position_++]);
  }

  // Two words, the high one drawn first.
  std::uint64_t next64() {
    const std::uint64_t high = next32();
    return high << 32 | next32();
  }

  // In [0, 1): the low 24 bits of a word.
  float next_float() { return static_cast<float>(next32() & 0xffffffU) * 0x1p-24F; }
  // In [0, 1): the low 53 bits of a 64-bit word.
  double next_double() {
    return static_cast<double>(next64() & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
  }

 private:
  static constexpr std::uint32_t temper(std::uint32_t y) {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680U;
    y ^= (y << 15) & 0xefc60000U;
    return y ^ (y >> 18);
  }
  void twist();

  std::array<std::uint32_t, kStateWords> state_{};
  std::size_t position_ = kStateWords;
};

}  // namespace sigstab
