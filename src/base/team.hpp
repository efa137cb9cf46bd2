#pragma once
// A few threads that run one function together, again and again.
//
// For work of some microseconds a step: a member that waits spins for a moment and then sleeps, so
// that a busy machine is not made busier.

#include <atomic>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace sigstab {

// How many members to give work that can be split between any number of them: one, or all,
// whichever was faster of late. A busy core, or work that splits badly, makes one the better
// choice.
//
// Both are tried for a few items in a row, the first of which wakes the members and does not count;
// then the faster serves for many, and the other is tried again. At first that is soon: a member
// that has just been started may still wait for a core of its own.
class SplitChooser {
 public:
  explicit SplitChooser(int most) : most_(most) {}
  int choose();
  // The choice now, for work that is not timed itself.
  int chosen() const { return all_ ? most_ : 1; }
  // Seconds that an item took with the members chosen last.
  void took(double seconds);

 private:
  static constexpr int kTrial = 5, kFirstService = 20, kService = 100;  // items in a row
  int most_;
  bool all_ = false;              // the choice now
  bool serving_ = false;          // as the faster one
  int left_ = kTrial;             // items until the next decision
  int patience_ = kFirstService;  // items that one serves before all are tried again
  double best_[2] = {0, 0};       // seconds of the fastest item of the last trial: of one, of all
};

class Team {
 public:
  // Starts members - 1 threads; the caller is member 0.
  explicit Team(int members);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return size_; }
  SplitChooser& chooser() { return chooser_; }
  // Calls work(member) once for each member at the same time and returns when all are done. One
  // caller at a time. The first exception is thrown again.
  void run(const std::function<void(int member)>& work);

 private:
  void serve(int member);
  void call(int member);

  int size_;
  SplitChooser chooser_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_{0};  // a new number starts a round
  std::atomic<int> busy_{0};        // helpers still at work
  std::atomic<bool> stopping_{false};
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
  std::vector<std::thread> helpers_;
};

}  // namespace sigstab
