#include "result/aggregate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/named_table.hpp"

namespace sigstab {
namespace {

using Group = std::vector<const CaseResult*>;  // one case's seeds

std::vector<Group> groups_of(const Result& result) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> index_of;
  for (const CaseResult& one : result.cases) {
    const auto [found, fresh] = index_of.try_emplace(one.label(), groups.size());
    if (fresh) groups.emplace_back();
    groups[found->second].push_back(&one);
  }
  return groups;
}

double statistic_of(const StatisticRow& statistic, std::vector<double> values) {
  if (statistic.counts_all) return statistic.of(values);
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : statistic.of(values);
}

std::string edge_name(const std::string& scalar, const StatisticRow& statistic) {
  return scalar.empty() ? "" : statistic_name(scalar, statistic);
}

void add_column(const Group& seeds, const Column& first, const StatisticRow& statistic,
                CaseResult& one) {
  Column column{.name = statistic_name(first.name, statistic),
                .values = std::vector<double>(first.values.size()),
                .input_scalar = edge_name(first.input_scalar, statistic),
                .output_scalar = edge_name(first.output_scalar, statistic),
                .label = std::string(statistic.name),
                .is_size = first.is_size};
  for (std::size_t row = 0; row < first.values.size(); ++row) {
    std::vector<double> values;
    for (const CaseResult* seed : seeds) values.push_back(seed->column(first.name)->values[row]);
    column.values[row] = statistic_of(statistic, std::move(values));
  }
  one.columns.push_back(std::move(column));
}

void add_scalar(const Group& seeds, const NamedScalar& first, const StatisticRow& statistic,
                CaseResult& one) {
  std::vector<double> values;
  for (const CaseResult* seed : seeds) {
    const Scalar* value = seed->scalar(first.name);
    if (value == nullptr || !std::holds_alternative<double>(*value)) return;
    values.push_back(std::get<double>(*value));
  }
  one.scalars.push_back(
      {statistic_name(first.name, statistic), statistic_of(statistic, std::move(values))});
}

// A score of the geometric mean over seeds: scores of independent draws add up, their sum has
// variance n. Scalars alike, at a column's ends.
double joint_score(const std::vector<double>& scores) {
  double sum = 0;
  for (double score : scores) sum += score;
  return sum / std::sqrt(static_cast<double>(scores.size()));
}

void add_score(const Group& seeds, const Column& first, CaseResult& one) {
  Column column = first;
  for (std::size_t row = 0; row < first.values.size(); ++row) {
    std::vector<double> scores;
    for (const CaseResult* seed : seeds) scores.push_back(seed->column(first.name)->values[row]);
    column.values[row] = joint_score(scores);
  }
  one.columns.push_back(std::move(column));
}

void add_score(const Group& seeds, const NamedScalar& first, CaseResult& one) {
  std::vector<double> scores;
  for (const CaseResult* seed : seeds) {
    scores.push_back(std::get<double>(*seed->scalar(first.name)));
  }
  one.scalars.push_back({first.name, joint_score(scores)});
}

// What the geometric means over seeds do from layer to layer.
void tell_means(const Group& seeds, CaseResult& one) {
  const StatisticRow& mean = *find_row(statistic_table(), "geometric_mean");
  for (const Column& column : seeds.front()->columns) {
    if (!column.told) continue;
    std::vector<std::vector<double>> rows(column.values.size() + 1);
    for (const CaseResult* seed : seeds) {
      rows[0].push_back(std::get<double>(*seed->scalar(column.input_scalar)));
      const std::vector<double>& values = seed->column(column.name)->values;
      for (std::size_t row = 0; row < values.size(); ++row) rows[row + 1].push_back(values[row]);
    }
    std::vector<double> sizes;
    for (std::vector<double>& values : rows) sizes.push_back(statistic_of(mean, std::move(values)));
    one.verdicts.push_back(tell_sizes(column.told->what, sizes, column.told->direction));
  }
}

// "3 of 20 seeds have values of forward_rms that are not finite, from layer 9 on; ..."
void tell_lost_values(const Group& seeds, const std::string& row_name, CaseResult& one) {
  for (const Column& column : seeds.front()->columns) {
    if (column.role != ColumnRole::measured) continue;
    std::size_t lost = 0, first = column.values.size();
    for (const CaseResult* seed : seeds) {
      const std::vector<double>& values = seed->column(column.name)->values;
      const auto at = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
      if (at == values.end()) continue;
      ++lost;
      first = std::min(first, static_cast<std::size_t>(at - values.begin()));
    }
    if (lost == 0) continue;
    one.verdicts.push_back(
        fmt::format("{} of {} seeds have values of {} that are not finite, from {} {} on; "
                    "statistics leave these out",
                    lost, seeds.size(), column.name, row_name, first + 1));
  }
}

CaseResult aggregate_of(const Group& seeds, const std::string& row_name,
                        std::span<const StatisticRow* const> statistics) {
  const CaseResult& first = *seeds.front();
  CaseResult one;
  one.name = first.name;
  one.point = first.point;
  one.planned = first.planned;
  one.traits = first.traits;
  std::erase(one.traits, "seed " + first.seed);
  one.traits.push_back(fmt::format("{} seeds", seeds.size()));
  for (const NamedScalar& scalar : first.scalars) {
    const ColumnRole role = first.role_of(scalar.name);
    if (role == ColumnRole::predicted) one.scalars.push_back(scalar);
    if (role == ColumnRole::score) add_score(seeds, scalar, one);
    if (role != ColumnRole::measured) continue;
    for (const StatisticRow* statistic : statistics) add_scalar(seeds, scalar, *statistic, one);
  }
  for (const Column& column : first.columns) {
    if (column.role == ColumnRole::predicted || column.role == ColumnRole::count) {
      one.columns.push_back(column);
    }
    if (column.role == ColumnRole::score) add_score(seeds, column, one);
    if (column.role != ColumnRole::measured) continue;
    for (const StatisticRow* statistic : statistics) {
      add_column(seeds, column, *statistic, one);
    }
  }
  tell_means(seeds, one);
  tell_lost_values(seeds, row_name, one);
  return one;
}

}  // namespace

std::size_t most_seeds(const Result& result) {
  std::size_t most = 0;
  for (const Group& seeds : groups_of(result)) most = std::max(most, seeds.size());
  return most;
}

bool has_several_seeds(const Result& result) { return most_seeds(result) > 1; }

std::string statistic_name(std::string_view value, const StatisticRow& statistic) {
  return fmt::format("{} {}", value, statistic.name);
}

Result aggregate(const Result& result, std::span<const StatisticRow* const> statistics) {
  Result all;
  all.experiment = result.experiment;
  all.kind = result.kind;
  all.row_name = result.row_name;
  all.title = result.title;
  all.source = result.source;
  for (const Group& seeds : groups_of(result)) {
    all.cases.push_back(aggregate_of(seeds, result.row_name, statistics));
  }
  return all;
}

}  // namespace sigstab
