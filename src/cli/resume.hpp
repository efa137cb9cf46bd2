#pragma once
// --resume: the jsonl among the outputs goes on where an earlier run left it.

#include <span>
#include <vector>

#include "cli/outputs.hpp"
#include "run/resume.hpp"

namespace sigstab {

// Reads what the file holds, drops a torn last line and says on stderr how much there is. Without a
// file nothing is finished. Errors: no jsonl or several; as read_kept, and the file is left alone.
KeptRun resume(std::vector<Output>& outputs, std::span<const Plan> plans, const Provenance& build);

// That no jsonl among the outputs is an unfinished part of this very run, which would be lost where
// the file is written anew. Errors: one is.
void check_none_unfinished(const std::vector<Output>& outputs, std::span<const Plan> plans,
                           const Provenance& build);

// What to type to go on with a run that was interrupted.
std::string how_to_resume(const std::vector<Output>& outputs);

}  // namespace sigstab
