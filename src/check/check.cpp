#include "check/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "result/statistic.hpp"

namespace sigstab {
namespace {

using Cases = std::vector<const CaseResult*>;

// The one result at an address, or those of all seeds. Never empty.
Cases addressed(const Result& result, const ValueAddress& a) {
  Cases cases;
  for (const CaseResult& one : result.cases) {
    const bool same_point =
        std::ranges::equal(one.point, a.point, [](const NamedScalar& x, const NamedScalar& y) {
          return x.name == y.name && x.value == y.value;
        });
    if (one.name == a.case_name && same_point && (a.over_seeds || one.seed == a.seed)) {
      cases.push_back(&one);
    }
  }
  SIGSTAB_ASSERT(!cases.empty());
  return cases;
}

// "forward_rms[50], mean over seeds"
std::string value_name(const ValueAddress& a) {
  std::string text = a.row > 0 ? fmt::format("{}[{}]", a.column, a.row) : a.column;
  if (a.statistic != nullptr) text += fmt::format(", {} over seeds", a.statistic->name);
  return text;
}

// The divisor's case is named only where it is another one.
std::string address_of(const Result& result, const Expectation& e) {
  const auto full = [](const std::string& label, const std::string& name) {
    return label.empty() ? name : label + ", " + name;
  };
  const std::string label = addressed(result, e.value).front()->label();
  const std::string text = full(label, e.line ? "line" : value_name(e.value));
  if (!e.over) return text;
  const std::string other = addressed(result, *e.over).front()->label();
  return text + " / " + (other == label ? value_name(*e.over) : full(other, value_name(*e.over)));
}

Scalar value_of(const CaseResult& one, const ValueAddress& a) {
  if (a.row > 0) return one.column(a.column)->values[static_cast<std::size_t>(a.row - 1)];
  return *one.scalar(a.column);
}

// Of every seed.
std::vector<double> values_of(const Result& result, const ValueAddress& a) {
  std::vector<double> values;
  for (const CaseResult* one : addressed(result, a)) {
    values.push_back(std::get<double>(value_of(*one, a)));
  }
  return values;
}

// One value, or a statistic of the values over seeds.
Scalar value_at(const Result& result, const ValueAddress& a) {
  if (a.statistic != nullptr) return a.statistic->of(values_of(result, a));
  return value_of(*addressed(result, a).front(), a);
}

// What the expectation is about.
Scalar measured(const Result& result, const Expectation& e) {
  const Scalar value = value_at(result, e.value);
  if (!e.over) return value;
  return std::get<double>(value) / std::get<double>(value_at(result, *e.over));
}

// The figure lies within so many standard deviations of our mean over seeds.
void judge_spread(const Result& result, const Expectation& e, FigureVerdict& verdict) {
  std::vector<double> values = values_of(result, e.value);
  if (e.over) {
    const std::vector<double> divisors = values_of(result, *e.over);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] /= divisors[i];
  }
  const double centre = mean_of(values), spread = standard_deviation_of(values);
  const double z = (*e.near - centre) / spread;
  verdict.ours = fmt::format("{:.4g} +- {:.2g} over {} seeds", centre, spread, values.size());
  verdict.expected = fmt::format("{:.4g} (z {:+.2f}, within {:g})", *e.near, z, *e.within_z);
  verdict.passed = std::fabs(z) <= *e.within_z;
}

// NaN passes nothing.
void judge_size(double ours, const Expectation& e, FigureVerdict& verdict) {
  verdict.ours = fmt::format("{:.4g}", ours);
  if (e.below) {
    verdict.expected = fmt::format("below {:.4g}", *e.below);
    verdict.passed = ours < *e.below;
  } else if (e.factor) {
    verdict.expected = fmt::format("{:.4g} within a factor of {:g}", *e.near, *e.factor);
    const double share = ours / *e.near;
    verdict.passed = share < *e.factor && share * *e.factor > 1;
  } else {
    verdict.expected = fmt::format("{:.4g} within {:.3g}%", *e.near, 100 * *e.rel);
    verdict.passed = std::fabs(ours - *e.near) <= *e.rel * std::fabs(*e.near);
  }
}

FigureVerdict judge(const Plan& plan, const Result& result, const Expectation& e) {
  FigureVerdict verdict{e.id, e.protocol, "", "", e.unchecked, false};
  if (!e.is_checked()) return verdict;
  verdict.address = address_of(result, e);
  if (e.within_z) {
    judge_spread(result, e, verdict);
  } else if (e.near || e.below) {
    judge_size(std::get<double>(measured(result, e)), e, verdict);
  } else {
    const CaseResult& one = *addressed(result, e.value).front();
    if (e.line) {
      const ReportSpec& report = plan.report_of(one);
      verdict.ours = report.line ? report.line->render(one) : "(no report.line)";
    } else if (e.value.whole_column) {
      verdict.ours = numpy_array(one.column(e.value.column)->values, e.format.precision_or(3));
    } else {
      verdict.ours = e.format.format(measured(result, e));
    }
    verdict.expected = e.line ? *e.line : *e.printed;
    verdict.passed = verdict.ours == verdict.expected;
  }
  return verdict;
}

}  // namespace

std::vector<FigureVerdict> check(const Plan& plan, const Result& result) {
  std::vector<FigureVerdict> verdicts;
  for (const Expectation& e : plan.expectations) verdicts.push_back(judge(plan, result, e));
  return verdicts;
}

void FigureTotals::add(const FigureVerdict& verdict) {
  failed_ += verdict.is_missed();
  verdicts_.push_back(verdict);
}

void FigureTotals::add(const FigureTotals& others) {
  for (const FigureVerdict& verdict : others.verdicts_) add(verdict);
}

FigureTotals::Count FigureTotals::count_of(Protocol protocol) const {
  Count found;
  for (const FigureVerdict& v : verdicts_) {
    if (v.protocol != protocol || v.is_missed()) continue;
    found.names += (++found.count == 1 ? "" : ", ") + v.id;
  }
  return found;
}

std::string FigureTotals::checked_text() const {
  std::size_t figures = failed_;
  std::string passed;
  for (const ProtocolRow& row : protocol_table()) {
    const Count found = count_of(row.protocol);
    if (!is_checked(row.protocol) || found.count == 0) continue;
    figures += found.count;
    passed += fmt::format("{} {}, ", found.count, row.total);
  }
  return fmt::format("{} figure{}: {}{} failed", figures, figures == 1 ? "" : "s", passed, failed_);
}

std::string FigureTotals::unchecked_text() const {
  std::string text;
  for (const ProtocolRow& row : protocol_table()) {
    const Count found = count_of(row.protocol);
    if (is_checked(row.protocol) || found.count == 0) continue;
    text += fmt::format("{}{}: {} ({})", text.empty() ? "; " : ", ", row.total, found.count,
                        found.names);
  }
  return text;
}

}  // namespace sigstab
