// Rounding to float16 and bfloat16: exhaustively over their values and midpoints, by exact
// arithmetic of powers of two, and against PyTorch's casts.

#include "math/rounding.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/named_table.hpp"
#include "random/vector_targets.hpp"
#include "support/paths.hpp"

namespace sigstab {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A format's bit patterns, decoded by its definition: sign, biased exponent, fraction.
struct Format {
  const char* name;
  int fraction_bits, bias;

  std::uint32_t infinity() const { return ((1U << (15 - fraction_bits)) - 1) << fraction_bits; }
  float decode(std::uint32_t pattern) const {
    const std::uint32_t magnitude = pattern & 0x7fffU;
    const float sign = (pattern & 0x8000U) != 0 ? -1.0F : 1.0F;
    if (magnitude > infinity()) return std::numeric_limits<float>::quiet_NaN();
    if (magnitude == infinity()) return sign * kInfinity;
    const auto exponent = static_cast<int>(magnitude >> fraction_bits);
    const auto fraction = static_cast<int>(magnitude & ((1U << fraction_bits) - 1));
    const int hidden = exponent > 0 ? 1 << fraction_bits : 0;
    const int scale = std::max(exponent, 1) - bias - fraction_bits;
    return sign * std::ldexp(static_cast<float>(hidden + fraction), scale);
  }
  float round(float x) const {
    find_row(kNumberFormats, name)->round(std::span(&x, 1));
    return x;
  }
};
constexpr Format kFormats[] = {{"float16", 10, 15}, {"bfloat16", 7, 127}};

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

class Rounding : public ::testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(, Rounding, ::testing::ValuesIn(kFormats),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(Rounding, KeepsEveryValueOfTheFormat) {
  for (std::uint32_t pattern = 0; pattern < 0x10000U; ++pattern) {
    const float value = GetParam().decode(pattern), rounded = GetParam().round(value);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(rounded)) << pattern;
    } else {
      ASSERT_EQ(bits_of(rounded), bits_of(value)) << pattern;
    }
  }
}

// Between neighbours a < b: the midpoint goes to the even pattern, the floats beside it and all
// beyond to the nearer one. The step past the largest value is as wide, and ends at infinity.
TEST_P(Rounding, GoesToTheNearerAndFromMidpointsToTheEven) {
  const Format& format = GetParam();
  for (std::uint32_t pattern = 0; pattern < format.infinity(); ++pattern) {
    const float a = format.decode(pattern), b = format.decode(pattern + 1);
    const double below = static_cast<double>(a);
    const double above = std::isinf(b) ? 2 * below - static_cast<double>(format.decode(pattern - 1))
                                       : static_cast<double>(b);
    const auto middle = static_cast<float>((below + above) / 2);
    ASSERT_EQ(static_cast<double>(middle), (below + above) / 2);
    for (float sign : {1.0F, -1.0F}) {
      const float even = pattern % 2 == 0 ? a : b;
      ASSERT_EQ(bits_of(format.round(sign * middle)), bits_of(sign * even)) << pattern;
      ASSERT_EQ(format.round(sign * std::nextafter(middle, 0.0F)), sign * a) << pattern;
      ASSERT_EQ(format.round(sign * std::nextafter(middle, kInfinity)), sign * b) << pattern;
      ASSERT_EQ(format.round(sign * std::nextafter(a, kInfinity)), sign * a) << pattern;
      const auto top = static_cast<float>(above);  // 2^128 is no float
      if (std::isfinite(top)) {
        ASSERT_EQ(format.round(sign * std::nextafter(top, 0.0F)), sign * b) << pattern;
      }
    }
  }
}

TEST_P(Rounding, KeepsSignsOfZeroAndWhateverIsNan) {
  const Format& format = GetParam();
  EXPECT_EQ(bits_of(format.round(-0.0F)), bits_of(-0.0F));
  EXPECT_EQ(bits_of(format.round(-1e-45F)), bits_of(-0.0F));
  // A payload in the low bits alone must not round to infinity, nor one of all bits wrap around.
  for (std::uint32_t nan : {0x7f800001U, 0xff800001U, 0x7fffffffU, 0xffffffffU, 0x7fc00000U}) {
    EXPECT_TRUE(std::isnan(format.round(std::bit_cast<float>(nan)))) << nan;
  }
}

