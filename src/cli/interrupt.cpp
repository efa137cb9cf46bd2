#include "cli/interrupt.hpp"

#include <csignal>

namespace sigstab {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a handler may touch nothing else

void on_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& watch_for_interrupt() {
  // A program that its starter told to ignore it, as nohup does, goes on ignoring it.
  if (std::signal(SIGINT, on_interrupt) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, on_interrupt);
  return interrupted;
}

}  // namespace sigstab
