#pragma once
// How often, and how far, draws lie from the middle of what theory says draws give: the z columns
// of a result, counted.

#include <cstddef>
#include <string>
#include <vector>

#include "result/result.hpp"

namespace sigstab {

inline constexpr double kFarScore = 3;  // one of 370 is farther by chance

// Of one case and column, over its rows, the input and all seeds.
struct ScoreSummary {
  std::string label, column;
  std::size_t scores = 0, far = 0;
  double worst = 0;      // the score farthest from 0
  std::string worst_at;  // "input", or a row's number
};

// In the order of the cases; nothing for columns without a score.
std::vector<ScoreSummary> summarise_scores(const Result& result);

}  // namespace sigstab
