#pragma once
// Waiting for another thread that is about to be done.

#include <atomic>

namespace sigstab {

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Spins for some ten microseconds, then sleeps until `value` is no longer `old`, so that a busy
// machine is not made busier. Who changes it must notify.
template <class T>
void wait_for_change(std::atomic<T>& value, T old) {
  constexpr int kSpins = 2000;
  for (int i = 0; i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace sigstab
