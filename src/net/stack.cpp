#include "net/stack.hpp"

namespace sigstab {

std::vector<MatrixSpec> block_matrices(const StackSpec& spec) {
  if (spec.layer == LayerKind::dense) return {{"W", spec.width, spec.width}};
  return {{"W1", spec.width, spec.hidden}, {"W2", spec.hidden, spec.width}};
}

Block make_block(const StackSpec& spec) {
  const Placement p = spec.norm.present() ? spec.placement : Placement::none;
  const bool norm_first = p == Placement::pre || p == Placement::sandwich || p == Placement::sub;
  const bool norm_last = p == Placement::sandwich || p == Placement::reordered;
  const std::int64_t d = spec.width, h = spec.hidden;

  Block block;
  const auto add = [&](Operation::Kind kind, std::int64_t in, std::int64_t out,
                       std::size_t matrix = 0) {
    block.branch.push_back({kind, matrix, in, out});
  };
  if (norm_first) add(Operation::norm, d, d);
  if (spec.layer == LayerKind::dense) {
    add(Operation::product, d, d);
    add(Operation::activation, d, d);
  } else {
    add(Operation::product, d, h);
    add(Operation::activation, h, h);
    if (p == Placement::sub) add(Operation::norm, h, h);
    add(Operation::product, h, d, 1);
  }
  if (norm_last) add(Operation::norm, d, d);
  block.norm_after_sum = p == Placement::post;
  return block;
}

}  // namespace sigstab
