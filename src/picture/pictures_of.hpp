#pragma once
// From a result to pictures: which panels, curves and captions there are.
//
// Stacks of layers: forward and gradient sizes by layer, the theory line dashed, 95% of draws as a
// band. A sweep of one number: what arrives at the end against that number. Other kinds: the
// columns that their report shows, by row. Several seeds: their mean, geometric on logarithmic
// axes, from the 5th to the 95th percentile.
//
// The way is result -> series (picture_series) -> panels (picture_panel) -> pictures.

#include <optional>
#include <vector>

#include "base/error.hpp"
#include "picture/picture.hpp"
#include "result/result.hpp"
#include "run/plan.hpp"

namespace sigstab {

// Several pictures where there are too many curves for one. The result may come from a file: its
// cases are found by name and grid point, and all else that a file does not hold is the plan's.
// Errors: a case that the plan does not have; nothing that a curve could go through, or too much.
std::vector<Picture> pictures_of(const Plan& plan, const Result& result);

// Whether `pictures_of` will find something to draw in a complete result, asked before it is
// computed. Errors: as pictures_of.
void check_pictures(const Plan& plan);

// The one of these errors that says that there is more to draw than anyone could look at.
std::optional<Error> too_many_pictures(const Plan& plan);

}  // namespace sigstab
