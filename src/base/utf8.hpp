#pragma once
// Text by characters, the code points of UTF-8.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sigstab {

struct Character {
  std::size_t bytes;  // 0: the text does not start with valid UTF-8
  std::uint32_t code;
};
// Of a text that is not empty. Source: RFC 3629.
Character first_character(std::string_view text);

// Whether a control character of either block, C0 with DEL or C1.
bool is_control(std::uint32_t code);

std::size_t characters(std::string_view text);
// The text's start of at most so many characters.
std::string_view first_characters(std::string_view text, std::size_t count);
// The longest one of at most so many bytes that ends between characters.
std::string_view first_bytes(std::string_view text, std::size_t bytes);

}  // namespace sigstab
