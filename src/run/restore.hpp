#pragma once
// A result read from a file as the value that its run returned: what a file does not hold is remade
// from the config in it.

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "result/result.hpp"
#include "run/plan.hpp"

namespace sigstab {

// Which planned case a result is of, by its label.
class CaseIndex {
 public:
  explicit CaseIndex(const Plan& plan);
  std::optional<std::size_t> find(const CaseResult& one) const;

 private:
  std::unordered_map<std::string, std::size_t> planned_;
};

// The result with facts, traits and roles of columns, its cases those of the plan; complete if none
// is missing. Errors: a case that the plan does not have, twice or without what it measures.
Result restored(Result read, const Plan& plan, const std::string& file);

// One case: what only the plan knows, and the file's numbers.
// Errors, at that place with that hint: something that the case measures is not in it.
CaseResult restored_case(const CaseResult& read, const Plan& plan, std::size_t planned,
                         const std::string& place, const std::string& hint);

}  // namespace sigstab
