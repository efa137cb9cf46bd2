#pragma once
// A config written as a person would write it.

#include <string>

#include "config/config.hpp"
#include "json/json.hpp"

namespace sigstab {

// JSON with one key of the top a line; what fits on a line is not broken further. Ends in a
// newline.
std::string laid_out(const Json& value);

// The reverse of expand_short_forms.
void shorten_forms(Json& object, const ObjectTable& table);

// The config with all that it extends and every default, in short forms.
std::string whole_text(const Config& config);

}  // namespace sigstab
