#pragma once
// A seed: a non-negative integer of any size up to kMaxDigits decimal digits.
//
// Its identity is the canonical decimal text (no sign, no leading zeros); that text names the run
// in results and enters philox's key. Its 32-bit words, least significant first, are what NumPy's
// SeedSequence takes; zero is one word of zero, as there.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sigstab {

class Seed {
 public:
  static constexpr std::size_t kMaxDigits = 10'000;

  Seed() : Seed(std::uint64_t{0}) {}
  explicit Seed(std::uint64_t value);

  // The integer written as decimal digits and nothing else. Leading zeros are dropped.
  // Errors: nothing when the text is empty, has any other character, or more than kMaxDigits
  // digits.
  static std::optional<Seed> parse(std::string_view text);

  const std::string& text() const { return text_; }
  const std::vector<std::uint32_t>& words() const { return words_; }
  // Nothing from 2^64 on.
  std::optional<std::uint64_t> as_uint64() const;

  bool operator==(const Seed& other) const { return text_ == other.text_; }

 private:
  Seed(std::string text, std::vector<std::uint32_t> words);

  std::string text_;
  std::vector<std::uint32_t> words_;  // never empty
};

}  // namespace sigstab
