#include "base/markup.hpp"

#include <cstdint>

namespace sigstab {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// The bytes of the character at the start of `text`, or 0 where there is none that may stand.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) {
    const bool printable = lead >= 0x20 && lead != 0x7F;
    return printable || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0xA0, 0x800, 0x10000};  // below A0: controls
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool no_character = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
  return code < kLeast[length] || code > 0x10FFFF || surrogate || no_character ? 0 : length;
}

}  // namespace

std::string readable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    result += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string escaped_markup(std::string_view text) {
  std::string result;
  for (const char c : readable(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string escaped_attribute(std::string_view text) {
  std::string result;
  for (const char c : escaped_markup(text)) {
    if (c == '\t' || c == '\n' || c == '\r')
      result += c == '\t' ? "&#9;" : c == '\n' ? "&#10;" : "&#13;";
    else
      result += c;
  }
  return result;
}

}  // namespace sigstab
