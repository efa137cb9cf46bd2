// The torch stream against PyTorch itself: tests/reference/make_random_reference.py.
//
// PyTorch's float32 normals differ in the last units between CPU types even inside PyTorch, hence
// 4e-7 absolute + 4e-7 relative for them, 4 ulp for float64, and no tolerance for the rest.

#include "random/torch_stream.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/random_reference.hpp"

namespace sigstab {
namespace {

using testing::all_from_hex;
using testing::integers;
using testing::normals;
using testing::random_reference;
using testing::uniforms;

TorchStream stream_of(const nlohmann::json& row) {
  return TorchStream(testing::seed_of(row).as_uint64().value());
}

void expect_near(double ours, double theirs, float /*dtype*/) {
  EXPECT_LE(std::abs(ours - theirs), 4e-7 + 4e-7 * std::abs(theirs)) << ours << " " << theirs;
}

void expect_near(double ours, double theirs, double /*dtype*/) {
  EXPECT_LE(testing::ulps(ours, theirs), 4) << ours << " " << theirs;
}

// As many elements as the reference has, from `offset` on.
template <typename Real>
void expect_all_near(const std::vector<Real>& ours, std::size_t offset,
                     const nlohmann::json& texts) {
  const std::vector<double> theirs = all_from_hex(texts);
  ASSERT_LE(offset + theirs.size(), ours.size());
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    SCOPED_TRACE(offset + i);
    expect_near(ours[offset + i], theirs[i], Real{});
  }
}

template <typename Real>
void expect_randn(const nlohmann::json& row, const nlohmann::json& entry) {
  SCOPED_TRACE("n = " + entry.at("n").dump() + ", " + entry.at("dtype").dump());
  TorchStream stream = stream_of(row);
  const auto x = normals<Real>(stream, entry.at("n").get<std::size_t>());
  expect_all_near(x, 0, entry.at("first"));
  expect_all_near(x, x.size() - entry.at("last").size(), entry.at("last"));
  expect_all_near(normals<Real>(stream, 3), 0, entry.at("then_randn3"));
  expect_all_near(normals<Real>(stream, 20), 0, entry.at("then_randn20"));
}

// Sizes below, at and above 16, whole and broken blocks; then 3 and 20 more on the same stream,
// which see what is cached.
TEST(TorchStream, DrawsNormalsOfEverySize) {
  for (const auto& row : random_reference("torch")) {
    SCOPED_TRACE(row.at("seed").get<std::string>());
    ASSERT_EQ(row.at("randn").size(), 28U);
    for (const auto& entry : row.at("randn")) {
      if (entry.at("dtype").get<std::string>() == "float32") {
        expect_randn<float>(row, entry);
      } else {
        expect_randn<double>(row, entry);
      }
    }
  }
}

TEST(TorchStream, DrawsAMillionNormals) {
  for (const auto& row : random_reference("torch")) {
    SCOPED_TRACE(row.at("seed").get<std::string>());
    const nlohmann::json& reference = row.at("randn_float32_1e6");
    TorchStream stream = stream_of(row);
    const auto x = normals<float>(stream, 1'000'000);
    for (std::size_t i = 0; i < reference.at("at").size(); ++i) {
      expect_near(x[reference.at("at")[i].get<std::size_t>()],
                  testing::from_hex(reference.at("values")[i]), float{});
    }
    double sum = 0.0, squares = 0.0;
    for (const float value : x) {
      sum += value;
      squares += static_cast<double>(value) * value;
    }
    // A million errors of at most 4e-7, of random sign.
    EXPECT_NEAR(sum, reference.at("sum_float64").get<double>(), 2e-3);
    EXPECT_NEAR(squares, reference.at("sum_squares_float64").get<double>(), 4e-3);
  }
}

TEST(TorchStream, DrawsUniforms) {
  for (const auto& row : random_reference("torch")) {
    SCOPED_TRACE(row.at("seed").get<std::string>());
    TorchStream narrow = stream_of(row), wide = stream_of(row);
    const auto x = uniforms<float>(narrow, 16, 0.0, 1.0);
    EXPECT_EQ(std::vector<double>(x.begin(), x.end()),
              all_from_hex(row.at("rand_float32_first16")));
    EXPECT_EQ(uniforms<double>(wide, 16, 0.0, 1.0), all_from_hex(row.at("rand_float64_first16")));
  }
}

// torch.nn.init draws straight from uniform_(-bound, bound), whose scaling is a fused multiply-add.
TEST(TorchStream, RoundsAsTorchInitsDo) {
  const double xavier = std::sqrt(3.0) * std::sqrt(2.0 / (6 + 4));
  const double kaiming = std::sqrt(3.0) * (std::sqrt(2.0) / std::sqrt(4.0));
  for (const auto& row : random_reference("torch")) {
    SCOPED_TRACE(row.at("seed").get<std::string>());
    const auto draw = [&](double bound) {
      TorchStream stream = stream_of(row);
      const auto x = uniforms<float>(stream, 24, -bound, bound);
      return std::vector<double>(x.begin(), x.end());
    };
    const nlohmann::json& init = row.at("init");
    EXPECT_EQ(draw(xavier), all_from_hex(init.at("xavier_uniform_6x4")));
    EXPECT_EQ(draw(kaiming), all_from_hex(init.at("kaiming_uniform_relu_6x4")));
    EXPECT_EQ(draw(0.5), all_from_hex(init.at("nn.Linear(4,6).weight")));
  }
}

// What the reference file has not: float64 bounds that round, and large bounds of integers, from
//   torch.manual_seed(42); u = torch.empty(4, dtype=torch.float64).uniform_(-0.1, 0.7)
//   i = torch.randint(3_000_000_000, (5,))
TEST(TorchStream, RoundsAndReducesAsPyTorchDoes) {
  TorchStream stream(42);
  EXPECT_EQ(uniforms<double>(stream, 4, -0.1, 0.7),
            (std::vector<double>{-0x1.b61429ab01d75p-5, -0x1.96e97408558e8p-5,
                                 -0x1.2885a3d12c1d9p-10, -0x1.da9c5290a989bp-5}));
  EXPECT_EQ(integers(stream, 5, 3'000'000'000U),
            (std::vector<std::int64_t>{670094950, 1914837113, 669991378, 429389014, 249467210}));
}

TEST(TorchStream, DrawsIntegersAfterNormals) {
  for (const auto& row : random_reference("torch")) {
    SCOPED_TRACE(row.at("seed").get<std::string>());
    const auto& reference = row.at("randn_64x256_then_256x100_then_randint100_64");
    TorchStream stream = stream_of(row);
    normals<float>(stream, 64 * 256);
    const auto head = normals<float>(stream, 256 * 100);
    expect_all_near(head, head.size() - 8, reference.at("head_last8"));
    EXPECT_EQ(integers(stream, 64, 100), reference.at("targets").get<std::vector<std::int64_t>>());
  }
}

TEST(TorchStream, SharesTheCachedNormalBetweenDtypes) {
  TorchStream narrow(1), wide(1);
  const auto x = normals<float>(narrow, 1);
  const auto y = normals<double>(narrow, 2);
  const auto reference = normals<double>(wide, 3);
  EXPECT_EQ(x[0], static_cast<float>(reference[0]));
  EXPECT_EQ(y[0], reference[1]);
  EXPECT_EQ(y[1], reference[2]);
}

TEST(TorchStream, KeepsTheCachedNormalThroughLargeCalls) {
  TorchStream stream(1), wide(1);
  const auto reference = normals<double>(wide, 2);
  EXPECT_EQ(normals<double>(stream, 1)[0], reference[0]);
  normals<float>(stream, 100);
  uniforms<double>(stream, 5, 0.0, 1.0);
  EXPECT_EQ(normals<double>(stream, 1)[0], reference[1]);
}

TEST(TorchStream, DrawsAWordEvenForOneInteger) {
  TorchStream stream(1), other(1);
  EXPECT_EQ(integers(stream, 5, 1), std::vector<std::int64_t>(5, 0));
  integers(other, 5, 100);
  EXPECT_EQ(integers(stream, 5, 100), integers(other, 5, 100));
}

TEST(TorchStream, DrawsNothingForAnEmptyTensor) {
  TorchStream stream(1), untouched(1);
  normals<float>(stream, 0);
  uniforms<double>(stream, 0, 0.0, 1.0);
  integers(stream, 0, 100);
  EXPECT_EQ(integers(stream, 5, 100), integers(untouched, 5, 100));
}

TEST(TorchStream, ClonesWithTheCachedNormal) {
  TorchStream stream(3);
  normals<float>(stream, 5);
  const auto clone = stream.clone();
  EXPECT_EQ(normals<double>(*clone, 2), normals<double>(stream, 2));
  EXPECT_EQ(normals<float>(*clone, 1'000), normals<float>(stream, 1'000));
}

TEST(TorchStream, RefusesABoundOfZero) {
  TorchStream stream(3);
  EXPECT_THROW(integers(stream, 1, 0), std::logic_error);
}

}  // namespace
}  // namespace sigstab
