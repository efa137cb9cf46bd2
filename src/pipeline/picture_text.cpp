#include "pipeline/picture_text.hpp"

#include <algorithm>
#include <cstdint>

namespace sigstab {
namespace {

constexpr std::string_view kEllipsis = "\xe2\x80\xa6", kApostrophe = "\xe2\x80\x99";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The bytes of the letter at the start, and its code point; 0 bytes if it is not UTF-8.
std::size_t first_letter(std::string_view text, std::uint32_t& code) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = lead < 0x80   ? 1
                            : lead < 0xc2 ? 0
                            : lead < 0xe0 ? 2
                            : lead < 0xf0 ? 3
                            : lead < 0xf5 ? 4
                                          : 0;
  if (bytes == 0 || text.size() < bytes) return 0;
  code = bytes == 1 ? lead : lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text[i])) return 0;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < kLeast[bytes] || code > 0x10ffff || surrogate ? 0 : bytes;
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0x200e || code == 0x200f || code == 0xfeff || code == 0xfffe || code == 0xffff;
}

// Where so many letters end.
std::size_t end_of(std::string_view clean, std::size_t letters) {
  std::size_t at = 0;
  for (; at < clean.size(); ++at) {
    if (!continues(clean[at]) && letters-- == 0) break;
  }
  return at;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t bytes = first_letter(text, code);
    if (bytes == 0)
      clean += '?';
    else if (is_control(code))
      clean += ' ';
    else
      clean += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return clean;
}

std::size_t text_letters(std::string_view clean) {
  return static_cast<std::size_t>(
      std::ranges::count_if(clean, [](char c) { return !continues(c); }));
}

std::string clipped_text(std::string_view text, std::size_t letters) {
  std::string clean = clean_text(text);
  if (text_letters(clean) <= letters) return clean;
  return clean.substr(0, end_of(clean, letters - 1)) + std::string(kEllipsis);
}

std::vector<std::string> wrapped_text(std::string_view text, std::size_t letters,
                                      std::size_t most_lines) {
  std::vector<std::string> lines;
  std::string rest = clean_text(text);
  while (!rest.empty()) {
    if (lines.size() + 1 == most_lines || text_letters(rest) <= letters) {
      lines.push_back(clipped_text(rest, letters));
      break;
    }
    const std::size_t end = end_of(rest, letters + 1);
    const std::size_t space = rest.rfind(' ', end - 1);
    const std::size_t cut =
        space == std::string::npos || space == 0 ? end_of(rest, letters) : space;
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
