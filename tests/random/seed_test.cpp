// Seeds: what text is one, its canonical form and its words.
//
// Expected words are powers of two and what the standard library makes of the same text.

#include "random/seed.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sigstab {
namespace {

using Words = std::vector<std::uint32_t>;

TEST(Seed, IsMadeFromAnInteger) {
  EXPECT_EQ(Seed().text(), "0");
  EXPECT_EQ(Seed().words(), Words{0});
  const Seed large(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(large.text(), "18446744073709551615");
  EXPECT_EQ(large.words(), (Words{0xffffffff, 0xffffffff}));
  EXPECT_EQ(Seed(std::uint64_t{1} << 32).words(), (Words{0, 1}));
}

TEST(Seed, ParsesTextOfAnySize) {
  for (const char* text : {"0", "7", "42", "999999999", "1000000000", "4294967295", "4294967296",
                           "18446744073709551615"}) {
    const Seed seed = Seed::parse(text).value();
    EXPECT_EQ(seed.text(), text);
    EXPECT_EQ(seed.as_uint64(), std::stoull(text));
    EXPECT_EQ(seed.words(), Seed(std::stoull(text)).words());
    EXPECT_EQ(seed, Seed(std::stoull(text)));
  }
  const Seed above = Seed::parse("18446744073709551616").value();
  EXPECT_EQ(above.words(), (Words{0, 0, 1}));
  EXPECT_EQ(above.as_uint64(), std::nullopt);
  // 2^200 + 3
  const Seed wide =
      Seed::parse("1606938044258990275541962092341162602522202993782792835301379").value();
  EXPECT_EQ(wide.words(), (Words{3, 0, 0, 0, 0, 0, 256}));
  EXPECT_EQ(wide.as_uint64(), std::nullopt);
}

TEST(Seed, DropsLeadingZeros) {
  EXPECT_EQ(Seed::parse("000").value().text(), "0");
  EXPECT_EQ(Seed::parse("00042").value(), Seed(42));
  const std::string padded = std::string(2 * Seed::kMaxDigits, '0') + "5";
  EXPECT_EQ(Seed::parse(padded).value(), Seed(5));
}

TEST(Seed, RejectsEverythingElse) {
  for (const char* text : {"", " ", "-1", "+1", "1 ", " 1", "1.0", "1e3", "0x10", "1_000", "1,000",
                           "ten", "\xd9\xa1", "1:", "/1", "a1", "1a"}) {
    EXPECT_FALSE(Seed::parse(text)) << text;
  }
  EXPECT_FALSE(Seed::parse(std::string_view("1\0", 2)));
}

TEST(Seed, HasALimitOfTenThousandDigits) {
  const std::string longest(Seed::kMaxDigits, '9');
  const Seed seed = Seed::parse(longest).value();
  EXPECT_EQ(seed.text(), longest);
  EXPECT_EQ(seed.words().size(), 1039U);  // 10,000 log2(10) = 33,219.3 bits
  EXPECT_FALSE(Seed::parse(longest + "9"));
}

}  // namespace
}  // namespace sigstab
