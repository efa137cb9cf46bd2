#pragma once
// What a jsonl that an earlier run left holds of the plans that are asked for again.
//
// The file is trusted with nothing: every line must be the line that this program would write for
// the case that it names, byte for byte, but for the number of threads.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "run/plan.hpp"
#include "run/run.hpp"

namespace sigstab {

// How the lines of one plan stand in a jsonl. They are written as cases are finished, so that none
// is lost, and put into the order of the result once the run ends.
struct LineOrder {
  std::size_t begins = 0;  // the byte of the first
  std::size_t count = 0;
  std::size_t last = 0;   // the largest index of a case
  bool ascending = true;  // they stand in the order of the result, maybe with gaps

  void add(std::size_t index) {
    ascending = ascending && index >= last;
    last = std::max(last, index);
    ++count;
  }
};

struct KeptPlan {
  FinishedCases finished;
  LineOrder order;
};

struct KeptRun {
  std::vector<KeptPlan> plans;  // one each
  std::size_t bytes = 0;        // of whole lines; what follows them is a torn one
  // Of the run that began the file; none in an empty one. Its results do not depend on them.
  std::optional<int> threads;

  std::size_t count() const;
};

// Errors: a file of another program, or of a run that differs in anything that may change a byte:
// config, version, BLAS. The first difference is named.
KeptRun read_kept(std::string_view text, const std::string& file, std::span<const Plan> plans,
                  const Provenance& build);

}  // namespace sigstab
