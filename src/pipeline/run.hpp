#pragma once
// Runs a plan. The only function that computes.

#include <atomic>
#include <functional>

#include "pipeline/plan.hpp"
#include "pipeline/result.hpp"

namespace sigstab {

struct Limits {
  int threads = 1;
  double memory = 0;  // bytes that may be in use at once
};

// What the caller hears of a run and can tell it. Calls come from any thread, one at a time.
struct RunEvents {
  // A case of the result, as soon as it and all before it are there; after an interrupt the others
  // that are finished follow.
  std::function<void(const CaseResult&)> finished = {};
  std::function<void(std::size_t done, std::size_t all)> progress = {};
  // Once true, the run ends soon; null: it cannot be interrupted.
  const std::atomic<bool>* interrupt = nullptr;
};

// Errors: a plan whose largest case needs more than that.
void check_memory(const Plan& plan, const Limits& limits);

// The result of a plan before anything has run: no cases.
Result empty_result(const Plan& plan);

// Units run side by side as far as threads and memory allow; where there are fewer units than
// threads, the others help within a unit. The limits change no bit of the result. An interrupted
// run is not complete and holds the cases that were finished.
Result run(const Plan& plan, const Limits& limits, const RunEvents& events = {});

}  // namespace sigstab
