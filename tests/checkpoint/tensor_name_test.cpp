#include "checkpoint/tensor_name.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sigstab {
namespace {

TEST(TensorName, NumbersInNamesAreOrderedAsNumbers) {
  std::vector<std::string> names = {
      "h.10.w", "h.2.w", "h.2.b", "h.02.w", "h", "h.1", "", "h.99999999999999999999999.w", "h.a"};
  std::ranges::sort(names, natural_less);
  EXPECT_EQ(names, (std::vector<std::string>{"", "h", "h.1", "h.2.b", "h.2.w", "h.02.w", "h.10.w",
                                             "h.99999999999999999999999.w", "h.a"}));
}

TEST(TensorName, PatternsMatchTheWholeName) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("*", "a.b"));
  EXPECT_TRUE(matches("*.weight", "h.1.weight"));
  EXPECT_FALSE(matches("*.weight", "h.1.weight2"));
  EXPECT_TRUE(matches("h.?.*", "h.1.weight"));
  EXPECT_FALSE(matches("h.?.*", "h.11.weight"));
  EXPECT_TRUE(matches("h.{layer}.w", "h.11.w"));
  EXPECT_FALSE(matches("h.{layer}.w", "h..w"));
  EXPECT_FALSE(matches("h.{layer}.w", "h.1a.w"));
  EXPECT_TRUE(matches("{layer}", "7"));
  EXPECT_TRUE(matches("*{layer}*", "ab12"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("{x}", "{x}"));
}

TEST(TensorName, APatternOfManyStarsTakesNoExponentialTime) {
  std::string stars;
  for (int i = 0; i < 60; ++i) stars += "*a";
  EXPECT_FALSE(matches(stars + "b", std::string(2000, 'a')));
}

TEST(TensorName, TheFirstNumberIsTheLayer) {
  EXPECT_EQ(layer_pattern("model.layers.17.mlp.experts.3.w1"),
            "model.layers.{layer}.mlp.experts.3.w1");
  EXPECT_EQ(layer_pattern("0.weight"), "{layer}.weight");
  EXPECT_EQ(layer_pattern("layer1.conv2.weight"), "layer1.conv2.weight");
  EXPECT_EQ(layer_pattern(""), "");
  EXPECT_EQ(with_layer("a.{layer}.b.{layer}", 12), "a.12.b.12");
}

TEST(TensorName, ARoleFollowsFromNameAndShape) {
  EXPECT_EQ(tensor_role("h.0.attn.c_attn.weight", {6, 18}), TensorRole::matrix);
  EXPECT_EQ(tensor_role("model.embed_tokens.weight", {11, 6}), TensorRole::embedding);
  EXPECT_EQ(tensor_role("wpe.weight", {11, 6}), TensorRole::embedding);
  EXPECT_EQ(tensor_role("conv1.weight", {8, 3, 5, 5}), TensorRole::kernel);
  EXPECT_EQ(tensor_role("model.layers.0.input_layernorm.weight", {6}), TensorRole::norm_gain);
  EXPECT_EQ(tensor_role("h.0.ln_1.weight", {6}), TensorRole::norm_gain);
  EXPECT_EQ(tensor_role("ln.weight", {6}), TensorRole::norm_gain);
  EXPECT_EQ(tensor_role("h.0.ln_1.bias", {6}), TensorRole::bias);
  EXPECT_EQ(tensor_role("kiln.lnx.weight", {6}), TensorRole::other);
  EXPECT_EQ(tensor_role("norm", {}), TensorRole::other);
}

}  // namespace
}  // namespace sigstab
