#include "result/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace sigstab {

bool Column::is_absent() const {
  return role != ColumnRole::measured &&
         std::ranges::all_of(values, [](double v) { return std::isnan(v); });
}

const Scalar* CaseResult::scalar(std::string_view wanted) const {
  for (const auto* list : {&scalars, &facts}) {
    for (const NamedScalar& entry : *list) {
      if (entry.name == wanted) return &entry.value;
    }
  }
  return nullptr;
}

const Column* CaseResult::column(std::string_view wanted) const {
  for (const Column& entry : columns) {
    if (entry.name == wanted) return &entry;
  }
  return nullptr;
}

void CaseResult::set_scalar(std::string_view wanted, double value) {
  const auto entry = std::ranges::find(scalars, wanted, &NamedScalar::name);
  SIGSTAB_ASSERT(entry != scalars.end());
  entry->value = value;
}

ColumnRole CaseResult::role_of(std::string_view wanted) const {
  for (const Column& entry : columns) {
    if (entry.input_scalar == wanted || entry.output_scalar == wanted) return entry.role;
  }
  return ColumnRole::measured;
}

bool CaseResult::is_size(std::string_view wanted) const {
  return std::ranges::any_of(columns, [&](const Column& entry) {
    return entry.is_size &&
           (entry.name == wanted || entry.input_scalar == wanted || entry.output_scalar == wanted);
  });
}

std::int64_t CaseResult::rows() const {
  return columns.empty() ? 0 : static_cast<std::int64_t>(columns.front().values.size());
}

std::string CaseResult::label() const {
  std::string text = name;
  for (const NamedScalar& entry : point) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}={}", entry.name, FormatSpec().format(entry.value));
  }
  return text;
}

std::string plural(std::string_view noun) {
  if (noun.ends_with('y')) return std::string(noun.substr(0, noun.size() - 1)) + "ies";
  return std::string(noun) + "s";
}

}  // namespace sigstab
