#pragma once
// Every command, each described and run in a file of its own, and what several of them share.

#include <string>
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
Command list_command();
Command show_command();
Command schema_command();
Command validate_command();
Command report_command();

// In the order in which help lists them.
std::vector<Command> all_commands();

std::string version_text();

struct NamedText {
  std::string file;  // a path, or the canned name
  std::string text;
};
// A canned name wins unless the argument has a "/" or ends in .json.
// Errors: neither a canned name nor a readable file.
NamedText load_config(const std::string& name);
// The article, in the order of `list`.
std::vector<std::string> article_names();

Provenance this_build(const Limits& limits);

}  // namespace sigstab
