#pragma once
// Two results compared value by value, columns and rows matched by name.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/result.hpp"

namespace sigstab {

// How far apart two values may be. An infinity equals itself.
struct Tolerance {
  // |a - b| <= max(relative * max(|a|, |b|), absolute)
  double relative = 0, absolute = 0;
  // or |ln a - ln b| <= logarithmic, of two positive values: for sizes that span decades
  double logarithmic = 0;
};

// What is allowed of a comparison. Scores (forward_z, gradient_z, input_z, input_gradient_z) are
// left out of it: they follow from the sizes beside them and lie around 0, where the last digits of
// a size are all of a score and no tolerance has a meaning.
struct DiffRules {
  Tolerance all;
  struct OfColumn {
    std::string name;  // "gradient_rms"; of a matrix's column also the part before the dot
    Tolerance tolerance;
  };
  std::vector<OfColumn> columns;  // in place of `all`
  bool nan_equal = true;
  // Compare means over seeds instead: at most so many standard errors apart, in ln where all values
  // are positive. 0: value by value.
  double z = 0;
  // Compare results of different configs as well.
  bool any_config = false;

  const Tolerance& of(std::string_view column) const;
};

struct Difference {
  std::string address;    // "linear-depth: sigma = 1, seed 0, forward_rms[50]"
  std::string a, b;       // shortest exact text
  double distance;        // in that unit; infinite where it has no meaning
  std::string_view unit;  // "relative", "ln" or "z"
};

struct DiffVerdict {
  std::size_t compared = 0;                 // values on both sides
  std::vector<Difference> differences;      // of these, worst first
  std::vector<std::string> only_a, only_b;  // addresses that the other side lacks

  bool same() const { return differences.empty() && only_a.empty() && only_b.empty(); }
};

// Errors: a run that was interrupted, since what it lacks cannot be told from what is wrong.
void check_whole(const std::vector<Result>& results, const std::string& file);

// The keys in which two configs differ, of those that say what is measured; none where one is not
// known. Seeds count as one of them unless means over seeds are compared.
std::vector<std::string> differing_keys(const Result& a, const Result& b, bool seeds_count);

struct KeyDifference {
  std::string key, a, b;  // "init.gain"; the values as errors show them
};
// The first of these keys, down to the value; seeds count.
std::optional<KeyDifference> first_differing_key(const Result& a, const Result& b);

// Whether a column or scalar is a score, which is not compared.
bool is_score(std::string_view name);

// That every rule is about a column that one of the results has. Errors: at --tol, did-you-mean.
void check_rules(const DiffRules& rules, const std::vector<Result>& a,
                 const std::vector<Result>& b);

// Every value of both sides but scores, whatever their configs.
DiffVerdict compare_values(const std::vector<Result>& a, const std::vector<Result>& b,
                           const DiffRules& rules);

// Errors: Error (empty place) if no value but scores is on both sides, if the configs differ in
// what is measured, or if there are no seeds to take means over.
DiffVerdict diff(const std::vector<Result>& a, const std::vector<Result>& b,
                 const DiffRules& rules);

}  // namespace sigstab
