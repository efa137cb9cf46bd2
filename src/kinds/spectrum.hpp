#pragma once
// Singular values in numbers and in words, given their logarithms: they can span any number of
// decades.

#include <cstdint>
#include <string>
#include <vector>

namespace sigstab {

struct Spectrum {
  double log_rms;         // ln of the root of their mean square
  double mean_log;        // minus infinity where one is 0
  double effective_rank;  // exp of the entropy of s / sum s; Roy & Vetterli 2007
  std::int64_t rank;      // how many are not 0
};
// From ln s, largest first, minus infinity for 0; at least one.
Spectrum spectrum_of(const std::vector<double>& log_values);

// A histogram of log10 s, a line a bin of at most 12, zeros apart: "1e-2 to 1e-1   37  #######".
// `where` says whose they are.
std::vector<std::string> histogram_lines(const std::vector<double>& log_values,
                                         const std::string& where);

}  // namespace sigstab
