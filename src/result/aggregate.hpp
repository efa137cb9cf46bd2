#pragma once
// Statistics over the seeds of a result.
//
// A case of the aggregate stands for one (case, grid point). Its columns are statistics of the
// seeds' columns, one a (column, statistic), named "forward_rms geometric_mean"; its scalars are
// named alike; predictions stay as they are, and scores become that of the geometric mean. Values
// that are not finite are left out and counted by the statistic nonfinite.

#include <span>

#include "result/result.hpp"
#include "result/statistic.hpp"

namespace sigstab {

// How many seeds the case with the most of them was run with, and whether these are several.
std::size_t most_seeds(const Result& result);
bool has_several_seeds(const Result& result);

// The cases in their order. Columns and scalars that are no numbers are left out.
Result aggregate(const Result& result, std::span<const StatisticRow* const> statistics);

// "forward_rms geometric_mean"
std::string statistic_name(std::string_view value, const StatisticRow& statistic);

}  // namespace sigstab
