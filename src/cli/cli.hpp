#pragma once
// The command line: the only user of CLI11.

#include "base/error.hpp"

namespace sigstab {

// Errors: Error for what the user can mend, bad usage among it.
ExitCode run_cli(int argc, char** argv);

}  // namespace sigstab
