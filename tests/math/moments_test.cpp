// Moments against exact fractions (tests/reference/make_moments_reference.py), where squares
// overflow or underflow and where they do not.
//
// Tolerance: eight lanes add n/8 terms each, every addition and square is off by 2^-53 at most, and
// the root halves that: (n/8 + 6) 2^-53 relative. A mean is compared on the scale of the largest
// entry: its sum may cancel, and is taken from the first entry on.

#include "math/moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/random_reference.hpp"

namespace sigstab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

// Half of the smallest subnormal is what rounding the result itself may cost.
void expect_near(double ours, double exact, double scale, std::size_t n, const std::string& what) {
  if (std::isinf(exact)) {
    EXPECT_EQ(ours, exact) << what;
    return;
  }
  const double relative = (static_cast<double>(n) / 8 + 6) * 0x1p-53;
  EXPECT_LE(std::fabs(ours - exact), relative * scale + kTiny)
      << what << " " << ours << " " << exact;
}

template <class T>
void compare(const nlohmann::json& row) {
  std::vector<T> values;
  for (double v : testing::all_from_hex(row.at("values"))) values.push_back(static_cast<T>(v));
  const std::span<const T> x(values);
  double largest = 0;
  for (T v : values) largest = std::max(largest, std::fabs(static_cast<double>(v)));
  const auto name = row.at("name").get<std::string>();
  const double rms = testing::from_hex(row.at("root_mean_square"));
  const double norm = testing::from_hex(row.at("euclidean_norm"));
  expect_near(root_mean_square(x), rms, rms, x.size(), name + ": rms");
  expect_near(euclidean_norm(x), norm, norm, x.size(), name + ": norm");
  expect_near(mean(x), testing::from_hex(row.at("mean")), largest, x.size(), name + ": mean");
}

TEST(Moments, AgreeWithExactFractionsAtEveryMagnitude) {
  const nlohmann::json rows = testing::read_reference("moments_reference.json");
  EXPECT_GE(rows.size(), 50U);
  for (const auto& row : rows) {
    row.at("dtype") == "float32" ? compare<float>(row) : compare<double>(row);
  }
}

TEST(Moments, AreExactForPowersOfTwo) {
  for (int exponent : {-1074, -1000, -540, -537, 0, 500, 511, 512, 1023}) {
    const std::vector<double> x(16, std::ldexp(1.0, exponent));
    EXPECT_EQ(root_mean_square(std::span<const double>(x)), x[0]) << exponent;
    EXPECT_EQ(mean(std::span<const double>(x)), x[0]) << exponent;
    EXPECT_EQ(euclidean_norm(std::span<const double>(x)), 4 * x[0]) << exponent;
  }
}

TEST(Moments, AreNanWithAnyNanWhereverItStands) {
  for (std::size_t at = 0; at < 20; ++at) {
    std::vector<double> x(20, 1e300);
    x[(at + 7) % 20] = kInfinity;
    x[at] = kNan;
    const std::span<const double> view(x);
    EXPECT_TRUE(std::isnan(root_mean_square(view)));
    EXPECT_TRUE(std::isnan(euclidean_norm(view)));
    EXPECT_TRUE(std::isnan(mean(view)));
  }
}

TEST(Moments, AreInfiniteWithAnInfinityAndNoNan) {
  for (double sign : {1.0, -1.0}) {
    std::vector<double> x(11, kTiny);
    x[5] = sign * kInfinity;
    const std::span<const double> view(x);
    EXPECT_EQ(root_mean_square(view), kInfinity);
    EXPECT_EQ(euclidean_norm(view), kInfinity);
    EXPECT_EQ(mean(view), sign * kInfinity);
  }
  const std::vector<float> single = {1.0F, -std::numeric_limits<float>::infinity()};
  EXPECT_EQ(root_mean_square(std::span<const float>(single)), kInfinity);
}

TEST(Moments, MeanOfTheLargestDoublesIsFinite) {
  for (std::size_t n = 1; n < 100; ++n) {
    const std::vector<double> x(n, std::numeric_limits<double>::max());
    EXPECT_TRUE(std::isfinite(mean(std::span<const double>(x)))) << n;
  }
}

TEST(Moments, OfNothingAreNanAndOfZerosAreZero) {
  EXPECT_TRUE(std::isnan(root_mean_square(std::span<const double>())));
  const std::vector<double> zeros(9);
  EXPECT_EQ(root_mean_square(std::span<const double>(zeros)), 0.0);
  EXPECT_EQ(euclidean_norm(std::span<const double>(zeros)), 0.0);
}

}  // namespace
}  // namespace sigstab
