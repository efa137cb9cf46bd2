// One draw of each ziggurat.
//
// The float32 and float64 forms are written out side by side: they differ in where the bits come
// from, in the tables and in what is rounded to which type.

#include "random/ziggurat.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "random/ziggurat_tables.hpp"

namespace sigstab {
namespace {

// Where the tail begins, and the inverse of that.
constexpr double kTail = 3.6541528853610087963519472518;
constexpr double kInverseTail = 0.27366123732975827203338247596;
constexpr float kTailFloat = 3.6541528853610087963519472518F;
constexpr float kInverseTailFloat = 0.27366123732975827203338247596F;

// Strip 0 beyond its rectangle. NumPy takes the sign from bit 8 of the position, not the sign bit.
double tail(Pcg64& bits, std::uint64_t position) {
  for (;;) {
    const double beyond = -kInverseTail * std::log1p(-bits.next_double());
    const double height = -std::log1p(-bits.next_double());
    if (height + height > beyond * beyond) {
      return (position >> 8 & 1) != 0 ? -(kTail + beyond) : kTail + beyond;
    }
  }
}

float tail(Pcg64& bits, std::uint32_t position) {
  for (;;) {
    const float beyond = -kInverseTailFloat * std::log1p(-bits.next_float());
    const float height = -std::log1p(-bits.next_float());
    if (height + height > beyond * beyond) {
      return (position >> 8 & 1) != 0 ? -(kTailFloat + beyond) : kTailFloat + beyond;
    }
  }
}

double draw_double(Pcg64& bits) {
  for (;;) {
    const std::uint64_t word = bits.next64();
    const std::size_t strip = word & 0xff;
    const bool negative = (word >> 8 & 1) != 0;
    const std::uint64_t position = word >> 9 & 0x000fffffffffffffU;
    const double magnitude = static_cast<double>(position) * kZigguratWidth[strip];
    const double x = negative ? -magnitude : magnitude;
    if (position < kZigguratAccept[strip]) return x;
    if (strip == 0) return tail(bits, position);
    const double top = kZigguratDensity[strip - 1], bottom = kZigguratDensity[strip];
    if ((top - bottom) * bits.next_double() + bottom < std::exp(-0.5 * x * x)) return x;
  }
}

float draw_float(Pcg64& bits) {
  for (;;) {
    const std::uint32_t word = bits.next32();
    const std::size_t strip = word & 0xff;
    const bool negative = (word >> 8 & 1) != 0;
    const std::uint32_t position = word >> 9;
    const float magnitude = static_cast<float>(position) * kZigguratWidthFloat[strip];
    const float x = negative ? -magnitude : magnitude;
    if (position < kZigguratAcceptFloat[strip]) return x;
    if (strip == 0) return tail(bits, position);
    const float top = kZigguratDensityFloat[strip - 1], bottom = kZigguratDensityFloat[strip];
    // The left side is a float and the right a double, as in NumPy's C code.
    const float height = (top - bottom) * bits.next_float() + bottom;
    if (static_cast<double>(height) < std::exp(-0.5 * x * x)) return x;
  }
}

}  // namespace

void ziggurat_normals(Pcg64& bits, std::span<double> out) {
  for (double& x : out) x = draw_double(bits);
}

void ziggurat_normals(Pcg64& bits, std::span<float> out) {
  for (float& x : out) x = draw_float(bits);
}

}  // namespace sigstab
