#include "report/score_summary.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "report/result_tables.hpp"

namespace sigstab {
namespace {

void add_score(ScoreSummary& summary, double score, const std::string& at) {
  if (std::isnan(score)) return;
  ++summary.scores;
  if (std::fabs(score) > kFarScore) ++summary.far;
  if (summary.scores > 1 && std::fabs(score) <= std::fabs(summary.worst)) return;
  summary.worst = score;
  summary.worst_at = at;
}

}  // namespace

std::vector<ScoreSummary> summarise_scores(const Result& result) {
  std::vector<ScoreSummary> all;
  std::unordered_map<std::string, std::size_t> index;  // by case and column
  for (const CaseResult& one : result.cases) {
    for (const Column& column : one.columns) {
      if (column.role != ColumnRole::score) continue;
      const std::string label = one.label();
      const auto [at, is_new] = index.try_emplace(label + "\n" + column.name, all.size());
      if (is_new) all.push_back({label, column.name, 0, 0, 0, ""});
      ScoreSummary& summary = all[at->second];
      if (const auto* input = std::get_if<double>(one.scalar(column.input_scalar))) {
        add_score(summary, *input, kInputEdge.label);
      }
      for (std::size_t row = 0; row < column.values.size(); ++row) {
        add_score(summary, column.values[row], std::to_string(row + 1));
      }
    }
  }
  std::erase_if(all, [](const ScoreSummary& s) { return s.scores == 0; });
  return all;
}

}  // namespace sigstab
