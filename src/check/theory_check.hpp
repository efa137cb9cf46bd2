#pragma once
// What was measured over seeds against what theory predicts, layer by layer.
//
// ln RMS of one draw scatters about its band's mean; the mean over n seeds does so by the band's
// deviation / sqrt(n). Beside that stands theory's own accuracy: of order 1/width, and for
// gradients a quarter of the deviation of one draw.

#include <cstdint>
#include <string>
#include <vector>

#include "result/result.hpp"
#include "run/plan.hpp"

namespace sigstab {

struct TheoryVerdict {
  std::string label;   // of the case
  std::string column;  // forward_rms or gradient_rms; empty: there is nothing to compare
  std::string why;     // then, why
  std::size_t seeds = 0;
  double worst_z = 0;
  std::int64_t worst_layer = 0;
  // The first layer on the signal's way whose |z| is above the limit; -1: none.
  std::int64_t departs = -1;
  double measured = 0, predicted = 0, deviation = 0;  // there, of ln RMS

  bool passed() const { return departs < 0; }
};

// One or two verdicts a case of the plan, in order.
std::vector<TheoryVerdict> check_theory(const Plan& plan, const Result& result, double limit);

}  // namespace sigstab
