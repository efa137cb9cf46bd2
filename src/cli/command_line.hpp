#pragma once
// The command as its user typed it, for messages that say what to type next.

#include <string>

namespace sigstab {

// Called once, before anything else.
void keep_command_line(int argc, const char* const* argv);

// The command with a flag added if it is not there, quoted for a shell.
std::string command_with(const std::string& flag);

}  // namespace sigstab
