// The native (philox) stream against its independent definition, and its promises: random access,
// no order, no state.
//
// tests/reference/make_philox_reference.py computes in Python integers and 60-digit decimals, so
// its normals are the mathematical values rounded once.

#include "random/native_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "random/philox_kernels.hpp"
#include "support/random_reference.hpp"

namespace sigstab {
namespace {

using testing::all_from_hex;
using testing::from_hex;
using testing::ulps;

// Bounds of the transforms, stated in philox_kernels.hpp.
constexpr std::int64_t kMaxUlps32 = 1, kMaxUlps64 = 4;

const nlohmann::json& reference() {
  static const nlohmann::json file = testing::read_reference("philox_reference.json");
  return file;
}

std::uint64_t uint64_of(const nlohmann::json& text) { return std::stoull(text.get<std::string>()); }

std::uint64_t key_of(const nlohmann::json& stream) {
  return stream_key(stream.at("seed").get<std::string>(), stream.at("case").get<std::string>(),
                    stream.at("point").get<std::string>());
}

// Calls check(stream, id, first, draw) for every range of every stream in the file.
template <typename Check>
void for_each_draw(Check check) {
  ASSERT_EQ(reference().at("streams").size(), 7U);
  for (const auto& row : reference().at("streams")) {
    const NativeStream stream(key_of(row));
    const TensorId id{row.at("role").get<std::uint32_t>(), row.at("layer").get<std::uint32_t>()};
    for (const auto& draw : row.at("draws")) {
      SCOPED_TRACE("key " + row.at("key").dump() + ", first " + draw.at("first").dump());
      check(stream, id, uint64_of(draw.at("first")), draw);
    }
  }
}

TEST(NativeStream, HashesSeedCaseAndGridPointToItsKey) {
  for (const auto& row : reference().at("streams")) {
    EXPECT_EQ(key_of(row), uint64_of(row.at("key")));
  }
  // A separator that text can contain would let these meet.
  EXPECT_NE(stream_key("1", "2", ""), stream_key("12", "", ""));
  EXPECT_NE(stream_key("1", "", "2"), stream_key("1", "2", ""));
}

TEST(NativeStream, DrawsNormalsAsDefined) {
  for_each_draw([](const NativeStream& stream, TensorId id, std::uint64_t first, const auto& draw) {
    const auto narrow = all_from_hex(draw.at("normal_float32"));
    std::vector<float> x(narrow.size());
    stream.normal_at(id, first, std::span(x));
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_LE(ulps(x[i], static_cast<float>(narrow[i])), kMaxUlps32) << i;
    }
    const auto wide = all_from_hex(draw.at("normal_float64"));
    std::vector<double> y(wide.size());
    stream.normal_at(id, first, std::span(y));
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_LE(ulps(y[i], wide[i]), kMaxUlps64) << i;
  });
}

TEST(NativeStream, DrawsUniformsAsDefined) {
  for_each_draw([](const NativeStream& stream, TensorId id, std::uint64_t first, const auto& draw) {
    const auto narrow = all_from_hex(draw.at("uniform_float32"));
    std::vector<float> x(narrow.size());
    stream.uniform_at(id, first, std::span(x), 0.0, 1.0);
    EXPECT_EQ(std::vector<double>(x.begin(), x.end()), narrow);
    const auto wide = all_from_hex(draw.at("uniform_float64"));
    std::vector<double> y(wide.size());
    stream.uniform_at(id, first, std::span(y), 0.0, 1.0);
    EXPECT_EQ(y, wide);

    const auto start = -0.1F, range = static_cast<float>(0.7 - -0.1);
    stream.uniform_at(id, first, std::span(x), -0.1, 0.7);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(x[i], start + range * static_cast<float>(narrow[i]));
    }
    stream.uniform_at(id, first, std::span(y), -0.1, 0.7);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], -0.1 + (0.7 - -0.1) * wide[i]);
  });
}

TEST(NativeStream, DrawsIntegersAsDefined) {
  for_each_draw([](const NativeStream& stream, TensorId id, std::uint64_t first, const auto& draw) {
    for (const auto& entry : draw.at("integers")) {
      const auto values = entry.at("values").template get<std::vector<std::int64_t>>();
      std::vector<std::int64_t> ours(values.size());
      stream.integers_at(id, first, ours, entry.at("bound").template get<std::uint32_t>());
      EXPECT_EQ(ours, values) << entry.at("bound");
    }
  });
}

// The cosine and sine of one pair of words, among others that are alike.
template <typename Real, typename Word>
std::array<Real, 2> box_muller_pair(Word radius, Word angle) {
  constexpr std::size_t kPairs = 16;
  alignas(64) std::array<Word, 2 * kPairs> words;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    words[i] = radius;
    words[i + 1] = angle;
  }
  std::array<Real, 2 * kPairs> normals{};
  box_muller_pairs(words.data(), kPairs, normals.data());
  for (std::size_t i = 2; i < normals.size(); ++i) EXPECT_EQ(normals[i], normals[i % 2]);
  return {normals[0], normals[1]};
}

