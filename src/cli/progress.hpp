#pragma once
// One line on a terminal that says how far a run is; nothing anywhere else.

#include <chrono>
#include <cstddef>
#include <string>

namespace sigstab {

class Progress {
 public:
  explicit Progress(std::string name);
  // Takes the line away.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Ten times a second at most, and not before the run has taken half a second.
  void show(std::size_t done, std::size_t all);
  // Takes the line away until the next `show`, for whatever else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string name_;
  bool terminal_;
  Clock::time_point start_ = Clock::now(), next_ = start_;
  bool shown_ = false;
};

}  // namespace sigstab
