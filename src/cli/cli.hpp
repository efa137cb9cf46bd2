#pragma once
// The command line: the only user of CLI11.

#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "cli/command.hpp"

namespace sigstab {

// What help says of the program.
inline constexpr std::string_view kDescription =
    "Signal and gradient sizes in deep networks, measured layer by layer.\n"
    "A config is a JSON file or the name of an experiment that comes with sigstab (sigstab list).";
inline constexpr std::string_view kExitCodes =
    "Exit codes: 0 done, 1 check or diff found a difference, 2 could not run, 130 interrupted.";
inline constexpr std::string_view kVersionHelp = "version, compiler, BLAS and the kernels it runs";

// Runs the command among `commands` that the arguments name.
// Errors: Error for what the user can mend, bad usage among it.
ExitCode run_cli(int argc, char** argv, const std::vector<Command>& commands);

}  // namespace sigstab
