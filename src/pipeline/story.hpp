#pragma once
// What a stack does to a size, in words: holds, grows, explodes, shrinks, vanishes, overflows, is
// nan.

#include <span>
#include <string>
#include <string_view>

namespace sigstab {

// `sizes` along the way of the signal, the first before any layer; `layer_of(i)` would name
// sizes[i]: first_layer + i * step (forward 0, 1; backward depth, -1). "over 50 layers" counts the
// steps. "explodes" and "vanishes" are said only when the second half still changes by more
// than 2.5, so that a stream that grows like sqrt(depth) merely "grows".
std::string tell_sizes(std::string_view what, std::span<const double> sizes, int first_layer,
                       int step);

}  // namespace sigstab
