#pragma once
// What a config says twice, or in vain.

#include <string_view>

#include "pipeline/config.hpp"

namespace sigstab {

// What a patch says of a key: a parent that is no object replaces it along with all others.
enum class Effect { none, sets, replaces_parent };
Effect effect_on(const Json& patch, std::string_view dotted_key);

// Errors: what the file says twice, or a flag or an extending file in vain.
void check_all_matters(const Config& config, const ObjectTable& table);

// Seeds run every case with each seed, so no case can have its own. Errors: one has.
void check_no_other_seed(const Config& config);

}  // namespace sigstab
