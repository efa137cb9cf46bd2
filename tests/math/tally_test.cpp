// Sizes of many numbers. NumPy's are compared in checkpoint_test.cpp.

#include "math/tally.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "random/vector_targets.hpp"

namespace sigstab {
namespace {

Tally tally(const std::vector<double>& x) { return tally_of(std::span<const double>(x)); }

std::vector<double> waves(std::size_t count, double mean, double size) {
  std::vector<double> x;
  for (std::size_t i = 0; i < count; ++i) {
    x.push_back(mean + size * std::sin(1.7 * static_cast<double>(i)));
  }
  return x;
}

TEST(Tally, NothingHasNoSizes) {
  const Tally none = tally({});
  EXPECT_EQ(none.finite + none.not_finite, 0U);
  EXPECT_TRUE(std::isnan(none.spread()) && std::isnan(none.average()));
  EXPECT_TRUE(std::isnan(none.root_mean_square()) && std::isnan(none.largest_magnitude()));
}

TEST(Tally, AFewNumbersByHand) {
  const Tally t = tally({1, -3, 5});
  EXPECT_DOUBLE_EQ(t.average(), 1);
  EXPECT_DOUBLE_EQ(t.spread(), std::sqrt(32.0 / 3));
  EXPECT_DOUBLE_EQ(t.root_mean_square(), std::sqrt(35.0 / 3));
  EXPECT_EQ(t.largest_magnitude(), 5);
}

TEST(Tally, EqualNumbersHaveNoSpreadAndTheirOwnMean) {
  for (const double value : {0.0, 0.3, -1e-310, 1e308}) {
    Tally all;
    for (int part = 0; part < 3; ++part) all.add(tally(std::vector<double>(1001, value)));
    EXPECT_EQ(all.spread(), 0) << value;
    EXPECT_EQ(all.average(), value);
    EXPECT_EQ(all.largest_magnitude(), std::fabs(value));
  }
}

TEST(Tally, ALargeMeanDoesNotDrownASmallSpread) {
  Tally all;
  for (int part = 0; part < 4; ++part) all.add(tally(waves(4096, 1e6, 1e-3)));
  EXPECT_NEAR(all.spread() / (1e-3 / std::sqrt(2.0)), 1, 1e-3);
}

// Squares leave the range of a double where the numbers do not.
TEST(Tally, SizesScaleOverTheWholeRange) {
  const Tally one = tally(waves(999, 0.25, 1));
  for (const double scale : {0x1p-1000, 0x1p-500, 0x1p500, 0x1p1020}) {
    std::vector<double> x = waves(999, 0.25, 1);
    for (double& v : x) v *= scale;
    const Tally t = tally(x);
    EXPECT_NEAR(t.spread() / scale / one.spread(), 1, 1e-13) << scale;
    EXPECT_NEAR(t.root_mean_square() / scale / one.root_mean_square(), 1, 1e-13) << scale;
    EXPECT_NEAR(t.average() / scale / one.average(), 1, 1e-13) << scale;
  }
}

TEST(Tally, WhatIsNotFiniteIsCountedAndLeftOut) {
  std::vector<double> x = waves(200, 0.5, 1);
  const Tally clean = tally(x);
  x.insert(x.begin(), HUGE_VAL);
  x.insert(x.begin() + 77, std::nan(""));
  x.push_back(-HUGE_VAL);
  const Tally t = tally(x);
  EXPECT_EQ(t.finite, 200U);
  EXPECT_EQ(t.not_finite, 3U);
  EXPECT_NEAR(t.spread(), clean.spread(), 1e-14);
  EXPECT_EQ(t.largest_magnitude(), clean.largest_magnitude());
}

TEST(Tally, PartsJoinToTheWhole) {
  const std::vector<double> x = waves(10'000, 0.1, 2);
  Tally parts;
  for (std::size_t from = 0; from < x.size();) {
    const std::size_t count = std::min<std::size_t>(from + 1, x.size() - from);
    parts.add(tally_of(std::span(x).subspan(from, count)));
    from += count;
  }
  const Tally whole = tally(x);
  EXPECT_NEAR(parts.spread(), whole.spread(), 1e-14);
  EXPECT_NEAR(parts.average(), whole.average(), 1e-14);
  EXPECT_EQ(parts.finite, whole.finite);
}

TEST(Tally, EveryTargetGivesTheSameBits) {
  const std::vector<double> x = waves(4099, 0.3, 1);
  const std::vector<float> floats(x.begin(), x.end());
  const Tally one = tally(x), other = tally_of(std::span<const float>(floats));
  for (const std::string_view target : vector_targets()) {
    ASSERT_TRUE(force_vector_target(target));
    const Tally same = tally(x), float_same = tally_of(std::span<const float>(floats));
    EXPECT_EQ(same.squares, one.squares) << target;
    EXPECT_EQ(same.mean, one.mean) << target;
    EXPECT_EQ(float_same.squares, other.squares) << target;
  }
  force_vector_target("");
}

}  // namespace
}  // namespace sigstab
