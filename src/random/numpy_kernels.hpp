#pragma once
// The vector code of the numpy stream: PCG64's words in bulk and the branch-free parts of the
// ziggurats. Compiled for each instruction set by Highway, and once more for AVX-512 with IFMA and
// VBMI (namespace ifma), which Highway 1.0.3 does not know; all give the same bits.
//
// A block of words is a whole number of groups of 64 elements, one bit each in a mask word; an
// element is a word (float64) or, low half first, half a word (float32).

#include <cstddef>
#include <cstdint>

#include "random/pcg64.hpp"

namespace sigstab {

inline constexpr std::size_t kGroup = 64;

// 32 steps of the generator at once: lane i is i + 1 steps ahead.
struct PcgLanes {
  static constexpr std::size_t kLanes = 32;
  // States in limbs of 52, 52 and 24 bits, where IFMA is used; otherwise only `state`.
  alignas(64) std::uint64_t limbs[3][kLanes];
  std::uint64_t increment_limbs[3];
  bool has_limbs;
  Uint128 state, increment;
};

PcgLanes pcg_start(const Pcg64& bits);

// The next count words. Shapes: count a multiple of kGroup; words 64-byte aligned.
void pcg_words(PcgLanes& lanes, std::uint64_t* words, std::size_t count);

// The draw that each word (half) would make inside its strip's rectangle, and a bit for each that
// may lie outside; a bit may be set for nothing, but is never missing. Shapes: count elements, a
// multiple of kGroup; 64-byte aligned.
void ziggurat_candidates(const std::uint64_t* words, std::size_t count, double* values,
                         std::uint64_t* unsure);
void ziggurat_candidates(const std::uint64_t* words, std::size_t count, float* values,
                         std::uint64_t* unsure);

// Writes the numbers of the bits that are set, in order, and returns how many. Shapes: groups mask
// words; room for all bits and kListSlack more.
inline constexpr std::size_t kListSlack = 4;
std::size_t list_bits(const std::uint64_t* masks, std::size_t groups, std::uint32_t* list);

// accepted[i] = heights[i] < exp(-0.5 * xs[i] * xs[i]), as libm's exp decides. Shapes: count, all
// arrays with room for a multiple of 8.
void decide_wedges(const double* xs, const double* heights, std::size_t count,
                   std::uint8_t* accepted);

// Moves the values whose bit is set to out, at most room of them, and returns how many.
std::size_t compact(const double* values, const std::uint64_t* keep, std::size_t count, double* out,
                    std::size_t room);
std::size_t compact(const float* values, const std::uint64_t* keep, std::size_t count, float* out,
                    std::size_t room);

// low + range * u, two roundings, with u a word's top 53 bits (a half's top 24). Shapes: count
// elements, any number; words 64-byte aligned.
void uniforms_of_words(const std::uint64_t* words, std::size_t count, double low, double range,
                       double* out);
void uniforms_of_words(const std::uint64_t* words, std::size_t count, float low, float range,
                       float* out);

// The same functions in AVX-512 with IFMA and VBMI, to be called only if has_avx512_ifma().
namespace ifma {
void pcg_start(PcgLanes& lanes);
void pcg_words(PcgLanes& lanes, std::uint64_t* words, std::size_t count);
void candidates64(const std::uint64_t* words, std::size_t count, double* values,
                  std::uint64_t* unsure);
void candidates32(const std::uint64_t* words, std::size_t count, float* values,
                  std::uint64_t* unsure);
std::size_t compact64(const double* values, const std::uint64_t* keep, std::size_t count,
                      double* out, std::size_t room);
std::size_t compact32(const float* values, const std::uint64_t* keep, std::size_t count, float* out,
                      std::size_t room);
}  // namespace ifma

}  // namespace sigstab
