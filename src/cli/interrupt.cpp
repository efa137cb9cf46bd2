#include "cli/interrupt.hpp"

#include <csignal>

namespace sigstab {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a handler may touch nothing else

constexpr int kSignals[] = {SIGINT, SIGTERM};

void on_interrupt(int) {
  interrupted = true;
  for (int signal : kSignals) std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& watch_for_interrupt() {
  // A program that its starter told to ignore one, as nohup does, goes on ignoring it.
  for (int signal : kSignals) {
    if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  return interrupted;
}

}  // namespace sigstab
