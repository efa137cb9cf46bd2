#include "report/chapter.hpp"

#include <fmt/format.h>

#include <utility>

#include "json/json.hpp"
#include "report/score_summary.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

std::string verdict_word(const FigureVerdict& v) {
  if (!v.is_checked()) return std::string(protocol_row(v.protocol).name);
  return v.passed ? "pass" : "MISS";
}

Comparison with_figures(const std::vector<FigureVerdict>& verdicts, const FigureTotals& totals) {
  Comparison comparison{"Against the expected figures",
                        totals.text() + ".",
                        {{"", "figure", "of", "got", "expected", "by"}},
                        {}};
  for (const FigureVerdict& v : verdicts) {
    if (v.is_missed()) comparison.missed.push_back(comparison.grid.size());
    comparison.grid.push_back({verdict_word(v), v.id, v.address, v.ours, v.expected,
                               std::string(protocol_row(v.protocol).name)});
  }
  return comparison;
}

// Why theory says nothing of a case; empty where it does.
std::string refusal_of(const PlannedCase& planned) {
  const CaseTheory* theory = planned.model->theory();
  return theory == nullptr ? "it predicts stacks of layers" : theory->refusal();
}

Comparison with_theory(const Plan& plan, const Result& result) {
  Comparison comparison{"Against theory", "", {}, {}};
  const std::vector<ScoreSummary> summaries = summarise_scores(result);
  if (summaries.empty()) {
    const std::string refusal = refusal_of(plan.cases.front());
    comparison.summary = refusal.empty() ? "No column of this report has a z."
                                         : fmt::format("Theory says nothing here: {}.", refusal);
    return comparison;
  }
  std::size_t scores = 0, far = 0;
  const std::string beyond = fmt::format("|z| > {:g}", kFarScore);
  comparison.grid = {{"case", "column", "compared", beyond, "farthest z", "at " + result.row_name}};
  for (const ScoreSummary& s : summaries) {
    scores += s.scores;
    far += s.far;
    comparison.grid.push_back({s.label, s.column, fmt::format("{}", s.scores),
                               fmt::format("{}", s.far), fmt::format("{:+.2f}", s.worst),
                               s.worst_at});
  }
  comparison.summary = fmt::format(
      "{} of {} sizes have {}. A z is how many standard deviations a draw lies from the middle of "
      "what draws of this width give; one in 370 is beyond 3 by chance, and neighbouring {} go "
      "astray together.",
      far, scores, beyond, plural(result.row_name));
  return comparison;
}

TextGrid provenance_of(const Result& result) {
  const Provenance& p = result.provenance;
  TextGrid grid;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) grid.push_back({name, text});
  };
  add("sigstab", p.version);
  add("revision", p.revision);
  add("build", p.build_type);
  add("compiler", p.compiler);
  add("BLAS", p.blas_core.empty() ? p.blas : fmt::format("{}, {} kernels", p.blas, p.blas_core));
  return grid;
}

}  // namespace

Chapter chapter_of(const Config& config, const Plan& plan, const Result& result,
                   ChapterSource source) {
  Chapter chapter;
  chapter.tables = tables_of(
      result, [&](const CaseResult& one) -> const ReportSpec& { return plan.report_of(one); });
  chapter.about = config.about;
  chapter.source = config.source;
  if (!result.complete) {
    chapter.notes.push_back(
        fmt::format("The run was interrupted: {} of {} results are here.{}", result.cases.size(),
                    plan.results, plan.expectations.empty() ? "" : " No figure was checked."));
  } else if (!plan.expectations.empty()) {
    const std::vector<FigureVerdict> verdicts = check(plan, result);
    for (const FigureVerdict& v : verdicts) chapter.totals.add(v);
    chapter.comparisons.push_back(with_figures(verdicts, chapter.totals));
  }
  chapter.comparisons.push_back(with_theory(plan, result));
  chapter.rerun = std::move(source.rerun);
  chapter.commands = std::move(source.commands);
  if (source.written) {
    chapter.configs.push_back({"The config as written", std::move(*source.written), "json"});
  }
  chapter.configs.push_back(
      {"The config as resolved, with every default", indented(result.config), "json"});
  chapter.provenance = provenance_of(result);
  return chapter;
}

}  // namespace sigstab
