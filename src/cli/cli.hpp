#pragma once
// The command line: the only user of CLI11.

#include "base/error.hpp"

namespace sigstab {

// Errors: Error for what the user can mend; bad usage is told on stderr and gives cannot_run.
ExitCode run_cli(int argc, char** argv);

}  // namespace sigstab
