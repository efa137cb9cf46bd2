#include "kinds/meter.hpp"

#include <algorithm>

namespace sigstab {

void RunMeter::begin(std::size_t before, std::size_t all, double work) {
  before_ = before;
  all_ = all;
  work_ = work;
}

void RunMeter::add_work(double work) { done_.fetch_add(work, std::memory_order_relaxed); }

RunMeter::Reading RunMeter::read() const {
  const double work = work_;
  return {finished_, before_, all_, work > 0 ? std::min(1.0, done_ / work) : 0};
}

UnitMeter::UnitMeter(RunMeter* run, double work, double steps, double whole_run)
    : run_(run),
      left_(work),
      a_step_(run != nullptr && steps > 0 ? work / steps : 0),
      told_at_(std::max(whole_run / 2000, 1e-300)) {}

void UnitMeter::tell() {
  const double work = std::min(pending_, left_);
  left_ -= work;
  pending_ = 0;
  run_->add_work(work);
}

void UnitMeter::end() {
  if (run_ != nullptr) run_->add_work(left_);
  left_ = pending_ = 0;
}

}  // namespace sigstab
