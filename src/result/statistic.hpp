#pragma once
// Statistics over seeds: one row of one table each.

#include <span>
#include <string_view>

namespace sigstab {

struct StatisticRow {
  std::string_view name, help;
  // Of at least one value; those that need two are NaN for one.
  double (*of)(std::span<const double> values);
  bool counts_all = false;  // wants the values that are not finite as well
};

std::span<const StatisticRow> statistic_table();

double mean_of(std::span<const double> values);
// With n - 1 in the denominator.
double standard_deviation_of(std::span<const double> values);

}  // namespace sigstab
