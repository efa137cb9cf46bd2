// Every vector target that this machine can run gives the same bits, and the bits that drawing one
// by one gives.
//
// What the bits should be is tested against NumPy, PyTorch and an independent script elsewhere; the
// best target is the one those tests run on.

#include "random/vector_targets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "random/generators.hpp"
#include "random/mt19937.hpp"
#include "random/numpy_kernels.hpp"
#include "support/random_reference.hpp"

namespace sigstab {
namespace {

using testing::integers;
using testing::normals;
using testing::uniforms;

// Forces a target until the end of the test.
class VectorTarget : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override { ASSERT_TRUE(force_vector_target(GetParam())); }
  void TearDown() override { force_vector_target(""); }
};

INSTANTIATE_TEST_SUITE_P(, VectorTarget, ::testing::ValuesIn(vector_targets()),
                         [](const auto& row) { return std::string(row.param); });

template <typename Value>
void append(std::vector<std::uint64_t>& bits, const std::vector<Value>& values) {
  for (const Value value : values) {
    if constexpr (sizeof(Value) == 4) {
      bits.push_back(std::bit_cast<std::uint32_t>(value));
    } else {
      bits.push_back(std::bit_cast<std::uint64_t>(value));
    }
  }
}

// One call of each kind and dtype, in an order that changes with the size.
void draw_all_kinds(Stream& stream, std::size_t size, std::vector<std::uint64_t>& bits) {
  const TensorId id{TensorId::kWeights, static_cast<std::uint32_t>(size)};
  for (std::size_t i = 0; i < 5; ++i) {
    switch ((i + size) % 5) {
      case 0:
        append(bits, normals<float>(stream, size, id));
        break;
      case 1:
        append(bits, uniforms<float>(stream, size, -0.1, 0.7, id));
        break;
      case 2:
        append(bits, normals<double>(stream, size, id));
        break;
      case 3:
        append(bits, integers(stream, size, 3'000'000'000U, id));
        break;
      default:
        append(bits, uniforms<double>(stream, size, -0.1, 0.7, id));
        break;
    }
  }
}

// Every size up to 200; ends of vectors, groups, blocks and chunks; a clone on the way.
std::vector<std::uint64_t> draws_of(const Generator& generator) {
  std::unique_ptr<Stream> stream = generator.make(Seed(42), "case", "");
  std::vector<std::uint64_t> bits;
  for (std::size_t size = 0; size <= 200; ++size) draw_all_kinds(*stream, size, bits);
  stream = stream->clone();
  for (const std::size_t size : {311U, 312U, 313U, 623U, 624U, 625U, 1000U, 1003U, 1023U, 1024U,
                                 1025U, 2047U, 2048U, 2049U, 4097U, 10'007U, 33'333U}) {
    draw_all_kinds(*stream, size, bits);
  }
  return bits;
}

TEST_P(VectorTarget, GivesTheBitsOfTheScalarTarget) {
  for (const Generator& generator : kGenerators) {
    ASSERT_TRUE(force_vector_target(GetParam()));
    const auto ours = draws_of(generator);
    ASSERT_TRUE(force_vector_target("scalar"));
    const auto scalar = draws_of(generator);
    const auto differ = std::mismatch(ours.begin(), ours.end(), scalar.begin(), scalar.end());
    EXPECT_TRUE(differ.first == ours.end())
        << generator.name << " draw " << differ.first - ours.begin();
  }
}

// Single draws never see a block, so this is another program.
template <typename Real>
void expect_blocks_equal_single_draws(std::uint64_t seed) {
  constexpr std::size_t kDraws = 300'000;
  const auto make = [&] { return make_numpy_stream(Seed(seed), "", ""); };
  const auto blocks = make(), single = make();
  const auto z = normals<Real>(*blocks, kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) {
    Real one;
    single->normal({}, std::span(&one, 1));
    ASSERT_EQ(z[i], one) << i;
  }
  EXPECT_EQ(integers(*blocks, 3, 100), integers(*single, 3, 100));
}

TEST_P(VectorTarget, DrawsNumPysNormalsInBlocksAsOneByOne) {
  for (const std::uint64_t seed : {0U, 7U}) {
    expect_blocks_equal_single_draws<double>(seed);
    expect_blocks_equal_single_draws<float>(seed);
  }
}

// The state after a call is that of its last draw, wherever the blocks ended.
TEST_P(VectorTarget, StopsNumPysBlocksAtTheLastDraw) {
  const auto whole = make_numpy_stream(Seed(5), "", "");
  const auto z = normals<double>(*whole, 400'000);
  const auto parts = make_numpy_stream(Seed(5), "", "");
  std::vector<double> joined;
  for (std::size_t size = 1; joined.size() + size <= z.size(); size = size % 877 + 1) {
    const auto part = normals<double>(*parts, size);
    joined.insert(joined.end(), part.begin(), part.end());
  }
  ASSERT_TRUE(std::equal(joined.begin(), joined.end(), z.begin()));
}

TEST_P(VectorTarget, SkipsTheTwistersWords) {
  for (const std::uint64_t words : {0U, 1U, 623U, 624U, 625U, 1247U, 1248U, 1249U, 100'000U}) {
    Mt19937 skipped(3), stepped(3);
    skipped.next32();
    stepped.next32();
    skipped.skip(words);
    for (std::uint64_t i = 0; i < words; ++i) stepped.next32();
    for (int i = 0; i < 1'300; ++i) ASSERT_EQ(skipped.next32(), stepped.next32()) << words;
  }
}

// Heights so close to exp that only libm's own value decides.
TEST_P(VectorTarget, DecidesWedgesAsLibmDoes) {
  constexpr std::size_t kCount = 1'000;
  std::vector<double> xs(kCount + 8), heights(kCount + 8);
  std::vector<std::uint8_t> accepted(kCount + 8);
  for (std::size_t i = 0; i < kCount; ++i) {
    xs[i] = (i % 2 == 0 ? 3.7 : -3.7) * static_cast<double>(i) / kCount;
    const double exact = std::exp(-0.5 * xs[i] * xs[i]);
    const std::array<double, 5> around = {std::nextafter(exact, 0.0), exact,
                                          std::nextafter(exact, 2.0), exact * (1 - 1e-9),
                                          exact * (1 + 1e-9)};
    heights[i] = around[i % around.size()];
  }
  decide_wedges(xs.data(), heights.data(), kCount, accepted.data());
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(accepted[i] != 0, heights[i] < std::exp(-0.5 * xs[i] * xs[i])) << i;
  }
}

TEST(VectorTargets, AreNamedFromBestToScalar) {
  const auto names = vector_targets();
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.back(), "scalar");
  EXPECT_FALSE(force_vector_target("no such target"));
}

}  // namespace
}  // namespace sigstab
