#pragma once
// Figures that a config expects, compared with what was measured.

#include <string>
#include <vector>

#include "pipeline/expectation.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/result.hpp"

namespace sigstab {

struct FigureVerdict {
  std::string id;
  std::string address;  // "sigma = 1, forward_rms[50]"
  std::string ours, expected;
  std::string protocol;  // "exact", "near" or "spread"
  bool passed = false;
};

// One verdict for each expectation of the plan, in order.
std::vector<FigureVerdict> check(const Plan& plan, const Result& result);

}  // namespace sigstab