TEST(RoundingLimits, OverflowWhereTheNextValueWouldBeNearer) {
  const Format& half = kFormats[0];
  EXPECT_EQ(half.round(65519.99F), 65504);
  EXPECT_EQ(half.round(65520), kInfinity);
  EXPECT_EQ(half.round(-65520), -kInfinity);
  EXPECT_EQ(half.round(0x1p-25F), 0);
  EXPECT_EQ(half.round(0x1.000002p-25F), 0x1p-24F);
  const Format& bfloat = kFormats[1];
  EXPECT_EQ(bfloat.round(0x1.fefffep127F), 0x1.fep127F);
  EXPECT_EQ(bfloat.round(0x1.ffp127F), kInfinity);
  EXPECT_EQ(bfloat.round(std::numeric_limits<float>::max()), kInfinity);
}

struct Case {
  std::uint32_t float32;
  std::uint16_t float16, bfloat16;
};

std::vector<Case> pytorch_cases() {
  std::ifstream file(testing::source_path("tests/reference/rounding_reference.bin"),
                     std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::vector<Case> cases(bytes.size() / sizeof(Case));
  std::memcpy(cases.data(), bytes.data(), cases.size() * sizeof(Case));
  return cases;
}

std::vector<float> inputs_of(const std::vector<Case>& cases) {
  std::vector<float> x;
  for (const Case& c : cases) x.push_back(std::bit_cast<float>(c.float32));
  return x;
}

TEST_P(Rounding, IsPytorchsCast) {
  const std::vector<Case> cases = pytorch_cases();
  ASSERT_EQ(cases.size(), 100'000U);
  std::vector<float> x = inputs_of(cases);
  find_row(kNumberFormats, GetParam().name)->round(x);
  const bool half = std::string(GetParam().name) == "float16";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const float theirs = GetParam().decode(half ? cases[i].float16 : cases[i].bfloat16);
    if (std::isnan(theirs)) {
      ASSERT_TRUE(std::isnan(x[i])) << cases[i].float32;
    } else {
      ASSERT_EQ(bits_of(x[i]), bits_of(theirs)) << cases[i].float32;
    }
  }
}

// Any length, so that ends of vectors are met, and bits of nan included.
TEST_P(Rounding, GivesTheSameBitsOnEveryTarget) {
  const std::vector<float> x = inputs_of(pytorch_cases());
  const auto rounded = [&](std::string_view target) {
    EXPECT_TRUE(force_vector_target(target));
    std::vector<std::uint32_t> bits;
    for (std::size_t first = 0, size = 0; first + size <= x.size(); first += size, ++size) {
      std::vector<float> part(x.begin() + static_cast<std::ptrdiff_t>(first),
                              x.begin() + static_cast<std::ptrdiff_t>(first + size));
      find_row(kNumberFormats, GetParam().name)->round(part);
      for (float v : part) bits.push_back(bits_of(v));
    }
    force_vector_target("");
    return bits;
  };
  const auto scalar = rounded("scalar");
  ASSERT_GT(scalar.size(), 90'000U);
  for (std::string_view target : vector_targets()) EXPECT_EQ(rounded(target), scalar) << target;
}

TEST_P(Rounding, LimitsAreTheFormats) {
  const Format& format = GetParam();
  const NumberFormat& row = *find_row(kNumberFormats, format.name);
  EXPECT_EQ(row.largest, static_cast<double>(format.decode(format.infinity() - 1)));
  EXPECT_EQ(row.smallest_normal, static_cast<double>(format.decode(1U << format.fraction_bits)));
  EXPECT_EQ(row.smallest_subnormal, static_cast<double>(format.decode(1)));
  EXPECT_EQ(row.significand, format.fraction_bits + 1);
}

TEST(NumberFormats, TheNativeOnesHaveTheirLimits) {
  const NumberFormat& float32 = *find_row(kNumberFormats, "float32");
  EXPECT_EQ(float32.largest, 0x1.fffffep127);
  EXPECT_EQ(float32.smallest_normal, 0x1p-126);
  EXPECT_EQ(float32.smallest_subnormal, 0x1p-149);
  const NumberFormat& float64 = *find_row(kNumberFormats, "float64");
  EXPECT_EQ(float64.largest, 0x1.fffffffffffffp1023);
  EXPECT_EQ(float64.smallest_normal, 0x1p-1022);
  EXPECT_EQ(float64.smallest_subnormal, 0x1p-1074);
  EXPECT_EQ(float32.round, nullptr);
}

}  // namespace
}  // namespace sigstab
