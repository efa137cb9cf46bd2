#pragma once
// What stands above tables of cases: what all share once, what tells one from another beside it.

#include <map>
#include <set>
#include <span>
#include <string>

#include "result/result.hpp"

namespace sigstab {

// Traits are told once: those of all cases at the top, the others beside their case.
class Headings {
 public:
  explicit Headings(std::span<const CaseResult> cases);

  const std::string& top() const { return top_; }
  std::string of(const CaseResult& one) const;

 private:
  std::string traits_of(const CaseResult& one, bool common) const;

  std::map<std::string, std::size_t> counts_;
  std::set<std::string> common_;
  std::string top_;
};

// "relu-depth: fifty ReLU layers"
std::string headline(const std::string& experiment, const std::string& title);

}  // namespace sigstab
