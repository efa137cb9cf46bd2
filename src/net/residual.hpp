#pragma once
// Residual schemes: what multiplies the skip, the branch and the branch's weights.
//
// A block computes skip x + branch f(input x). Depth L counts branches: a Transformer layer has
// two, so a paper's N layers are L = 2N. Factors on weights apply after the draw.

#include <cstdint>
#include <span>
#include <string_view>

#include "base/parameter.hpp"

namespace sigstab {

struct BlockFactors {
  double skip = 1, branch = 1, input = 1;
  double last_weights = 1;   // on the matrix that ends the branch
  double other_weights = 1;  // on those before it
};

enum class Side { encoder, decoder };

// The network that a block belongs to.
struct ResidualSize {
  std::int64_t depth = 1;   // L, this stack's branches
  std::int64_t stages = 1;  // matrices in a row within a branch: 1 dense, 2 mlp
  // Of an encoder-decoder: Transformer layers of its two stacks, and which of them this is.
  Side side = Side::encoder;
  double encoder_layers = 0, decoder_layers = 0;  // 0: this stack stands alone

  double layers() const { return static_cast<double>(depth) / 2; }  // N
  bool two_sided() const { return encoder_layers > 0; }
};

struct ResidualRow {
  std::string_view name, help, source;
  bool residual;   // false: the block is its branch alone
  bool two_sided;  // has constants of its own for an encoder-decoder
  std::span<const Parameter> parameters;
  BlockFactors (*factors)(std::int64_t layer, const ResidualSize&, const ParameterValues&);
};

std::span<const ResidualRow> residual_table();

// A scheme with the config's own multipliers, which multiply the scheme's.
struct Residual {
  const ResidualRow* row = nullptr;
  ParameterValues parameters{};
  double skip = 1, branch = 1;
  ResidualSize size;

  bool present() const { return row != nullptr && row->residual; }
  // Layer from 1 to size.depth.
  BlockFactors factors(std::int64_t layer) const;
  // Whether some block's input factor is not 1.
  bool scales_input() const { return present() && factors(size.depth).input != 1; }
};

}  // namespace sigstab
