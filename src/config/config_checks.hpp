#pragma once
// Refuses keys that conflict or have no effect.

#include "config/config.hpp"

namespace sigstab {

// Errors: what the file says twice, or a flag or an extending file in vain.
void check_all_matters(const Config& config);

// Seeds run every case with each seed, so no case can have its own. Errors: one has.
void check_no_other_seed(const Config& config);

}  // namespace sigstab
