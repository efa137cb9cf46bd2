#pragma once
// Every command, each described and run in a file of its own.

#include <vector>

#include "cli/command.hpp"

namespace sigstab {

Command run_command();
Command plot_command();
Command theory_command();
Command check_command();
Command advise_command();
Command diff_command();
Command gains_command();
Command inspect_command();
Command new_command();
Command list_command();
Command show_command();
Command schema_command();
Command validate_command();
Command report_command();

Command completion_command();
Command man_command();

// In the order in which help lists them.
std::vector<Command> all_commands();

}  // namespace sigstab
