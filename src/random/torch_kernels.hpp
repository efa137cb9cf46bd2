#pragma once
// The vector code of the torch stream: mt19937 and Box-Muller on blocks of 16. Compiled for each
// instruction set by Highway; the best one is chosen at run time, and all give the same bits.

#include <cstddef>
#include <cstdint>

namespace sigstab {

inline constexpr std::size_t kMtWords = 624;
// Room behind the state that mt_twist uses for its own purposes.
inline constexpr std::size_t kMtSlack = 16;

// The output function of one state word.
constexpr std::uint32_t mt_temper(std::uint32_t y) {
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680U;
  y ^= (y << 15) & 0xefc60000U;
  return y ^ (y >> 18);
}

// Renews the state. Shapes: kMtWords words, kMtSlack of room, 64-byte aligned.
void mt_twist(std::uint32_t* state);

// out[i] = fma(u, range, start), u a word's low 24 bits as a fraction. Shapes: count words.
void mt_uniforms(const std::uint32_t* words, std::size_t count, float range, float start,
                 float* out);
// The same from the low 53 bits of two words, the high word first. Shapes: 2 count words.
void mt_uniforms(const std::uint32_t* words, std::size_t count, double range, double start,
                 double* out);

// PyTorch's Box-Muller, in place on blocks of 16 uniforms of [0, 1): element j and j + 8 are a
// pair, radius from 1 - u[j], angle from u[j + 8], cosine to j, sine to j + 8.
//
// Shapes: count, a multiple of 16.
//
// Accuracy: PyTorch's own float32 normals are within 4e-7 absolute + 4e-7 relative (2.4e-7 was the
// most in 10^8), its float64 normals within 4 ulp (3).
inline constexpr std::size_t kBoxMullerBlock = 16;
void box_muller_blocks(float* values, std::size_t count);
void box_muller_blocks(double* values, std::size_t count);

}  // namespace sigstab
