#pragma once
// What this machine offers: memory, and whether a stream is a terminal.

#include <cstdio>

namespace sigstab {

// Bytes that can be allocated without swapping: what the kernel calls available, within the limit
// of the control group. Infinite where neither is known.
double available_memory();

bool is_terminal(std::FILE* stream);

}  // namespace sigstab
