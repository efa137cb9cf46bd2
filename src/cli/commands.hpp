#pragma once
// Every command, each described and run in a file of its own, and what several of them share.

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "pipeline/result.hpp"
#include "pipeline/run.hpp"

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

// What help says of the program.
inline constexpr std::string_view kDescription =
    "Signal and gradient sizes in deep networks, measured layer by layer.\n"
    "A config is a JSON file or the name of an experiment that comes with sigstab (sigstab list).";
inline constexpr std::string_view kExitCodes =
    "Exit codes: 0 done, 1 check or diff found a difference, 2 could not run, 130 interrupted.";
inline constexpr std::string_view kVersionHelp = "version, compiler, BLAS and the kernels it runs";

std::string version_text();

bool is_canned(const std::string& name);
// A canned name wins unless the argument has a "/" or ends in .json.
// Errors: neither a canned name nor a readable file.
NamedText load_text(const std::string& name);
// The same with all that it extends, each looked for beside the file that names it.
ConfigChain load_config(const std::string& name);
// Likewise of a text that is not in its file yet.
ConfigChain config_chain(const NamedText& text);
// The article, in the order of `list`.
std::vector<std::string> article_names();

Provenance this_build(const Limits& limits);

}  // namespace sigstab
