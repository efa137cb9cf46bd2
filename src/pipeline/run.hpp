#pragma once
// Runs a plan. The only function that computes.

#include "pipeline/plan.hpp"
#include "pipeline/result.hpp"

namespace sigstab {

struct Limits {
  int threads = 1;
  double memory = 0;  // bytes that may be in use at once
};

// Errors: a plan whose largest case needs more than that.
void check_memory(const Plan& plan, const Limits& limits);

// Units run side by side as far as threads and memory allow; where there are fewer units than
// threads, the others help within a unit. The limits change no bit of the result.
Result run(const Plan& plan, const Limits& limits);

}  // namespace sigstab
