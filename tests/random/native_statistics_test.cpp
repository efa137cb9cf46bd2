// Is the native stream random? Moments, tails, uniformity and independence on some 10^7 draws.
//
// Every statistic is a z-score: its distance from the expected value in standard deviations of what
// it would be for independent normals. The draws are fixed, so a bound of 4.5 (1 in 150,000 for one
// statistic, and there are some 200 here) is met for ever or not at all.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "random/native_stream.hpp"

namespace sigstab {
namespace {

constexpr double kMaxZ = 4.5;
constexpr TensorId kId{TensorId::kWeights, 1};

template <typename Real>
std::vector<Real> draw(std::size_t count, TensorId id = kId, const char* seed = "0",
                       const char* case_name = "", const char* point = "") {
  std::vector<Real> x(count);
  NativeStream(stream_key(seed, case_name, point)).normal(id, std::span<Real>(x));
  return x;
}

template <typename Real>
class NativeNormals : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(NativeNormals, Reals);

TYPED_TEST(NativeNormals, HaveTheMomentsOfANormal) {
  constexpr std::size_t kCount = 4'000'000;
  std::array<double, 4> sums{};  // of x^1 to x^4
  for (const TypeParam value : draw<TypeParam>(kCount)) {
    const auto x = static_cast<double>(value);
    sums[0] += x;
    sums[1] += x * x;
    sums[2] += x * x * x;
    sums[3] += x * x * x * x;
  }
  const double n = kCount;
  for (double& sum : sums) sum /= n;
  const double mean = sums[0], variance = sums[1] - mean * mean;
  const double third = sums[2] - 3 * mean * sums[1] + 2 * std::pow(mean, 3);
  const double fourth =
      sums[3] - 4 * mean * sums[2] + 6 * mean * mean * sums[1] - 3 * std::pow(mean, 4);
  EXPECT_LE(std::abs(mean) * std::sqrt(n), kMaxZ);
  EXPECT_LE(std::abs(variance - 1) * std::sqrt(n / 2), kMaxZ);
  EXPECT_LE(std::abs(third / std::pow(variance, 1.5)) * std::sqrt(n / 6), kMaxZ);
  EXPECT_LE(std::abs(fourth / (variance * variance) - 3) * std::sqrt(n / 24), kMaxZ);
}

TYPED_TEST(NativeNormals, HaveTheTailsOfANormal) {
  constexpr std::size_t kCount = 4'000'000;
  const auto x = draw<TypeParam>(kCount, {TensorId::kWeights, 2});
  for (const double limit : {0.5, 1.0, 2.0, 3.0, 4.0, 5.0}) {
    double above = 0, below = 0;
    for (const TypeParam value : x) {
      above += value > limit ? 1 : 0;
      below += value < -limit ? 1 : 0;
    }
    const double p = 0.5 * std::erfc(limit / std::sqrt(2.0));
    const double expected = p * kCount, deviation = std::sqrt(expected * (1 - p));
    EXPECT_LE(std::abs(above - expected), kMaxZ * deviation) << "above " << limit;
    EXPECT_LE(std::abs(below - expected), kMaxZ * deviation) << "below -" << limit;
  }
}

// The distribution function takes normals to uniforms; 1024 equal cells, chi-squared.
TYPED_TEST(NativeNormals, FillEqualCellsEqually) {
  constexpr std::size_t kCount = 1 << 20, kCells = 1024;
  std::vector<double> counts(kCells);
  for (const TypeParam value : draw<TypeParam>(kCount, {TensorId::kWeights, 3})) {
    const double u = 0.5 * std::erfc(-static_cast<double>(value) / std::sqrt(2.0));
    ++counts[std::min(static_cast<std::size_t>(u * kCells), kCells - 1)];
  }
  double chi_squared = 0;
  constexpr double kExpected = static_cast<double>(kCount) / kCells;
  for (const double count : counts) chi_squared += std::pow(count - kExpected, 2) / kExpected;
  EXPECT_LE(std::abs(chi_squared - (kCells - 1)) / std::sqrt(2.0 * (kCells - 1)), kMaxZ);
}

// Correlation of the values, and of their squares, which sees a common radius. Both have
// variance 1.
template <typename Real>
void expect_independent(std::span<const Real> x, std::span<const Real> y, const std::string& what) {
  double values = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto a = static_cast<double>(x[i]), b = static_cast<double>(y[i]);
    values += a * b;
    squares += (a * a - 1) * (b * b - 1) / 2;
  }
  const double scale = 1 / std::sqrt(static_cast<double>(x.size()));
  EXPECT_LE(std::abs(values) * scale, kMaxZ) << what;
  EXPECT_LE(std::abs(squares) * scale, kMaxZ) << what << ", squares";
}

TYPED_TEST(NativeNormals, AreIndependentBetweenTensors) {
  using Real = TypeParam;
  constexpr std::size_t kCount = 200'000;
  const auto own = draw<Real>(kCount);
  const auto expect_other = [&](const std::vector<Real>& other, const std::string& what) {
    expect_independent<Real>(own, other, what);
  };
  for (const std::uint32_t layer : {0U, 2U, 3U, 17U, 100'000U, 0x80000001U}) {
    expect_other(draw<Real>(kCount, {TensorId::kWeights, layer}), "layer " + std::to_string(layer));
  }
  for (const std::uint32_t role : {0U, 1U, 2U, 3U, 17U, 18U}) {
    expect_other(draw<Real>(kCount, {role, 1}), "role " + std::to_string(role));
  }
  expect_other(draw<Real>(kCount, {1, TensorId::kWeights}), "role and layer exchanged");
  for (const char* seed : {"1", "2", "10", "4294967296", "18446744073709551615"}) {
    expect_other(draw<Real>(kCount, kId, seed), std::string("seed ") + seed);
  }
  for (const char* name : {"a", "b", "post", "pre"}) {
    expect_other(draw<Real>(kCount, kId, "0", name), std::string("case ") + name);
    expect_other(draw<Real>(kCount, kId, "0", "", name), std::string("point ") + name);
  }
}

TYPED_TEST(NativeNormals, AreIndependentOfTheirNeighbours) {
  using Real = TypeParam;
  const auto x = draw<Real>(500'000, {TensorId::kWeights, 4});
  const std::span<const Real> all(x);
  for (const std::size_t lag : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 16U, 64U, 512U, 1024U}) {
    expect_independent<Real>(all.first(all.size() - lag), all.subspan(lag),
                             "lag " + std::to_string(lag));
  }
}

TEST(NativeStatistics, UniformsFillEqualCellsEqually) {
  constexpr std::size_t kCount = 1 << 20, kCells = 4096;
  const NativeStream stream(stream_key("0", "", ""));
  std::vector<float> narrow(kCount);
  std::vector<double> wide(kCount);
  stream.uniform_at(kId, 0, std::span(narrow), 0.0, 1.0);
  stream.uniform_at(kId, 0, std::span(wide), 0.0, 1.0);
  std::vector<std::int64_t> whole(kCount);
  stream.integers_at(kId, 0, whole, kCells);

  // Leading bits, and the last 12 bits of what a dtype holds.
  std::array<std::vector<double>, 5> counts;
  counts.fill(std::vector<double>(kCells));
  for (std::size_t i = 0; i < kCount; ++i) {
    ++counts[0][static_cast<std::size_t>(narrow[i] * kCells)];
    ++counts[1][static_cast<std::size_t>(narrow[i] * 0x1p24F) % kCells];
    ++counts[2][static_cast<std::size_t>(wide[i] * kCells)];
    ++counts[3][static_cast<std::size_t>(wide[i] * 0x1p53) % kCells];
    ++counts[4][static_cast<std::size_t>(whole[i])];
  }
  constexpr double kExpected = static_cast<double>(kCount) / kCells;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    double chi_squared = 0;
    for (const double count : counts[k]) chi_squared += std::pow(count - kExpected, 2) / kExpected;
    EXPECT_LE(std::abs(chi_squared - (kCells - 1)) / std::sqrt(2.0 * (kCells - 1)), kMaxZ) << k;
  }
}

}  // namespace
}  // namespace sigstab
