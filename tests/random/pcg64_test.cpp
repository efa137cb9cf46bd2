// PCG64 against NumPy, and its jumps against steps and against NumPy's.
//
// The reference file gives states and words of twelve seeds; the jumps are those of
//   b = numpy.random.PCG64(42); b.advance(n); b.state, b.random_raw()

#include "random/pcg64.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/random_reference.hpp"

namespace sigstab {
namespace {

Uint128 parse128(const std::string& decimal) {
  Uint128 value = 0;
  for (const char digit : decimal) value = value * 10 + static_cast<unsigned>(digit - '0');
  return value;
}

// GoogleTest cannot print 128-bit integers.
bool same(Uint128 a, Uint128 b) { return a == b; }

TEST(Pcg64, AgreesWithNumPy) {
  for (const auto& row : testing::random_reference("numpy")) {
    SCOPED_TRACE(row.at("seed").get<std::string>());
    Pcg64 bits(testing::seed_of(row));
    EXPECT_TRUE(same(bits.state(), parse128(row.at("pcg64_state").get<std::string>())));
    EXPECT_TRUE(same(bits.increment(), parse128(row.at("pcg64_inc").get<std::string>())));
    for (const auto& word : row.at("raw_uint64_first8")) {
      EXPECT_EQ(bits.next64(), std::stoull(word.get<std::string>()));
    }
  }
}

TEST(Pcg64, KeepsTheHighHalfAcrossWholeWords) {
  Pcg64 bits{Seed(1)}, words{Seed(1)};
  const std::uint64_t first = words.next64(), second = words.next64(), third = words.next64();
  EXPECT_EQ(bits.next32(), static_cast<std::uint32_t>(first));
  EXPECT_EQ(bits.next64(), second);
  EXPECT_EQ(bits.next32(), static_cast<std::uint32_t>(first >> 32));
  EXPECT_EQ(bits.next32(), static_cast<std::uint32_t>(third));
}

TEST(Pcg64, JumpsAsFarAsItSteps) {
  Pcg64 stepped{Seed(42)};
  for (unsigned n = 0; n < 300; ++n) {
    Pcg64 jumped{Seed(42)};
    jumped.advance(n);
    ASSERT_TRUE(same(jumped.state(), stepped.state())) << n;
    stepped.next64();
  }
}

TEST(Pcg64, JumpsAsFarAsNumPy) {
  struct Jump {
    const char* delta;
    const char* state;
    std::uint64_t next;
  };
  for (const auto& [delta, state, next] : {
           Jump{"1000", "111466403204621100564735193418703913264", 1144862242765613434U},
           Jump{"18446744073709551617", "136422699567984101561322830629462787047",
                13726094548374924182U},
           Jump{"1267650600228229401496703217721", "146253741049602212249086511098724569471",
                7719779017608217865U},
           Jump{"340282366920938463463374607431768211455",
                "203945685762925847034843360494083981493", 468196377545690179U},
       }) {
    Pcg64 bits{Seed(42)};
    bits.advance(parse128(delta));
    EXPECT_TRUE(same(bits.state(), parse128(state))) << delta;
    EXPECT_EQ(bits.next64(), next) << delta;
  }
}

TEST(Pcg64, JumpsCompose) {
  const Uint128 far = make_uint128(0x0123456789abcdef, 0xfedcba9876543210);
  Pcg64 bits{Seed(7)};
  const Uint128 start = bits.state();
  bits.advance(far);
  bits.advance(12345);
  Pcg64 once{Seed(7)};
  once.advance(far + 12345);
  EXPECT_TRUE(same(bits.state(), once.state()));
  bits.advance(0 - (far + 12345));
  EXPECT_TRUE(same(bits.state(), start));
}

TEST(Pcg64, DropsTheKeptHalfWhenItJumps) {
  Pcg64 bits{Seed(42)}, words{Seed(42)};
  bits.next32();
  bits.advance(0);
  words.next64();
  EXPECT_EQ(bits.next32(), static_cast<std::uint32_t>(words.next64()));
}

}  // namespace
}  // namespace sigstab