TEST(BoxMuller, IsAccurateAtTheEdges) {
  for (const auto& pair : reference().at("pairs_float32")) {
    const auto ours =
        box_muller_pair<float>(pair[0].get<std::uint32_t>(), pair[1].get<std::uint32_t>());
    EXPECT_LE(ulps(ours[0], static_cast<float>(from_hex(pair[2]))), kMaxUlps32) << pair;
    EXPECT_LE(ulps(ours[1], static_cast<float>(from_hex(pair[3]))), kMaxUlps32) << pair;
  }
  for (const auto& pair : reference().at("pairs_float64")) {
    const auto ours = box_muller_pair<double>(uint64_of(pair[0]), uint64_of(pair[1]));
    EXPECT_LE(ulps(ours[0], from_hex(pair[2])), kMaxUlps64) << pair;
    EXPECT_LE(ulps(ours[1], from_hex(pair[3])), kMaxUlps64) << pair;
  }
}

constexpr TensorId kId{TensorId::kWeights, 3};

// Compares every range of up to 12 elements at every offset, and some long ones, with the whole.
template <typename Value, typename Draw>
void expect_random_access(Draw draw) {
  std::vector<Value> whole(1'000);
  draw(0, std::span(whole));
  for (std::size_t count = 0; count <= whole.size(); count += count < 12 ? 1 : 131) {
    for (std::size_t first = 0; first + count <= whole.size(); first += count < 12 ? 1 : 7) {
      std::vector<Value> range(count);
      draw(first, std::span(range));
      const auto start = whole.begin() + static_cast<std::ptrdiff_t>(first);
      ASSERT_EQ(range, std::vector<Value>(start, start + static_cast<std::ptrdiff_t>(count)))
          << first << " " << count;
    }
  }
}

TEST(NativeStream, DrawsAnyRangeAlone) {
  const NativeStream stream(stream_key("7", "case", ""));
  expect_random_access<float>(
      [&](std::uint64_t first, std::span<float> out) { stream.normal_at(kId, first, out); });
  expect_random_access<double>(
      [&](std::uint64_t first, std::span<double> out) { stream.normal_at(kId, first, out); });
  expect_random_access<float>([&](std::uint64_t first, std::span<float> out) {
    stream.uniform_at(kId, first, out, -1.0, 1.0);
  });
  expect_random_access<double>([&](std::uint64_t first, std::span<double> out) {
    stream.uniform_at(kId, first, out, -1.0, 1.0);
  });
  expect_random_access<std::int64_t>([&](std::uint64_t first, std::span<std::int64_t> out) {
    stream.integers_at(kId, first, out, 1'000'000);
  });
}

TEST(NativeStream, DrawsWholeTensorsFromTheirFirstElement) {
  NativeStream stream(1);
  std::vector<float> x(37);
  stream.normal_at(kId, 0, std::span(x));
  EXPECT_EQ(testing::normals<float>(stream, 37, kId), x);
  stream.uniform_at(kId, 0, std::span(x), -1.0, 2.0);
  EXPECT_EQ(testing::uniforms<float>(stream, 37, -1.0, 2.0, kId), x);
  std::vector<double> y(37);
  stream.normal_at(kId, 0, std::span(y));
  EXPECT_EQ(testing::normals<double>(stream, 37, kId), y);
  stream.uniform_at(kId, 0, std::span(y), -1.0, 2.0);
  EXPECT_EQ(testing::uniforms<double>(stream, 37, -1.0, 2.0, kId), y);
  std::vector<std::int64_t> n(37);
  stream.integers_at(kId, 0, n, 100);
  EXPECT_EQ(testing::integers(stream, 37, 100, kId), n);
}

TEST(NativeStream, HasNoOrder) {
  NativeStream stream(1), other(1);
  const auto before = testing::normals<double>(stream, 100, kId);
  testing::normals<float>(stream, 55, {TensorId::kInput, 0});
  testing::integers(stream, 9, 100, {TensorId::kTargets, 0});
  EXPECT_EQ(testing::normals<double>(stream, 100, kId), before);
  EXPECT_EQ(testing::normals<double>(*other.clone(), 100, kId), before);
}

TEST(NativeStream, DrawsEveryTensorFromItsOwnWords) {
  NativeStream stream(1);
  const auto own = testing::normals<double>(stream, 100, {TensorId::kWeights, 3});
  for (const TensorId id : {TensorId{TensorId::kWeights, 4}, TensorId{TensorId::kWeights + 1, 3},
                            TensorId{TensorId::kInput, 3}, TensorId{3, TensorId::kWeights}}) {
    const auto other = testing::normals<double>(stream, 100, id);
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NE(own[i], other[i]);
  }
}

TEST(NativeStream, RefusesABoundOfZero) {
  NativeStream stream(1);
  EXPECT_THROW(testing::integers(stream, 1, 0), std::logic_error);
}

}  // namespace
}  // namespace sigstab
