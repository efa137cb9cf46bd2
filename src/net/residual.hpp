#pragma once
// Residual schemes: what multiplies the skip, the branch and the branch's weights.
//
// A block computes s x + b f(x). A scheme gives s, b and factors on weight matrices as functions of
// the depth L, which counts branches: a Transformer layer has two.

#include <cstdint>
#include <span>
#include <string_view>

namespace sigstab {

struct ResidualRow {
  std::string_view name, help, source;
  bool residual;  // false: the block is its branch alone
  double (*last_matrix_scale)(
      double depth);  // on the weights of the branch's last matrix, after the draw
};

std::span<const ResidualRow> residual_table();

// A scheme with the config's own multipliers.
struct Residual {
  const ResidualRow* row = nullptr;
  double skip = 1, branch = 1;

  bool present() const { return row != nullptr && row->residual; }
};

}  // namespace sigstab
