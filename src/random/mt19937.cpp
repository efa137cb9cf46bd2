// Seeding of the Mersenne Twister and its draws in bulk.

#include "random/mt19937.hpp"

#include <algorithm>
#include <cmath>

namespace sigstab {

Mt19937::Mt19937(std::uint64_t seed) {
  state_[0] = static_cast<std::uint32_t>(seed);
  for (std::size_t i = 1; i < kStateWords; ++i) {
    const std::uint32_t previous = state_[i - 1];
    state_[i] = 1812433253U * (previous ^ (previous >> 30)) + static_cast<std::uint32_t>(i);
  }
}

void Mt19937::fill_uniforms(std::span<float> out, float range, float start) {
  while (!out.empty()) {
    if (position_ == kStateWords) twist();
    const std::size_t count = std::min(kStateWords - position_, out.size());
    mt_uniforms(&state_[position_], count, range, start, out.data());
    position_ += count;
    out = out.subspan(count);
  }
}

void Mt19937::fill_uniforms(std::span<double> out, double range, double start) {
  while (!out.empty()) {
    if (position_ == kStateWords) twist();
    const std::size_t count = std::min((kStateWords - position_) / 2, out.size());
    if (count == 0) {
      // The two words of this one are on either side of a twist.
      out[0] = std::fma(next_double(), range, start);
      out = out.subspan(1);
      continue;
    }
    mt_uniforms(&state_[position_], count, range, start, out.data());
    position_ += 2 * count;
    out = out.subspan(count);
  }
}

void Mt19937::skip(std::uint64_t words) {
  while (words > kStateWords - position_) {
    words -= kStateWords - position_;
    twist();
  }
  position_ += static_cast<std::size_t>(words);
}

}  // namespace sigstab
