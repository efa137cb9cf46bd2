#pragma once
// MT19937, the 32-bit Mersenne Twister behind PyTorch's CPU generator.
//
// 624 words of state are renewed at once (twist) and tempered on the way out, one by one or, into
// uniforms, as vectors.
// Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998); seeding by one word as
// in their 2002 revision.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "random/torch_kernels.hpp"

namespace sigstab {

class Mt19937 {
 public:
  static constexpr std::size_t kStateWords = kMtWords;

  // Uses the low 32 bits only, as torch.manual_seed does.
  explicit Mt19937(std::uint64_t seed);

  std::uint32_t next32() {
    if (position_ == kStateWords) twist();
    return mt_temper(state_[position_++]);
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

  // fma(u, range, start) with u = next_float() or next_double(), for each element.
  void fill_uniforms(std::span<float> out, float range, float start);
  void fill_uniforms(std::span<double> out, double range, double start);

  // As so many calls of next32, at a tenth of the cost of drawing.
  void skip(std::uint64_t words);

 private:
  void twist() {
    mt_twist(state_.data());
    position_ = 0;
  }

  alignas(64) std::array<std::uint32_t, kStateWords + kMtSlack> state_{};
  std::size_t position_ = kStateWords;
};

}  // namespace sigstab
