#pragma once
// The Box-Muller transforms: two uniforms to a radius and an angle, hence to two standard normals.
//
// PyTorch's works in place on blocks of 16: element j and j + 8 are a pair, radius from 1 - u[j],
// angle from u[j + 8], cosine to j, sine to j + 8. This project's own (philox) takes the angle in
// turns and reduces it exactly, so its values are the mathematical ones up to a few roundings.
// Source: Box and Muller, Ann. Math. Stat. 29 (1958).

#include <cstddef>
#include <cstdint>
#include <span>

namespace sigstab {

inline constexpr std::size_t kBoxMullerBlock = 16;

// PyTorch's block. Shapes: 16 uniforms of [0, 1) in, 16 normals out.
// Accuracy: exact functions of PyTorch's rounded angle, rounded once; PyTorch's own are within
// 4e-7 absolute + 4e-7 relative.
void box_muller_block(std::span<float, kBoxMullerBlock> values);
// Accuracy: as libm; within 4 ulp of PyTorch.
void box_muller_block(std::span<double, kBoxMullerBlock> values);

template <typename Real>
struct NormalPair {
  Real cosine, sine;
};

// radius = sqrt(-2 ln u), u = (w + 1/2) 2^-bits with both the conversion of w and the sum rounded
// to the dtype; angle = the top 24 (53) bits of `angle`, in turns. Accuracy: 1 ulp in float32, 4
// ulp in float64, also where a coordinate is near 0.
NormalPair<float> box_muller_pair(std::uint32_t radius, std::uint32_t angle);
NormalPair<double> box_muller_pair(std::uint64_t radius, std::uint64_t angle);

}  // namespace sigstab
