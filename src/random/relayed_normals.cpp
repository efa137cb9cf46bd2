#include "random/relayed_normals.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/waiting.hpp"
#include "random/ziggurat.hpp"

namespace sigstab {
namespace {

// The variance of the elements that a draw takes is 0.037; six standard deviations, and the way to
// falling into step.
std::size_t guess_margin(std::uint64_t draws) {
  return static_cast<std::size_t>(std::ceil(6 * std::sqrt(0.037 * static_cast<double>(draws)))) +
         32;
}

}  // namespace

void PcgRelay::pass(std::uint64_t position, const Pcg64& bits) {
  bits_ = bits;
  position_.store(position, std::memory_order_release);
  position_.notify_all();
}

Pcg64 PcgRelay::wait(std::uint64_t position) {
  for (;;) {
    const std::uint64_t now = position_.load(std::memory_order_acquire);
    SIGSTAB_ASSERT(now <= position);
    if (now == position) return bits_;
    wait_for_change(position_, now);
  }
}

template <typename Real>
bool RelayedNormals<Real>::draw_ahead(std::span<Real> out) {
  const std::uint64_t gap = next_ - at_;
  const std::size_t margin = guess_margin(gap);
  const double expected = elements_per_draw_ * static_cast<double>(gap);
  if (out.size() < 4 * margin || expected < static_cast<double>(2 * margin)) return false;
  Pcg64 start = bits_;
  skip_ziggurat_elements<Real>(start, static_cast<std::uint64_t>(expected) - margin);
  Pcg64 ahead = start;
  // No more than 2 margin draws will be dropped, so that many are left to be drawn.
  const std::span<Real> early = out.first(out.size() - 2 * margin);
  ziggurat_normals(ahead, early);
  bits_ = relay_.wait(next_);
  at_ = next_;
  const auto dropped = ziggurat_draws_between<Real>(start, bits_, 2 * margin);
  if (!dropped) return false;
  std::ranges::copy(early.subspan(*dropped), out.begin());
  ziggurat_normals(ahead, out.last(2 * margin + *dropped));
  bits_ = ahead;
  return true;
}

template <typename Real>
void RelayedNormals<Real>::next(std::span<Real> out) {
  SIGSTAB_ASSERT(out.size() <= left_);
  const bool drawn = at_ != next_ && draw_ahead(out);
  if (!drawn) {
    if (at_ != next_) bits_ = relay_.wait(next_);
    ziggurat_normals(bits_, out);
  }
  left_ -= out.size();
  next_ += out.size();
  at_ = next_;
  relay_.pass(at_, bits_);
}

template <typename Real>
void RelayedNormals<Real>::skip(std::uint64_t count) {
  SIGSTAB_ASSERT(count <= left_);
  left_ -= count;
  next_ += count;
}

template class RelayedNormals<float>;
template class RelayedNormals<double>;

}  // namespace sigstab
