#pragma once
// Defaults written into a config, and taken out of it again.

#include <string>

#include "config/config.hpp"

namespace sigstab {

// The base with every default of the table filled in, as JSON text; without figures that are no
// longer expected.
std::string resolved_text(const Config& config);

// Takes out of a resolved config what is only a default. A default that is written out says
// nothing, and some cases' own keys refuse to stand beside it.
void erase_defaults(Json& config);

}  // namespace sigstab
