#include "run/restore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.hpp"

namespace sigstab {
namespace {

constexpr const char* kAgain = "run its config again with this version of sigstab";

std::string place_of(const std::string& file, const CaseResult& one) {
  const std::string label = one.label();
  return label.empty() ? file : fmt::format("{}: case \"{}\"", file, label);
}

// Rows 1 to `rows`, each once and in order.
bool has_rows(const CaseResult& read, std::int64_t rows) {
  if (static_cast<std::int64_t>(read.row_numbers.size()) != rows) return false;
  for (std::int64_t row = 0; row < rows; ++row) {
    if (read.row_numbers[static_cast<std::size_t>(row)] != row + 1) return false;
  }
  return true;
}

}  // namespace

CaseIndex::CaseIndex(const Plan& plan) {
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    CaseResult one;
    identify(one, plan.cases[i], "");
    planned_.emplace(one.label(), i);
  }
}

std::optional<std::size_t> CaseIndex::find(const CaseResult& one) const {
  const auto found = planned_.find(one.label());
  return found == planned_.end() ? std::nullopt : std::optional(found->second);
}

CaseResult restored_case(const CaseResult& read, const Plan& plan, std::size_t planned,
                         const std::string& place, const std::string& hint) {
  const KindCase& model = *plan.cases[planned].model;
  CaseResult one = model.shape();
  const auto missing = [&](const std::string& name) {
    throw Error(place, fmt::format("{} is not in it and asked for now", name), hint);
  };
  for (Column& column : one.columns) {
    const Column* found = read.column(column.name);
    if (found == nullptr || static_cast<std::int64_t>(found->values.size()) != model.rows()) {
      missing(column.name);
    }
    column.values = found->values;
  }
  for (NamedScalar& scalar : one.scalars) {
    const Scalar* found = read.scalar(scalar.name);
    if (found == nullptr) missing(scalar.name);
    scalar.value = *found;
  }
  one.verdicts = read.verdicts;
  identify(one, plan.cases[planned], read.seed);
  one.planned = planned;
  return one;
}

Result restored(Result read, const Plan& plan, const std::string& file) {
  const CaseIndex index(plan);
  std::set<std::pair<std::size_t, std::string>> known;
  for (CaseResult& one : read.cases) {
    const std::string place = place_of(file, one);
    const std::optional<std::size_t> planned = index.find(one);
    if (!planned) throw Error(place, "its config has no such case", kAgain);
    if (!known.emplace(*planned, one.seed).second) throw Error(place, "it is there twice", kAgain);
    const std::int64_t rows = plan.cases[*planned].model->rows();
    if (!has_rows(one, rows)) {
      throw Error(place, fmt::format("expected {} 1 to {}", plural(plan.kind->row_name), rows),
                  kAgain);
    }
    one = restored_case(one, plan, *planned, place, kAgain);
  }
  read.complete = read.complete && read.cases.size() == plan.results;
  return read;
}

}  // namespace sigstab
