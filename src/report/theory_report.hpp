#pragma once
// The predictions of a plan of depth experiments as text: a table a case, or JSON.

#include <string>

#include "run/plan.hpp"

namespace sigstab {

// Under each table: what becomes of the sizes in the case's dtype; chi_1, by which the last block
// multiplies a gradient's mean square; the size slope, by which it multiplies a small relative
// change of the signal's mean square (above 1 no size is kept for long); notes.
// Errors: a plan of another kind of experiment.
std::string theory_table(const Plan& plan);
// {"schema", "experiment", "title", "cases": [{"name", "point", "refusal", "notes", "chi_1",
// "size_slope", "output_rms", "layers": [...]}]}: layer 0 is the input. Every size is there as
// forward_rms (null beyond the range of a double) and as log10_forward_rms; bands hold the
// quantiles 2.5, 16, 50, 84 and 97.5 % of log10, and mean and deviation of ln.
std::string theory_json(const Plan& plan);

// A size given by its natural logarithm, to four digits: "1.234e-3000".
std::string size_text(double log_size);

}  // namespace sigstab
