#pragma once
// One line on a terminal that says how far a run is; nothing anywhere else.
//
//   relu-widths  412/3000  137/s  about 19 s left
//
// A thread of its own draws it, so that the work is not slowed and a long case moves as well.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "kinds/meter.hpp"

namespace sigstab {

// The line after that many seconds, in at most so many columns: what does not fit is left out from
// the right, a name alone is cut.
std::string progress_line(std::string_view name, const RunMeter::Reading& reading, double seconds,
                          std::size_t columns);

class Progress {
 public:
  // The meter must outlive it.
  Progress(std::string name, const RunMeter& meter);
  // Takes the line away.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Takes the line away as long as the lock lives, for whatever else is printed.
  std::unique_lock<std::mutex> hidden();

 private:
  using Clock = std::chrono::steady_clock;
  void draw_until_stopped();
  void clear();

  std::string name_;
  const RunMeter& meter_;
  Clock::time_point start_ = Clock::now();
  std::string shown_;
  bool stopping_ = false;
  std::mutex mutex_;  // of what is on the terminal
  std::condition_variable stop_;
  std::thread thread_;
};

}  // namespace sigstab
