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

class Team {
 public:
  // Starts members - 1 threads; the caller is member 0.
  explicit Team(int members);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return size_; }
  // Calls work(member) once for each member at the same time and returns when all are done. One
  // caller at a time. The first exception is thrown again.
  void run(const std::function<void(int member)>& work);

 private:
  void serve(int member);
  void call(int member);

  int size_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_{0};  // a new number starts a round
  std::atomic<int> busy_{0};        // helpers still at work
  std::atomic<bool> stopping_{false};
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
  std::vector<std::thread> helpers_;
};

}  // namespace sigstab
