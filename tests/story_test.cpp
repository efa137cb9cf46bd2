// What a stack does to a size, in words.

#include "pipeline/story.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace sigstab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string forward(const std::vector<double>& sizes) { return tell_sizes("forward", sizes, 0, 1); }

std::vector<double> powers(double factor, int layers) {
  std::vector<double> sizes;
  for (int i = 0; i <= layers; ++i) sizes.push_back(std::pow(factor, i));
  return sizes;
}

TEST(Story, TellsHowFastASizeGoes) {
  EXPECT_EQ(forward(powers(2, 50)), "forward explodes: x1.13e+15 over 50 layers, x2 a layer");
  EXPECT_EQ(forward(powers(0.5, 50)), "forward vanishes: x8.88e-16 over 50 layers, x0.5 a layer");
  EXPECT_EQ(forward(powers(1, 50)), "forward holds: x1 over 50 layers, x1 a layer");
  EXPECT_EQ(forward({1, 1.5}), "forward holds: x1.5 over 1 layer, x1.5 a layer");
}

TEST(Story, CallsGrowthLikeTheRootOfDepthGrowth) {
  std::vector<double> sizes = {0.02};
  for (int layer = 1; layer <= 400; ++layer) sizes.push_back(0.1 * std::sqrt(layer));
  EXPECT_EQ(forward(sizes).substr(0, 15), "forward grows: ");
  for (double& size : sizes) size = 1 / size;
  EXPECT_EQ(forward(sizes).substr(0, 17), "forward shrinks: ");
}

TEST(Story, NamesTheFirstLayerThatIsNoPositiveNumber) {
  EXPECT_EQ(forward({1, 10, 100, kInfinity, kInfinity}),
            "forward explodes: x100 over 2 layers, x10 a layer; overflows first at layer 3");
  EXPECT_EQ(forward({1, 1, kNan}),
            "forward holds: x1 over 1 layer, x1 a layer; is nan first at layer 2");
  EXPECT_EQ(forward({1, 0, 0}), "forward is zero first at layer 1");
  EXPECT_EQ(forward({0, 0}), "forward is zero first at the input");
  EXPECT_EQ(forward({kNan}), "forward is nan first at the input");
}

TEST(Story, CountsLayersDownwardsForTheGradient) {
  EXPECT_EQ(tell_sizes("gradient", std::vector<double>{1, 2, kInfinity, kInfinity}, 3, -1),
            "gradient holds: x2 over 1 layer, x2 a layer; overflows first at layer 1");
  EXPECT_EQ(tell_sizes("gradient", std::vector<double>{1, 2, 4, 0}, 3, -1),
            "gradient holds: x4 over 2 layers, x2 a layer; is zero first at the input");
}

TEST(Story, SurvivesSizesAcrossTheWholeRange) {
  EXPECT_EQ(forward({1e-300, 1, 1e300}),
            "forward explodes: x10^600 over 2 layers, x1e+300 a layer");
  EXPECT_EQ(forward({1e308, 5e-324}).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace sigstab
