#include "pipeline/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "pipeline/statistic.hpp"

namespace sigstab {
namespace {

bool is_addressed(const CaseResult& one, const Expectation& e) {
  return one.name == e.case_name && (e.over_seeds || one.seed == e.seed) &&
         std::ranges::equal(one.point, e.point, [](const NamedScalar& a, const NamedScalar& b) {
           return a.name == b.name && a.value == b.value;
         });
}

std::string address_of(const CaseResult& one, const Expectation& e) {
  std::string text = one.label();
  if (!text.empty()) text += ", ";
  if (e.line) return text + "line";
  text += e.row > 0 ? fmt::format("{}[{}]", e.column, e.row) : e.column;
  if (e.statistic != nullptr) text += fmt::format(", {} over seeds", e.statistic->name);
  return text;
}

Scalar value_of(const CaseResult& one, const Expectation& e) {
  if (e.row > 0) return one.column(e.column)->values[static_cast<std::size_t>(e.row - 1)];
  return *one.scalar(e.column);
}

// What the expectation is about: one value, or a statistic of the values over seeds.
Scalar measured(const std::vector<const CaseResult*>& cases, const Expectation& e) {
  if (e.statistic == nullptr) return value_of(*cases.front(), e);
  std::vector<double> values;
  for (const CaseResult* one : cases) values.push_back(std::get<double>(value_of(*one, e)));
  return e.statistic->of(values);
}

// The figure lies within so many standard deviations of our mean over seeds.
FigureVerdict judge_spread(const Expectation& e, const std::vector<const CaseResult*>& cases) {
  std::vector<double> values;
  for (const CaseResult* one : cases) values.push_back(std::get<double>(value_of(*one, e)));
  const double centre = mean_of(values), spread = standard_deviation_of(values);
  const double z = (*e.near - centre) / spread;
  return {e.id,
          address_of(*cases.front(), e),
          fmt::format("{:.4g} +- {:.2g} over {} seeds", centre, spread, values.size()),
          fmt::format("{:.4g} (z {:+.2f}, within {:g})", *e.near, z, *e.within_z),
          "spread",
          std::fabs(z) <= *e.within_z};
}

FigureVerdict judge(const Expectation& e, const std::vector<const CaseResult*>& cases,
                    const ReportSpec& report) {
  if (e.within_z) return judge_spread(e, cases);
  const CaseResult& one = *cases.front();
  FigureVerdict verdict{e.id, address_of(one, e), "", "", "exact", false};
  if (e.line) {
    verdict.expected = *e.line;
    verdict.ours = report.line ? report.line->render(one) : "(no report.line)";
  } else if (e.printed) {
    verdict.expected = *e.printed;
    verdict.ours = e.whole_column
                       ? numpy_array(one.column(e.column)->values, e.format.precision_or(3))
                       : e.format.format(measured(cases, e));
  } else {
    const Scalar scalar = measured(cases, e);
    const double* ours = std::get_if<double>(&scalar);
    verdict.protocol = "near";
    verdict.expected = fmt::format("{:.4g} within {:.3g}%", *e.near, 100 * e.rel);
    verdict.ours = ours == nullptr ? FormatSpec().format(scalar) : fmt::format("{:.4g}", *ours);
    verdict.passed = ours != nullptr && std::fabs(*ours - *e.near) <= e.rel * std::fabs(*e.near);
    return verdict;
  }
  verdict.passed = verdict.ours == verdict.expected;
  return verdict;
}

}  // namespace

std::vector<FigureVerdict> check(const Plan& plan, const Result& result) {
  std::vector<FigureVerdict> verdicts;
  for (const Expectation& e : plan.expectations) {
    std::vector<const CaseResult*> cases;
    for (const CaseResult& one : result.cases) {
      if (is_addressed(one, e)) cases.push_back(&one);
    }
    SIGSTAB_ASSERT(!cases.empty());
    const auto index = static_cast<std::size_t>(cases.front() - result.cases.data());
    verdicts.push_back(judge(e, cases, plan.report_of(index)));
  }
  return verdicts;
}

}  // namespace sigstab
