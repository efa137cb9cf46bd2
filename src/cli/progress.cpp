#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/utf8.hpp"

namespace sigstab {
namespace {

std::string time_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string rate_text(double a_second) {
  if (a_second >= 10) return fmt::format("{:.0f}/s", a_second);
  if (a_second >= 1) return fmt::format("{:.1f}/s", a_second);
  return fmt::format("{:.2g}/min", 60 * a_second);
}

// What a config calls itself, without what a terminal would obey.
std::string plain_name(std::string_view name) {
  std::string plain;
  while (!name.empty()) {
    const auto [bytes, code] = first_character(name);
    const bool stands = bytes > 0 && !is_control(code);
    plain += stands ? name.substr(0, bytes) : "?";
    name.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return plain;
}

bool on_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::size_t terminal_columns() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsual;
}

// At once, so that no half of it is seen.
void write_terminal(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string progress_line(std::string_view name, const RunMeter::Reading& reading, double seconds,
                          std::size_t columns) {
  // Few results say little: then it is the share of the work, which moves within a case.
  constexpr std::size_t kMany = 10;
  constexpr double kLeastShare = 0.002;  // before that nothing is known of the time
  std::vector<std::string> parts = {
      fmt::format("{}/{}", reading.before + reading.finished, reading.all)};
  parts.push_back(reading.finished >= kMany
                      ? rate_text(static_cast<double>(reading.finished) / seconds)
                      : fmt::format("{:.0f}%", 100 * reading.share));
  if (reading.share >= kLeastShare) {
    parts.push_back(
        fmt::format("about {} left", time_text(seconds * (1 - reading.share) / reading.share)));
  }
  std::string line(first_characters(plain_name(name), columns));
  for (const std::string& part : parts) {
    if (characters(line) + 2 + part.size() > columns) break;
    line += "  " + part;
  }
  return line;
}

Progress::Progress(std::string name, const RunMeter& meter)
    : name_(std::move(name)), meter_(meter) {
  if (on_terminal()) thread_ = std::thread([this] { draw_until_stopped(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_one();
  thread_.join();
  clear();
}

void Progress::clear() {
  if (shown_.empty()) return;
  write_terminal("\r\033[K");
  shown_.clear();
}

std::unique_lock<std::mutex> Progress::hidden() {
  std::unique_lock<std::mutex> lock(mutex_);
  clear();
  return lock;
}

// Ten times a second, and not before the run has taken half a second; the new line is written over
// the old one and only then is the rest of that cleared.
void Progress::draw_until_stopped() {
  using namespace std::chrono_literals;
  std::unique_lock<std::mutex> lock(mutex_);
  for (auto wait = 500ms; !stop_.wait_for(lock, wait, [this] { return stopping_; }); wait = 100ms) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    // The last column is left free: some terminals wrap when it is written.
    const std::string line = progress_line(name_, meter_.read(), seconds, terminal_columns() - 1);
    if (line == shown_) continue;
    write_terminal("\r" + line + "\033[K");
    shown_ = line;
  }
}

}  // namespace sigstab
