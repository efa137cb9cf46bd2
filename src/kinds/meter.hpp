#pragma once
// How far a run is: told by the threads that do it, read by any other at any time.
//
// Work is an estimate in floating-point operations; only its share of the whole means something.

#include <atomic>
#include <cstddef>

namespace sigstab {

class RunMeter {
 public:
  struct Reading {
    std::size_t finished;  // results of this run
    std::size_t before;    // results that it need not compute
    std::size_t all;
    double share;  // of the work of this run that is done, 0 to 1
  };
  Reading read() const;

  void begin(std::size_t before, std::size_t all, double work);
  void add_result() { finished_.fetch_add(1, std::memory_order_relaxed); }
  void add_work(double work);

 private:
  std::atomic<std::size_t> finished_{0}, before_{0}, all_{0};
  std::atomic<double> done_{0}, work_{0};
};

// What one thread does of a run: many small steps, told to the run a few at a time.
class UnitMeter {
 public:
  // All of the unit's work, in so many steps that are expected; 0 if it takes none. `run` may be
  // null, and steps then cost an addition.
  UnitMeter(RunMeter* run, double work, double steps, double whole_run);
  void step() {
    if ((pending_ += a_step_) >= told_at_) tell();
  }
  // The unit is done: whatever its steps were, its work is told in full.
  void end();

 private:
  void tell();

  RunMeter* run_;
  double left_, a_step_, told_at_, pending_ = 0;
};

}  // namespace sigstab
