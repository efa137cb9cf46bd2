#pragma once
// The vector code of the native stream: Philox blocks and its own Box-Muller. Compiled for each
// instruction set by Highway; the best one is chosen at run time, and all give the same bits.
//
// Words are in the order of the stream, four a block; 64-bit words are two of them, low first.

#include <cstddef>
#include <cstdint>

#include "random/philox.hpp"

namespace sigstab {

// Blocks are made so many at a time.
inline constexpr std::size_t kPhiloxBlocks = 32;

// Blocks first to first + count - 1 of a tensor. Shapes: count a multiple of kPhiloxBlocks;
// words 4 count, 64-byte aligned.
void philox_blocks(PhiloxKey key, std::uint32_t layer, std::uint32_t role, std::uint64_t first,
                   std::size_t count, std::uint32_t* words);

// Box-Muller: words 2 i and 2 i + 1 are radius and angle of normals 2 i (cosine) and 2 i + 1
// (sine); radius sqrt(-2 ln u), u = (w + 1/2) 2^-bits with both the conversion of w and the sum
// rounded to the dtype; angle the top 24 (53) bits of the second word, in turns.
// Shapes: pairs a multiple of 16 in float32, of 8 in float64; words 64-byte aligned.
// Accuracy: 1 ulp in float32, 4 ulp in float64, also where a coordinate is near 0.
// Source: Box and Muller, Ann. Math. Stat. 29 (1958).
void box_muller_pairs(const std::uint32_t* words, std::size_t pairs, float* out);
void box_muller_pairs(const std::uint64_t* words, std::size_t pairs, double* out);

// floor(word * bound / 2^64). Shapes: count, any number.
void scale_words(const std::uint64_t* words, std::size_t count, std::uint32_t bound,
                 std::int64_t* out);

}  // namespace sigstab
