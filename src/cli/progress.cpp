#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace sigstab {
namespace {

std::string time_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

bool on_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

Progress::Progress(std::string name) : name_(std::move(name)), terminal_(on_terminal()) {
  using namespace std::chrono_literals;
  next_ += 500ms;
}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

void Progress::show(std::size_t done, std::size_t all) {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  if (!terminal_ || done == all || now < next_) return;
  next_ = now + 100ms;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done) / seconds;
  const std::string text =
      fmt::format("\r\033[K{}: {} of {}, {:.3g} a second, {} left", name_, done, all, rate,
                  time_text(static_cast<double>(all - done) / rate));
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace sigstab
