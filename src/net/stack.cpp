#include "net/stack.hpp"

namespace sigstab {
namespace {

bool is_gated(const StackSpec& spec) {
  return spec.layer == LayerKind::mlp && spec.activation.row->gated;
}

}  // namespace

std::vector<MatrixSpec> block_matrices(const StackSpec& spec) {
  const std::int64_t d = spec.width, h = spec.hidden;
  if (spec.layer == LayerKind::dense) return {{"W", d, d, true}};
  if (is_gated(spec)) return {{"Wg", d, h, false}, {"W1", d, h, false}, {"W2", h, d, true}};
  return {{"W1", d, h, false}, {"W2", h, d, true}};
}

std::int64_t block_stages(const StackSpec& spec) { return spec.layer == LayerKind::dense ? 1 : 2; }

Block make_block(const StackSpec& spec) {
  const PlacementRow& norms =
      spec.norm.present() ? *spec.placement : default_placement(false, false);
  const std::int64_t d = spec.width, h = spec.hidden;

  Block block;
  const auto add = [&](Operation::Kind kind, std::int64_t in, std::int64_t out) {
    block.branch.push_back({kind, 0, 0, in, out});
  };
  std::size_t next_matrix = 0;
  const auto multiply = [&](std::int64_t in, std::int64_t out, std::size_t matrices = 1) {
    block.branch.push_back({Operation::product, next_matrix, matrices, in, out});
    next_matrix += matrices;
  };
  if (spec.residual.scales_input()) add(Operation::scale, d, d);
  if (norms.before_branch) add(Operation::norm, d, d);
  if (spec.layer == LayerKind::dense) {
    multiply(d, d);
    add(Operation::activation, d, d);
  } else {
    if (is_gated(spec)) {
      multiply(d, 2 * h, 2);
      add(Operation::gate, 2 * h, h);
    } else {
      multiply(d, h);
      add(Operation::activation, h, h);
    }
    if (norms.inside_branch) add(Operation::norm, h, h);
    multiply(h, d);
  }
  if (norms.after_branch) add(Operation::norm, d, d);
  block.norm_after_sum = norms.after_sum;
  return block;
}

}  // namespace sigstab
