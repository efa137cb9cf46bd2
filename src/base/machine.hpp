#pragma once
// What this machine offers.

namespace sigstab {

// Bytes that can be allocated without swapping: what the kernel calls available, within the limit
// of the control group. Infinite where neither is known.
double available_memory();

}  // namespace sigstab
