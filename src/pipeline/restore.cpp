#include "pipeline/restore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.hpp"

namespace sigstab {
namespace {

[[noreturn]] void does_not_fit(const std::string& file, const CaseResult& one,
                               const std::string& what) {
  const std::string label = one.label();
  throw Error(file, label.empty() ? what : fmt::format("case \"{}\": {}", label, what),
              "run its config again with this version of sigstab");
}

// Rows 1 to `rows`, each once and in order.
bool has_rows(const CaseResult& read, std::int64_t rows) {
  if (static_cast<std::int64_t>(read.row_numbers.size()) != rows) return false;
  for (std::int64_t row = 0; row < rows; ++row) {
    if (read.row_numbers[static_cast<std::size_t>(row)] != row + 1) return false;
  }
  return true;
}

CaseResult restored_case(CaseResult read, const Plan& plan, const std::string& file) {
  std::size_t planned = 0;
  CaseResult one;
  for (; planned < plan.cases.size(); ++planned) {
    one = plan.cases[planned].model->shape();
    identify(one, plan.cases[planned], read.seed);
    if (one.label() == read.label()) break;
  }
  if (planned == plan.cases.size()) does_not_fit(file, read, "its config has no such case");
  one.planned = planned;
  one.verdicts = std::move(read.verdicts);
  const std::int64_t rows = plan.cases[planned].model->rows();
  if (!has_rows(read, rows)) {
    does_not_fit(file, read, fmt::format("expected {} 1 to {}", plural(plan.kind->row_name), rows));
  }
  for (Column& column : one.columns) {
    const auto found = std::ranges::find(read.columns, column.name, &Column::name);
    if (found == read.columns.end() ||
        found->values.size() != static_cast<std::size_t>(std::max<std::int64_t>(rows, 0))) {
      does_not_fit(file, read, fmt::format("it has no whole column \"{}\"", column.name));
    }
    column.values = std::move(found->values);
  }
  for (NamedScalar& scalar : one.scalars) {
    const auto found = std::ranges::find(read.scalars, scalar.name, &NamedScalar::name);
    if (found == read.scalars.end()) {
      does_not_fit(file, read, fmt::format("it has no \"{}\"", scalar.name));
    }
    scalar.value = found->value;
  }
  return one;
}

}  // namespace

Result restored(Result read, const Plan& plan, const std::string& file) {
  std::set<std::pair<std::size_t, std::string>> known;
  for (CaseResult& one : read.cases) {
    one = restored_case(std::move(one), plan, file);
    if (!known.emplace(one.planned, one.seed).second) does_not_fit(file, one, "it is there twice");
  }
  read.complete = read.complete && read.cases.size() == plan.results;
  return read;
}

}  // namespace sigstab
