#include "report/headings.hpp"

#include <fmt/format.h>

namespace sigstab {

Headings::Headings(std::span<const CaseResult> cases) {
  for (const CaseResult& one : cases) {
    for (const std::string& trait : one.traits) ++counts_[trait];
  }
  for (const auto& [trait, count] : counts_) {
    if (count == cases.size()) common_.insert(trait);
  }
  if (!cases.empty()) top_ = traits_of(cases.front(), true);
}

std::string Headings::of(const CaseResult& one) const {
  const std::string own = traits_of(one, false), label = one.label();
  if (label.empty() || own.empty()) return label + own;
  return fmt::format("{}   ({})", label, own);
}

std::string Headings::traits_of(const CaseResult& one, bool common) const {
  std::string text;
  for (const std::string& trait : one.traits) {
    if (common_.contains(trait) == common) text += (text.empty() ? "" : ", ") + trait;
  }
  return text;
}

std::string headline(const std::string& experiment, const std::string& title) {
  return title.empty() ? experiment : fmt::format("{}: {}", experiment, title);
}

}  // namespace sigstab
