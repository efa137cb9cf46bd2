#pragma once
// Two results compared value by value, columns and rows matched by name.

#include <string>
#include <vector>

#include "pipeline/result.hpp"

namespace sigstab {

struct Tolerance {
  // |a - b| <= max(relative * max(|a|, |b|), absolute); nan equals nan, an infinity itself.
  double relative = 0, absolute = 0;
};

struct Difference {
  std::string address;  // "linear-depth: sigma = 1, seed 0, forward_rms[50]"
  std::string a, b;     // shortest exact text; "missing" where one side lacks the value
  double relative;      // |a - b| / max(|a|, |b|); infinite where it has no meaning
};

struct DiffVerdict {
  std::size_t compared = 0;             // values on both sides
  std::vector<Difference> differences;  // worst first
};

// Errors: Error (empty place) if no value is on both sides.
DiffVerdict diff(const std::vector<Result>& a, const std::vector<Result>& b, Tolerance tolerance);

}  // namespace sigstab
