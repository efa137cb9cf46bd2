#pragma once
// One vector times a row panel of a matrix, while the panel is in cache.
//
// For one token a product is bound by reading the matrix once; BLAS's gemv is far from that limit
// on small matrices. Vector code with run-time dispatch (Highway). Each dot product keeps 64 bytes
// of running sums whatever the vector length, folded in halves, so that targets with the same
// multiply-add agree. Tested against BLAS.

#include <span>

#include "math/matrix.hpp"

namespace sigstab {

// y = W x. Shapes: W rows x cols, x cols, y rows.
void panel_times_vector(ConstView<float> w, std::span<const float> x, std::span<float> y);
void panel_times_vector(ConstView<double> w, std::span<const double> x, std::span<double> y);
// y += W^T g, row by row: panels added in order give what their whole gives. Shapes: W rows x cols,
// g rows, y cols.
void add_vector_times_panel(ConstView<float> w, std::span<const float> g, std::span<float> y);
void add_vector_times_panel(ConstView<double> w, std::span<const double> g, std::span<double> y);

// y = factor x, entry by entry; y may be x. Shapes: both the same.
void scale(std::span<const float> x, float factor, std::span<float> y);
void scale(std::span<const double> x, double factor, std::span<double> y);

}  // namespace sigstab
