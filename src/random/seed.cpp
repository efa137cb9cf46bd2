// Decimal text to 32-bit words.
//
// Schoolbook multiply-and-add, nine digits at a time: quadratic, which at the limit of 10,000
// digits is a million short steps.

#include "random/seed.hpp"

#include <algorithm>
#include <utility>

namespace sigstab {
namespace {

constexpr std::size_t kChunkDigits = 9;  // 10^9 is the largest power of ten below 2^32

// words = words * factor + addend
void multiply_add(std::vector<std::uint32_t>& words, std::uint32_t factor, std::uint32_t addend) {
  std::uint64_t carry = addend;
  for (std::uint32_t& word : words) {
    carry += std::uint64_t{word} * factor;
    word = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) words.push_back(static_cast<std::uint32_t>(carry));
}

}  // namespace

Seed::Seed(std::uint64_t value) : text_(std::to_string(value)) {
  words_.push_back(static_cast<std::uint32_t>(value));
  if (value >> 32 != 0) words_.push_back(static_cast<std::uint32_t>(value >> 32));
}

Seed::Seed(std::string text, std::vector<std::uint32_t> words)
    : text_(std::move(text)), words_(std::move(words)) {}

std::optional<Seed> Seed::parse(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  // The last digit stays even when it is a zero.
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
  if (text.size() > kMaxDigits) return std::nullopt;

  std::vector<std::uint32_t> words = {0};
  for (std::size_t i = 0; i < text.size(); i += kChunkDigits) {
    std::uint32_t power = 1, chunk = 0;
    for (const char digit : text.substr(i, kChunkDigits)) {
      power *= 10;
      chunk = chunk * 10 + static_cast<std::uint32_t>(digit - '0');
    }
    multiply_add(words, power, chunk);
  }
  return Seed(std::string(text), std::move(words));
}

std::optional<std::uint64_t> Seed::as_uint64() const {
  if (words_.size() > 2) return std::nullopt;
  const std::uint64_t high = words_.size() == 2 ? words_[1] : 0;
  return high << 32 | words_[0];
}

}  // namespace sigstab
