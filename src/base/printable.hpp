#pragma once
// Text that a file brought along, as a terminal may show it.

#include <string>
#include <string_view>

namespace sigstab {

// Control characters, which could steer a terminal, as \x1b.
std::string printable(std::string_view text);
// The same in quotes and at most some 120 characters long, for errors.
std::string in_quotes(std::string_view text);

}  // namespace sigstab
