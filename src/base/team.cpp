#include "base/team.hpp"

#include <algorithm>

#include "base/waiting.hpp"

namespace sigstab {

int SplitChooser::choose() {
  if (most_ == 1) return 1;
  if (left_ == 0) {
    const bool untried = best_[0] == 0 || best_[1] == 0;
    if (untried || serving_) {  // try the other
      all_ = !all_;
      serving_ = false;
      best_[all_] = 0;
    } else {
      all_ = best_[1] < best_[0];
      serving_ = true;
    }
    left_ = !serving_ ? kTrial : all_ ? kService : patience_;
    if (serving_ && !all_) patience_ = std::min(2 * patience_, kService);
  }
  --left_;
  return all_ ? most_ : 1;
}

void SplitChooser::took(double seconds) {
  const bool first = !serving_ && left_ == kTrial - 1;
  if (first) return;
  double& best = best_[all_];
  best = best == 0 ? seconds : std::min(best, seconds);
}

Team::Team(int members) : size_(members), chooser_(members) {
  for (int member = 1; member < members; ++member) {
    helpers_.emplace_back([this, member] { serve(member); });
  }
}

Team::~Team() {
  stopping_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Team::call(int member) {
  try {
    (*work_)(member);
  } catch (...) {
    if (!failed_.exchange(true)) failure_ = std::current_exception();
  }
}

void Team::serve(int member) {
  unsigned seen = 0;
  for (;;) {
    wait_for_change(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (stopping_) return;
    call(member);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
  }
}

void Team::run(const std::function<void(int)>& work) {
  if (size_ == 1) return work(0);
  work_ = &work;
  failed_ = false;
  busy_.store(size_ - 1, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  call(0);
  for (int left = busy_.load(std::memory_order_acquire); left != 0;
       left = busy_.load(std::memory_order_acquire)) {
    wait_for_change(busy_, left);
  }
  if (failed_) std::rethrow_exception(failure_);
}

}  // namespace sigstab
