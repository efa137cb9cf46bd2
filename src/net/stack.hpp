#pragma once
// What a stack computes, resolved: every block is the same short list of operations.
//
//   dense  f(x) = act(W x)        mlp  f(x) = W2 act(W1 x), gated W2 (act(Wg x) * W1 x)
// and, with N the norm, s = skip, b = branch multiplier (placement):
//   no residual:  none f(x) | pre f(N x) | post N(f x)
//   residual:     none s x + b f(x) | pre s x + b f(N x) | post N(s x + b f x) |
//                 sandwich s x + b N(f(N x)) | reordered s x + b N(f x) |
//                 sub s x + b W2 N(act(W1 N x)), gated s x + b W2 N(act(Wg N x) * W1 N x)
// A bias is added inside each product, which accumulates in T whatever the storage. Turning the
// placement into a list of operations once keeps forward and backward free of cases.

#include <cstdint>
#include <string_view>
#include <vector>

#include "net/activation.hpp"
#include "net/norm.hpp"
#include "net/residual.hpp"

namespace sigstab {

enum class LayerKind { dense, mlp };

struct StackSpec {
  std::int64_t width = 512, depth = 50, tokens = 1;
  LayerKind layer = LayerKind::dense;
  std::int64_t hidden = 0;  // mlp only
  Activation activation;
  Norm norm;
  const PlacementRow* placement = &default_placement(false, false);  // never null
  bool final_norm = false;
  Residual residual;
  // What is stored between operations is rounded to this format; null: T's own.
  const NumberFormat* storage = nullptr;
};

// One weight matrix of a block, in drawing order.
struct MatrixSpec {
  std::string_view name;
  std::int64_t fan_in, fan_out;
  bool last;  // the branch ends with it
};
std::vector<MatrixSpec> block_matrices(const StackSpec& spec);
// Matrices that a branch multiplies by one after another.
std::int64_t block_stages(const StackSpec& spec);

struct Operation {
  // product   one matrix, or several of one input side by side
  // gate      act of the first half of its input times the second half
  // scale     by the residual scheme's input factor
  enum Kind { norm, product, activation, gate, scale } kind;
  std::size_t first_matrix, matrices;  // of a product: indices into block_matrices
  std::int64_t in, out;                // widths of its input and output
};

// The branch in order, then what follows the sum with the skip.
struct Block {
  std::vector<Operation> branch;
  bool norm_after_sum;  // post-norm
};
Block make_block(const StackSpec& spec);

}  // namespace sigstab
