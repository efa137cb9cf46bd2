#pragma once
// Ctrl-C or SIGTERM: the first asks the run to end, the second ends the program.

#include <atomic>

namespace sigstab {

// Installs the handler; true once the user has asked.
const std::atomic<bool>& watch_for_interrupt();

}  // namespace sigstab
