#include "base/printable.hpp"

#include <cstddef>

#include "base/utf8.hpp"

namespace sigstab {
namespace {

void add_escaped(unsigned char c, std::string& text) {
  constexpr const char* kDigits = "0123456789abcdef";
  text += "\\x";
  text += kDigits[c >> 4];
  text += kDigits[c & 15];
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters of two bytes.
    const bool second = i + 1 < text.size() && c == 0xC2 &&
                        (static_cast<unsigned char>(text[i + 1]) & 0xE0) == 0x80;
    if (c < 0x20 || c == 0x7F) {
      add_escaped(c, shown);
    } else if (second) {
      add_escaped(static_cast<unsigned char>(text[++i]), shown);
    } else {
      shown += text[i];
    }
  }
  return shown;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 120;
  if (text.size() <= kLongest) return "\"" + printable(text) + "\"";
  return "\"" + printable(first_bytes(text, kLongest)) + "...\"";
}

}  // namespace sigstab
