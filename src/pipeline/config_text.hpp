#pragma once
// A config written as a person would write it.

#include <string>

#include "pipeline/config.hpp"
#include "pipeline/json.hpp"

namespace sigstab {

// JSON with one key of the top a line; what fits on a line is not broken further. Ends in a
// newline.
std::string laid_out(const Json& value);

// The config's own file with what the command line changes written into it, in short forms. What
// described the unchanged file is left out: names, texts, expected figures, and what its report
// says of rows that are gone. A file that nothing changes keeps all of it.
Json changed_file(const Config& config);

// The config with all that it extends and every default, in short forms.
std::string whole_text(const Config& config);

}  // namespace sigstab
