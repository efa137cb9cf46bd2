#pragma once
// Words of a shell's command line.

#include <string>
#include <string_view>

namespace sigstab {

// The text as one word of a POSIX shell: as it is where nothing in it is special, else quoted.
std::string shell_word(std::string_view text);

// A file's name as an argument, one that begins with a dash as no flag.
std::string shell_file(std::string_view name);

}  // namespace sigstab
