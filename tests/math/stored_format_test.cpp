// Conversion of stored numbers, on every code of every 8- and 16-bit format.
//
// tests/reference/checkpoint/formats.json has float8 as exact fractions of the OCP definition, and
// checksums of what PyTorch makes of float16 and bfloat16.

#include "math/stored_format.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/named_table.hpp"
#include "random/vector_targets.hpp"
#include "support/reference_file.hpp"
#include "support/sha256.hpp"

namespace sigstab {
namespace {

template <class T, class Code>
std::vector<T> decoded(std::string_view format, const std::vector<Code>& codes) {
  std::vector<T> x(codes.size());
  decode(*find_row(stored_format_table(), format), std::as_bytes(std::span(codes)), std::span(x));
  return x;
}

template <class Code>
std::vector<Code> all_codes() {
  std::vector<Code> codes;
  for (std::uint32_t c = 0; c <= std::numeric_limits<Code>::max(); ++c) {
    codes.push_back(static_cast<Code>(c));
  }
  return codes;
}

void expect_same(double ours, double theirs, std::size_t code) {
  if (std::isnan(theirs)) {
    EXPECT_TRUE(std::isnan(ours)) << code;
  } else {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(ours), std::bit_cast<std::uint64_t>(theirs)) << code;
  }
}

TEST(StoredFormat, EveryFloat8IsTheNumberOfItsDefinition) {
  const nlohmann::json reference = testing::reference_file("checkpoint/formats.json");
  for (const char* format : {"F8_E4M3", "F8_E5M2"}) {
    SCOPED_TRACE(format);
    const auto codes = all_codes<std::uint8_t>();
    const std::vector<float> floats = decoded<float>(format, codes);
    const std::vector<double> doubles = decoded<double>(format, codes);
    ASSERT_EQ(reference[format].size(), 256U);
    for (std::size_t c = 0; c < codes.size(); ++c) {
      const double theirs = std::strtod(reference[format][c].get<std::string>().c_str(), nullptr);
      expect_same(static_cast<double>(floats[c]), theirs, c);
      expect_same(doubles[c], theirs, c);
    }
  }
  EXPECT_EQ(decoded<float>("F8_E4M3", std::vector<std::uint8_t>{0x7e})[0], 448);
  EXPECT_EQ(decoded<float>("F8_E5M2", std::vector<std::uint8_t>{0x7b})[0], 57344);
}

TEST(StoredFormat, EveryHalfIsPytorchsOnEveryTarget) {
  const nlohmann::json reference = testing::reference_file("checkpoint/formats.json");
  for (const std::string_view target : vector_targets()) {
    ASSERT_TRUE(force_vector_target(target));
    for (const char* format : {"F16", "BF16"}) {
      std::vector<float> x = decoded<float>(format, all_codes<std::uint16_t>());
      for (float& v : x) {
        if (std::isnan(v)) v = std::bit_cast<float>(0x7fc00000U);
      }
      EXPECT_EQ(testing::sha256(std::as_bytes(std::span<const float>(x))),
                reference[format].get<std::string>())
          << format << " " << target;
    }
  }
  force_vector_target("");
}

// The same by the definition of the format, to tell which code is wrong.
TEST(StoredFormat, EveryHalfIsItsMantissaTimesAPowerOfTwo) {
  const std::vector<double> x = decoded<double>("F16", all_codes<std::uint16_t>());
  for (std::size_t c = 0; c < x.size(); ++c) {
    const int exponent = static_cast<int>(c >> 10 & 31), mantissa = static_cast<int>(c & 1023);
    double theirs =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    if (exponent == 31) theirs = mantissa == 0 ? HUGE_VAL : std::nan("");
    expect_same(x[c], c >> 15 != 0 ? -theirs : theirs, c);
  }
}

TEST(StoredFormat, Float32AndFloat64AreKeptAndRoundedOnlyOnTheWayDown) {
  const std::vector<double> doubles = {0.1, -1e308, 5e-324, HUGE_VAL};
  EXPECT_EQ(decoded<double>("F64", doubles), doubles);
  EXPECT_EQ(decoded<float>("F64", doubles),
            (std::vector<float>{0.1F, -HUGE_VALF, 0.0F, HUGE_VALF}));
  const std::vector<float> floats = {0.1F, -3e38F, 1e-45F};
  EXPECT_EQ(decoded<float>("F32", floats), floats);
  EXPECT_EQ(decoded<double>("F32", floats), (std::vector<double>{0.1F, -3e38F, 1e-45F}));
}

TEST(StoredFormat, LongAndOddLengthsAreConvertedToTheEnd) {
  for (const std::size_t count : {1U, 3U, 17U, 1023U, 1025U, 5000U}) {
    std::vector<std::uint16_t> codes(count, 0x3f80);  // 1 in bfloat16
    codes.back() = 0xc000;                            // -2
    const std::vector<double> x = decoded<double>("BF16", codes);
    EXPECT_EQ(std::count(x.begin(), x.end(), 1.0), static_cast<std::ptrdiff_t>(count - 1));
    EXPECT_EQ(x.back(), -2);
  }
}

}  // namespace
}  // namespace sigstab
