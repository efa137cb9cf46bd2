#pragma once
// Texts of pictures: clean, of a limited length, and as gnuplot reads them. Letters are code points
// of UTF-8.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sigstab {

// Without control characters, bidirectional ones among them: a space for each. What is not UTF-8
// becomes a question mark.
std::string clean_text(std::string_view text);
// At most so many letters, the last an ellipsis where some were left out.
std::string clipped_text(std::string_view text, std::size_t letters);
// Lines of at most so many letters, broken at spaces where there are any; the last is clipped.
std::vector<std::string> wrapped_text(std::string_view text, std::size_t letters,
                                      std::size_t most_lines);
// Clean, in single quotes, in which gnuplot gives a meaning to nothing but the quote itself: of the
// text's own none is left, each is an apostrophe as printers set it. Doubling them would be
// gnuplot's way, but 5.4 misreads two in a row, and one at the start.
std::string gnuplot_string(std::string_view text);

}  // namespace sigstab
