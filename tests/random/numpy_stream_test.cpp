// The numpy stream against NumPy itself, bit for bit.
//
// The numbers come from tests/reference/make_random_reference.py; long arrays are compared by
// SHA-256 over their little-endian bytes. 10^8 draws of each kind: scripts/compare_draws.py.

#include "random/numpy_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "random/ziggurat_tables.hpp"
#include "support/random_reference.hpp"
#include "support/sha256.hpp"

namespace sigstab {
namespace {

using testing::all_from_hex;
using testing::integers;
using testing::normals;
using testing::random_reference;
using testing::seed_of;
using testing::uniforms;

template <typename Value>
std::string checksum(const std::vector<Value>& values) {
  return testing::sha256(std::as_bytes(std::span(values)));
}

template <typename Value>
std::vector<double> first(const std::vector<Value>& values, std::size_t count) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)};
}

template <typename Value>
void append(std::vector<double>& all, const std::vector<Value>& values) {
  for (const Value value : values) all.push_back(static_cast<double>(value));
}

// The checksum's own test: FIPS 180-4's example, and lengths around the padding's limits.
TEST(Sha256, AgreesWithItsStandard) {
  const auto of = [](const std::string& text) {
    return testing::sha256(std::as_bytes(std::span(text)));
  };
  EXPECT_EQ(of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(ZigguratTables, HoldTheReferenceFile) {
  const nlohmann::json tables = testing::read_reference("ziggurat_tables.json");
  const auto expect_same = [&](const char* key, const auto& table) {
    ASSERT_EQ(tables.at(key).size(), table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      EXPECT_EQ(static_cast<double>(table[i]), testing::from_hex(tables.at(key)[i])) << key << i;
    }
  };
  expect_same("ki", kZigguratAccept);
  expect_same("wi", kZigguratWidth);
  expect_same("fi", kZigguratDensity);
  expect_same("ki_float", kZigguratAcceptFloat);
  expect_same("wi_float", kZigguratWidthFloat);
  expect_same("fi_float", kZigguratDensityFloat);
}

TEST(NumpyStream, DrawsFloat64Normals) {
  for (const auto& row : random_reference("numpy")) {
    SCOPED_TRACE(row.at("seed").get<std::string>());
    NumpyStream stream(seed_of(row));
    const auto z = normals<double>(stream, 1'000'000);
    EXPECT_EQ(first(z, 16), all_from_hex(row.at("standard_normal_first16")));
    const auto [low, high] = std::minmax_element(z.begin(), z.end());
    EXPECT_EQ(std::max(-*low, *high), testing::from_hex(row.at("standard_normal_1e6_max_abs")));
    EXPECT_EQ(checksum(z), row.at("standard_normal_1e6_sha256").get<std::string>());
  }
}

TEST(NumpyStream, DrawsFloat32Normals) {
  for (const auto& row : random_reference("numpy")) {
    SCOPED_TRACE(row.at("seed").get<std::string>());
    NumpyStream stream(seed_of(row));
    const auto z = normals<float>(stream, 100'000);
    EXPECT_EQ(first(z, 16), all_from_hex(row.at("standard_normal_float32_first16")));
    EXPECT_EQ(checksum(z), row.at("standard_normal_float32_1e5_sha256").get<std::string>());
  }
}

TEST(NumpyStream, DrawsUniforms) {
  for (const auto& row : random_reference("numpy")) {
    SCOPED_TRACE(row.at("seed").get<std::string>());
    NumpyStream unit(seed_of(row)), scaled(seed_of(row));
    EXPECT_EQ(uniforms<double>(unit, 8, 0.0, 1.0), all_from_hex(row.at("random_first8")));
    const auto u = uniforms<double>(scaled, 100'000, -0.25, 0.25);
    EXPECT_EQ(first(u, 8), all_from_hex(row.at("uniform_pm0.25_first8")));
    EXPECT_EQ(checksum(u), row.at("uniform_pm0.25_1e5_sha256").get<std::string>());
  }
}

// What the reference file has not: bounds that round, float32 uniforms and large bounds, from
//   r = numpy.random.default_rng(42)
//   r.uniform(-0.1, 0.7, 4), -0.1 + (0.7 - -0.1) * r.random(4, dtype="f4")
//   hashlib.sha256(r.integers(0, 3_000_000_000, 1000)).hexdigest()
TEST(NumpyStream, RoundsAsNumPyDoes) {
  NumpyStream stream{Seed(42)};
  EXPECT_EQ(uniforms<double>(stream, 4, -0.1, 0.7),
            (std::vector<double>{0x1.09cff948248e9p-1, 0x1.0121146bb1d30p-2, 0x1.2c7b513717c34p-1,
                                 0x1.d4e24693799b4p-2}));
  EXPECT_EQ(uniforms<float>(stream, 4, -0.1, 0.7),
            (std::vector<float>{0x1.f52684p-5F, -0x1.93ffd0p-6F, 0x1.48e43ep-2F, 0x1.5c6a36p-1F}));
  // Three words in ten are rejected.
  EXPECT_EQ(checksum(integers(stream, 1'000, 3'000'000'000U)),
            "2d97511be676a66f8371f11febfa31cb253077cb51a8283714ec64a2a4948730");
}

TEST(NumpyStream, DrawsIntegers) {
  for (const auto& row : random_reference("numpy")) {
    NumpyStream stream(seed_of(row));
    EXPECT_EQ(integers(stream, 64, 100),
              row.at("integers_0_100_first64").get<std::vector<std::int64_t>>())
        << row.at("seed");
  }
}

TEST(NumpyStream, DrawsNothingForOneInteger) {
  NumpyStream stream{Seed(1)}, untouched{Seed(1)};
  EXPECT_EQ(integers(stream, 5, 1), std::vector<std::int64_t>(5, 0));
  EXPECT_EQ(integers(stream, 5, 100), integers(untouched, 5, 100));
}

TEST(NumpyStream, GoesOnFromCallToCall) {
  for (const auto& row : random_reference("numpy")) {
    NumpyStream stream(seed_of(row));
    std::vector<double> all;
    append(all, normals<double>(stream, 3));
    append(all, normals<double>(stream, 20));
    append(all, uniforms<double>(stream, 2, 0.0, 1.0));
    append(all, normals<double>(stream, 7));
    EXPECT_EQ(all, all_from_hex(row.at("mixed_3n_20n_2u_7n"))) << row.at("seed");
  }
}

TEST(NumpyStream, SharesTheKeptHalfBetweenKinds) {
  for (const auto& row : random_reference("numpy")) {
    NumpyStream stream(seed_of(row));
    std::vector<double> all;
    append(all, integers(stream, 3, 100));
    append(all, normals<double>(stream, 1));
    append(all, integers(stream, 3, 100));
    append(all, normals<float>(stream, 3));
    append(all, uniforms<double>(stream, 1, 0.0, 1.0));
    append(all, integers(stream, 5, 7));
    append(all, normals<float>(stream, 2));
    EXPECT_EQ(all, all_from_hex(row.at("mixed_3i100_1n_3i100_3f32_1u_5i7_2f32"))) << row.at("seed");
  }
}

TEST(NumpyStream, ClonesWithTheKeptHalf) {
  NumpyStream stream{Seed(3)};
  integers(stream, 3, 100);
  const auto clone = stream.clone();
  EXPECT_EQ(normals<float>(*clone, 1'000), normals<float>(stream, 1'000));
  EXPECT_EQ(normals<double>(*clone, 1'000), normals<double>(stream, 1'000));
}

TEST(NumpyStream, RefusesABoundOfZero) {
  NumpyStream stream{Seed(3)};
  EXPECT_THROW(integers(stream, 1, 0), std::logic_error);
}

}  // namespace
}  // namespace sigstab
