#pragma once
// Runs a plan. The only function that computes.

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "kinds/meter.hpp"
#include "result/result.hpp"
#include "run/plan.hpp"

namespace sigstab {

struct Limits {
  int threads = 1;
  double memory = 0;  // bytes that may be in use at once
};

// What the caller hears of a run and can tell it. Calls come from any thread, one at a time.
struct RunEvents {
  // A case of the result and its index in it, as soon as it is there.
  std::function<void(std::size_t index, const CaseResult&)> finished = {};
  // The same in the order of the result: a case waits for all before it, and after an interrupt
  // those that have waited in vain follow. Hears of what was finished before the run as well.
  std::function<void(std::size_t index, const CaseResult&)> in_order = {};
  RunMeter* meter = nullptr;
  // Once true, the run ends soon; null: it cannot be interrupted.
  const std::atomic<bool>* interrupt = nullptr;
};

// Errors: a plan whose largest case needs more than that.
void check_memory(const Plan& plan, const Limits& limits);

// The result of a plan before anything has run: no cases.
Result empty_result(const Plan& plan);

// By index in the result: the cases that are there. Empty: none.
using FinishedCases = std::vector<std::optional<CaseResult>>;

// Units run side by side as far as threads and memory allow; where there are fewer units than
// threads, the others help within a unit. The limits change no bit of the result. An interrupted
// run is not complete and holds the cases that were finished.
// What is finished already is part of the result; a unit of which all is
// finished does not run, and one of which a part is runs as a whole, since its stream must be
// drawn.
Result run(const Plan& plan, const Limits& limits, const RunEvents& events = {},
           FinishedCases finished = {});

}  // namespace sigstab
