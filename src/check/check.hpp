#pragma once
// Figures that a config expects, compared with what was measured.

#include <string>
#include <vector>

#include "config/expectation.hpp"
#include "result/result.hpp"
#include "run/plan.hpp"

namespace sigstab {

struct FigureVerdict {
  std::string id;
  Protocol protocol = Protocol::exact;
  std::string address;         // "sigma = 1, forward_rms[50]"
  std::string ours, expected;  // ours is empty, expected says why, where nothing is checked
  bool passed = false;

  bool is_checked() const { return sigstab::is_checked(protocol); }
  bool is_missed() const { return is_checked() && !passed; }
};

// One verdict for each expectation of the plan, in order.
std::vector<FigureVerdict> check(const Plan& plan, const Result& result);

// Counts verdicts and says what came of them:
// "3 figures: 1 exact, 1 by order, 1 failed; outside: 1 (gpt2-88), later: 1 (he-30)".
class FigureTotals {
 public:
  void add(const FigureVerdict& verdict);
  void add(const FigureTotals& others);
  bool empty() const { return verdicts_.empty(); }
  bool all_passed() const { return failed_ == 0; }
  std::size_t failed() const { return failed_; }
  std::string text() const { return checked_text() + unchecked_text(); }
  // The two halves of the text.
  std::string checked_text() const;
  std::string unchecked_text() const;

 private:
  struct Count {
    std::size_t count = 0;
    std::string names;
  };
  // Of a protocol, those that passed or are not checked.
  Count count_of(Protocol protocol) const;

  std::vector<FigureVerdict> verdicts_;
  std::size_t failed_ = 0;
};

}  // namespace sigstab
