#pragma once
// How two results differ, as text for people and as JUnit XML.

#include <string>

#include "check/diff.hpp"
#include "report/junit.hpp"

namespace sigstab {

struct DiffReport {
  const DiffVerdict& verdict;
  std::string a, b;   // what the two sides are called
  std::string rules;  // what was allowed, in words

  // A table of the worst differences, and what one side lacks.
  std::string details() const;
  // The same, and a line with the totals.
  std::string text() const;
  // That line alone, without its end.
  std::string total() const;
  // One case a difference; where there is none, one that passed.
  JunitSuite junit() const;
};

}  // namespace sigstab
