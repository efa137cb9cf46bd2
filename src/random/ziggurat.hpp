#pragma once
// Standard normals from PCG64 by NumPy's 256-strip ziggurats, bit for bit.
//
// A word gives a strip (8 bits), a sign (1) and a position in the strip (52; 23 in float32). About
// 98.7% of draws end there. Otherwise one more uniform decides the strip's wedge, or, in strip 0,
// Marsaglia's method draws the tail. A draw thus takes a variable number of words, and what is
// compared with exp must be computed with NumPy's roundings: no fused multiply-add here.
// Source: Marsaglia and Tsang, "The Ziggurat Method", J. Stat. Software 5 (2000); the bits follow
// Generator.standard_normal(dtype=float64 or float32).

#include <cstddef>
#include <optional>
#include <span>

#include "random/pcg64.hpp"

namespace sigstab {

void ziggurat_normals(Pcg64& bits, std::span<double> out);
// From 32-bit halves.
void ziggurat_normals(Pcg64& bits, std::span<float> out);

// How many draws of normals lead from one state to another; nothing if `most` of them do not.
template <typename Real>
std::optional<std::size_t> ziggurat_draws_between(Pcg64 from, const Pcg64& to, std::size_t most);

// Leaves out elements: the words, or in float32 halves, that draws are made of.
template <typename Real>
void skip_ziggurat_elements(Pcg64& bits, std::uint64_t elements);

}  // namespace sigstab
