#include "picture/picture_text.hpp"

#include <algorithm>
#include <cstdint>

#include "base/utf8.hpp"

namespace sigstab {
namespace {

constexpr std::string_view kEllipsis = "\xe2\x80\xa6", kApostrophe = "\xe2\x80\x99";

// Those that set the direction of what follows among them.
bool is_unseen(std::uint32_t code) {
  return is_control(code) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0x200e || code == 0x200f || code == 0xfeff || code == 0xfffe || code == 0xffff;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const auto [bytes, code] = first_character(text);
    if (bytes == 0)
      clean += '?';
    else if (is_unseen(code))
      clean += ' ';
    else
      clean += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return clean;
}

std::string clipped_text(std::string_view text, std::size_t letters) {
  std::string clean = clean_text(text);
  if (characters(clean) <= letters) return clean;
  return std::string(first_characters(clean, letters - 1)) + std::string(kEllipsis);
}

std::vector<std::string> wrapped_text(std::string_view text, std::size_t letters,
                                      std::size_t most_lines) {
  std::vector<std::string> lines;
  std::string rest = clean_text(text);
  while (!rest.empty()) {
    if (lines.size() + 1 == most_lines || characters(rest) <= letters) {
      lines.push_back(clipped_text(rest, letters));
      break;
    }
    const std::size_t end = first_characters(rest, letters + 1).size();
    const std::size_t space = rest.rfind(' ', end - 1);
    const std::size_t cut =
        space == std::string::npos || space == 0 ? first_characters(rest, letters).size() : space;
    lines.push_back(rest.substr(0, cut));
    rest.erase(0, std::min(rest.find_first_not_of(' ', cut), rest.size()));
  }
  return lines;
}

std::string gnuplot_string(std::string_view text) {
  std::string quoted = "'";
  for (const char c : clean_text(text))
    quoted += c == '\'' ? std::string(kApostrophe) : std::string(1, c);
  return quoted + "'";
}

}  // namespace sigstab
