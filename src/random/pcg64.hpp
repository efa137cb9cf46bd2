#pragma once
// PCG64 (setseq, XSL-RR 128/64): a 128-bit linear congruential generator whose state is xor-folded
// and rotated into 64 bits of output, as in numpy.random.PCG64.
//
// next32 hands out the low half of a 64-bit word and keeps the high half for the next next32;
// next64 neither uses nor disturbs the kept half. That is what NumPy's float32 normals and bounded
// integers see, so the half belongs to the generator and not to a call.
// Source: M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
// Algorithms for Random Number Generation" (HMC-CS-2014-0905), section 6.3.3.

#include <bit>
#include <cstdint>

#include "random/seed.hpp"

namespace sigstab {

__extension__ typedef unsigned __int128 Uint128;

constexpr Uint128 make_uint128(std::uint64_t high, std::uint64_t low) {
  return Uint128{high} << 64 | low;
}

class Pcg64 {
 public:
  static constexpr Uint128 kMultiplier = make_uint128(0x2360ed051fc65da4, 0x4385df649fccf645);

  // Many steps as one: x -> multiplier x + increment c, c the generator's own increment.
  struct Jump {
    Uint128 multiplier = 1, increment = 0;
  };
  // Doing x -> a x + b c twice is x -> a^2 x + (a + 1) b c, a step of the same form. So any number
  // of steps is a product of the doublings that its bits select.
  static constexpr Jump doubled(const Jump& jump) {
    return {jump.multiplier * jump.multiplier, (jump.multiplier + 1) * jump.increment};
  }
  static constexpr Jump jump_of(std::uint64_t steps) {
    Jump all;
    for (Jump power = {kMultiplier, 1}; steps != 0; steps >>= 1, power = doubled(power)) {
      if ((steps & 1) != 0) {
        all = {all.multiplier * power.multiplier,
               all.increment * power.multiplier + power.increment};
      }
    }
    return all;
  }
  template <unsigned kSteps>
  static constexpr Jump kJump = jump_of(kSteps);

  // As numpy.random.PCG64(seed): state and increment from SeedSequence.
  explicit Pcg64(const Seed& seed);
  // The increment must be odd.
  Pcg64(Uint128 state, Uint128 increment) : state_(state), increment_(increment) {}

  // The word that a state gives.
  static constexpr std::uint64_t output(Uint128 state) {
    const auto folded = static_cast<std::uint64_t>(state >> 64) ^ static_cast<std::uint64_t>(state);
    return std::rotr(folded, static_cast<int>(state >> 122));
  }

  std::uint64_t next64() {
    state_ = state_ * kMultiplier + increment_;
    return output(state_);
  }

  std::uint32_t next32() {
    if (has_half_) {
      has_half_ = false;
      return half_;
    }
    const std::uint64_t word = next64();
    has_half_ = true;
    half_ = static_cast<std::uint32_t>(word >> 32);
    return static_cast<std::uint32_t>(word);
  }

  // In [0, 1): 53 bits, one 64-bit word.
  double next_double() { return static_cast<double>(next64() >> 11) * 0x1p-53; }
  // In [0, 1): 24 bits, one 32-bit half.
  float next_float() { return static_cast<float>(next32() >> 8) * 0x1p-24F; }

  // As delta calls of next64, in 128 steps at most; like NumPy's advance it drops the kept half.
  // The period is 2^128, so 2^128 - n steps back by n.
  void advance(Uint128 delta) {
    skip(delta);
    has_half_ = false;
  }

  // The same, the kept half kept.
  void skip(Uint128 words);

  // Whether the next next32 hands out what is kept.
  bool has_half() const { return has_half_; }
  // Moves on by so many next32 calls from a state without a kept half.
  void skip_halves(Uint128 halves) {
    skip(halves / 2);
    if (halves % 2 != 0) next32();
  }

  // Whether both will give the same, whatever is asked for.
  bool operator==(const Pcg64& other) const {
    return state_ == other.state_ && increment_ == other.increment_ && has_half_ == other.has_half_;
  }

  Uint128 state() const { return state_; }
  Uint128 increment() const { return increment_; }

 private:
  Uint128 state_, increment_;
  std::uint32_t half_ = 0;
  bool has_half_ = false;
};

}  // namespace sigstab
