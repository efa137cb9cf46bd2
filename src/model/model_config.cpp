#include "model/model_config.hpp"

#include <algorithm>

namespace sigstab {

bool ModelConfig::draws(DrawItem item) const {
  return std::ranges::find(random.shared, item) != random.shared.end() ||
         std::ranges::find(random.each, item) != random.each.end();
}

bool ModelConfig::has_gradient() const {
  return draws(DrawItem::upstream) || (draws(DrawItem::head) && draws(DrawItem::targets));
}

}  // namespace sigstab
