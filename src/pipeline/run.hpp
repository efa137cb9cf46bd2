#pragma once
// Runs a plan. The only function that computes.

#include "pipeline/plan.hpp"
#include "pipeline/result.hpp"

namespace sigstab {

// Errors: a plan whose largest case needs more memory than is available.
void check_memory(const Plan& plan, double available_bytes);

Result run(const Plan& plan);

}  // namespace sigstab
