#include "base/markup.hpp"

#include <cstdint>

#include "base/utf8.hpp"

namespace sigstab {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Whether XML and HTML can hold it.
bool may_stand(std::uint32_t code) {
  if (code == '\t' || code == '\n' || code == '\r') return true;
  const bool no_character = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
  return !is_control(code) && !no_character;
}

}  // namespace

std::string readable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [bytes, code] = first_character(text);
    const bool stands = bytes > 0 && may_stand(code);
    result += stands ? text.substr(0, bytes) : kReplacement;
    text.remove_prefix(stands ? bytes : 1);
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
