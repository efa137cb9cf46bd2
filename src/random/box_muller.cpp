// Scalar Box-Muller on libm.
//
// The float32 forms compute in double from the rounded inputs, so that in all but a few of 10^8
// draws their last bit does not depend on the libm.

#include "random/box_muller.hpp"

#include <cmath>
#include <numbers>

namespace sigstab {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr std::size_t kPairs = kBoxMullerBlock / 2;

// cos and sin of 2 pi turns. Shapes: turns in [0, 1), a multiple of 2^-53.
NormalPair<double> cosine_sine_of_turns(double turns) {
  // The nearest quarter turn comes off exactly; what is left, at most 1/8, is rounded only when it
  // is multiplied by 2 pi, which keeps sines and cosines near 0 accurate to their own last bits.
  const double quarters = std::floor(4.0 * turns + 0.5);
  const double angle = kTwoPi * (turns - 0.25 * quarters);
  const double c = std::cos(angle), s = std::sin(angle);
  switch (static_cast<int>(quarters) & 3) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

double radius_from(double u) { return std::sqrt(-2.0 * std::log(u)); }

}  // namespace

void box_muller_block(std::span<float, kBoxMullerBlock> values) {
  constexpr auto kTwoPiFloat = static_cast<float>(kTwoPi);
  for (std::size_t j = 0; j < kPairs; ++j) {
    const float u1 = 1.0F - values[j];
    // PyTorch rounds the angle to float32, an error of up to 2.4e-7 that must be repeated.
    const float theta = kTwoPiFloat * values[j + kPairs];
    const double radius = radius_from(static_cast<double>(u1));
    values[j] = static_cast<float>(radius * std::cos(static_cast<double>(theta)));
    values[j + kPairs] = static_cast<float>(radius * std::sin(static_cast<double>(theta)));
  }
}

void box_muller_block(std::span<double, kBoxMullerBlock> values) {
  for (std::size_t j = 0; j < kPairs; ++j) {
    const double radius = radius_from(1.0 - values[j]);
    const double theta = kTwoPi * values[j + kPairs];
    values[j] = radius * std::cos(theta);
    values[j + kPairs] = radius * std::sin(theta);
  }
}

NormalPair<float> box_muller_pair(std::uint32_t radius, std::uint32_t angle) {
  const float u = (static_cast<float>(radius) + 0.5F) * 0x1p-32F;
  const auto [c, s] = cosine_sine_of_turns(static_cast<double>(angle >> 8) * 0x1p-24);
  const double r = radius_from(static_cast<double>(u));
  return {static_cast<float>(r * c), static_cast<float>(r * s)};
}

NormalPair<double> box_muller_pair(std::uint64_t radius, std::uint64_t angle) {
  const double u = (static_cast<double>(radius) + 0.5) * 0x1p-64;
  const auto [c, s] = cosine_sine_of_turns(static_cast<double>(angle >> 11) * 0x1p-53);
  const double r = radius_from(u);
  return {r * c, r * s};
}

}  // namespace sigstab
