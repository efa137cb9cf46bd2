#include "pipeline/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace sigstab {
namespace {

bool is_addressed(const CaseResult& one, const Expectation& e) {
  return one.name == e.case_name && one.seed == e.seed &&
         std::ranges::equal(one.point, e.point, [](const NamedScalar& a, const NamedScalar& b) {
           return a.name == b.name && a.value == b.value;
         });
}

std::string address_of(const CaseResult& one, const Expectation& e) {
  std::string text = one.label();
  if (!text.empty()) text += ", ";
  if (e.line) return text + "line";
  return text + (e.row > 0 ? fmt::format("{}[{}]", e.column, e.row) : e.column);
}

Scalar value_of(const CaseResult& one, const Expectation& e) {
  if (e.row > 0) return one.column(e.column)->values[static_cast<std::size_t>(e.row - 1)];
  return *one.scalar(e.column);
}

FigureVerdict judge(const Expectation& e, const CaseResult& one, const ReportSpec& report) {
  FigureVerdict verdict{e.id, address_of(one, e), "", "", "exact", false};
  if (e.line) {
    verdict.expected = *e.line;
    verdict.ours = report.line ? report.line->render(one) : "(no report.line)";
  } else if (e.printed) {
    verdict.expected = *e.printed;
    verdict.ours = e.whole_column
                       ? numpy_array(one.column(e.column)->values, e.format.precision_or(3))
                       : e.format.format(value_of(one, e));
  } else {
    const Scalar scalar = value_of(one, e);
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
    const auto one =
        std::ranges::find_if(result.cases, [&](const CaseResult& c) { return is_addressed(c, e); });
    SIGSTAB_ASSERT(one != result.cases.end());
    const auto index = static_cast<std::size_t>(one - result.cases.begin());
    verdicts.push_back(judge(e, *one, plan.report_of(index)));
  }
  return verdicts;
}

}  // namespace sigstab
