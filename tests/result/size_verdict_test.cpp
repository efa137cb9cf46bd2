// The words for what a stack does to a size, on curves whose law is known.

#include "result/size_verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sigstab {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

template <class Law>
std::vector<double> curve(std::size_t depth, Law law) {
  std::vector<double> sizes;
  for (std::size_t layer = 0; layer <= depth; ++layer)
    sizes.push_back(law(static_cast<double>(layer)));
  return sizes;
}

std::string forward(const std::vector<double>& sizes) {
  return tell_sizes("forward", sizes, Direction::forward);
}
std::string backward(const std::vector<double>& sizes) {
  return tell_sizes("gradient", sizes, Direction::backward);
}

TEST(Story, AFactorALayerExplodesOrVanishes) {
  EXPECT_EQ(forward(curve(50, [](double l) { return std::pow(0.5, l); })),
            "forward vanishes by x0.5 a layer: x1.78e-15 over layers 1 to 50");
  EXPECT_EQ(forward(curve(50, [](double l) { return std::pow(22.6, l); })),
            "forward explodes by x22.6 a layer: x2.25e+66 over layers 1 to 50");
  EXPECT_EQ(forward(curve(20, [](double l) { return std::pow(0.893, l); })),
            "forward shrinks by x0.893 a layer: x0.116 over layers 1 to 20");
}

TEST(Story, ADriftWithinAFactorOfThreeHolds) {
  EXPECT_EQ(forward(curve(50, [](double l) { return std::pow(0.99, l); })),
            "forward holds: x0.611 over layers 1 to 50");
}

TEST(Story, APowerOfTheLayerGrowsOrShrinks) {
  EXPECT_EQ(forward(curve(48, [](double l) { return 0.111 * std::sqrt(l == 0 ? 0.0325 : l); })),
            "forward grows like layer^0.50: x6.93 over layers 1 to 48; layer 1 itself x5.55");
  EXPECT_EQ(backward(curve(48, [](double l) { return 1 / std::sqrt(l == 0 ? 0.9 : l); })),
            "gradient grows towards the input like layer^-0.50: x6.93 over layers 48 to 1");
}

TEST(Story, AGradientIsToldFromTheTopDown) {
  EXPECT_EQ(backward(curve(50, [](double l) { return std::pow(2, l - 50); })),
            "gradient vanishes by x0.5 a layer: x1.78e-15 over layers 50 to 1");
  EXPECT_EQ(backward(curve(40, [](double l) { return l == 0 ? 22.0 : 1.0; })),
            "gradient holds: x1 over layers 40 to 1; from layer 1 to the input x22");
}

TEST(Story, TheFirstLayerThatIsLostIsNamed) {
  std::vector<double> sizes = curve(10, [](double l) { return std::pow(1e4, l); });
  sizes[9] = sizes[10] = kInf;
  EXPECT_EQ(
      forward(sizes),
      "forward explodes by x1e+04 a layer: x1e+28 over layers 1 to 8; overflows first at layer 9");
  sizes = curve(10, [](double) { return 1.0; });
  sizes[3] = 0;
  EXPECT_EQ(forward(sizes), "forward holds: x1 over layers 1 to 2; is zero first at layer 3");
  EXPECT_EQ(backward(sizes), "gradient holds: x1 over layers 10 to 4; is zero first at layer 3");
  sizes.assign(5, std::nan(""));
  EXPECT_EQ(forward(sizes), "forward is nan first at the input");
  EXPECT_EQ(backward(sizes), "gradient is nan first at layer 4");
  EXPECT_EQ(forward({1, std::nan("")}), "forward is nan first at layer 1");
}

TEST(Story, OneLayerAloneHasOneFactor) {
  EXPECT_EQ(forward({2, 1}), "forward changes by x0.5 in its one layer");
  EXPECT_EQ(backward({3, 1}), "gradient changes by x3 in its one layer");
}

TEST(Story, FactorsBeyondADoubleAreTold) {
  std::vector<double> sizes = {1, 1e-300, 1e300};
  EXPECT_EQ(
      forward(sizes),
      "forward explodes by x10^600 a layer: x10^600 over layers 1 to 2; layer 1 itself x1e-300");
}

}  // namespace
}  // namespace sigstab
