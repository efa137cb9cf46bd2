#pragma once
// One value of every case of a result, in a table of two keys.

#include "config/report_spec.hpp"
#include "report/text_grid.hpp"

namespace sigstab {

// Rows and columns in the order in which their values first occur; an empty cell where no case is.
TextGrid pivot_grid(const Result& result, const PivotSpec& spec);

// "weight_gradient_frobenius.W2 at layer 48, mean over seeds"
std::string pivot_heading(const Result& result, const PivotSpec& spec);

}  // namespace sigstab
