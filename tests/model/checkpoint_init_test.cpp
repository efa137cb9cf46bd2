// Stacks on the weights of a checkpoint: forward passes against NumPy's
// (tests/reference/checkpoint/forward.json), layouts against each other, and every wrong config.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "config/read_config.hpp"
#include "net/init.hpp"
#include "run/run.hpp"
#include "support/bad_config.hpp"
#include "support/paths.hpp"
#include "support/reference_file.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

using nlohmann::json;
using testing::plan_of;

std::string file(const std::string& name) {
  return testing::source_path("tests/reference/checkpoint/" + name);
}

json config(std::int64_t depth, const json& init) {
  const json forward = testing::reference_file("checkpoint/forward.json");
  return {
      {"width", 6}, {"depth", depth}, {"init", init}, {"input", {{"values", forward["input"]}}}};
}

json tanh_stack() {
  json c = config(3, {{"kind", "checkpoint"},
                      {"file", file("tiny.safetensors")},
                      {"gain", 1.5},
                      {"tensors", "model.layers.{layer}.self_attn.q_proj.weight"}});
  c["activation"] = "tanh";
  return c;
}

json swiglu_stack() {
  const auto of = [](const char* part) {
    return json{{"tensors", fmt::format("model.layers.{{layer}}.mlp.{}_proj.weight", part)}};
  };
  json c = config(3, {{"kind", "checkpoint"},
                      {"file", file("sharded")},
                      {"Wg", of("gate")},
                      {"W1", of("up")},
                      {"W2", of("down")}});
  c["layer"] = {{"kind", "mlp"}, {"hidden", 10}};
  c["activation"] = "swiglu";
  c["residual"] = "plain";
  return c;
}

json conv1d_stack() {
  json c = config(2, {{"kind", "checkpoint"},
                      {"file", file("conv1d.safetensors")},
                      {"transposed", true},
                      {"first", 1},
                      {"W1", {{"tensors", "h.{layer}.mlp.c_fc.weight"}}},
                      {"W2", {{"tensors", "h.{layer}.mlp.c_proj.weight"}}}});
  c["layer"] = {{"kind", "mlp"}, {"hidden", 24}};
  c["activation"] = "relu";
  c["residual"] = "plain";
  return c;
}

CaseResult run_one(const json& c, int threads = 1) {
  return run(plan_of(c.dump()), {threads, 1e9}).cases.at(0);
}

TEST(CheckpointInit, ForwardPassesAreNumpys) {
  const json theirs = testing::reference_file("checkpoint/forward.json");
  for (const auto& [key, c] : {std::pair{"tanh_gain_1.5", tanh_stack()},
                               {"swiglu", swiglu_stack()},
                               {"conv1d_first_1", conv1d_stack()}}) {
    const std::vector<double> ours = run_one(c).column("forward_rms")->values;
    ASSERT_EQ(ours.size(), theirs[key].size()) << key;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_NEAR(ours[i], theirs[key][i].get<double>(), 1e-13) << key << " layer " << i + 1;
    }
  }
}

// The same file read row by row, and whole with its matrices turned.
TEST(CheckpointInit, BothLayoutsGiveTheSamePassForwardAndBack) {
  for (const char* dtype : {"float64", "float32"}) {
    json turned = conv1d_stack(), straight = turned;
    turned["random"] = {{"generator", "numpy"}};
    straight["random"] = {{"generator", "numpy"}, {"layout", "in_out"}};
    turned["dtype"] = straight["dtype"] = dtype;
    const CaseResult a = run_one(turned), b = run_one(straight);
    const double accuracy = dtype == std::string("float64") ? 1e-13 : 1e-5;
    for (const char* column : {"forward_rms", "gradient_rms"}) {
      for (std::size_t i = 0; i < 2; ++i) {
        const double x = a.column(column)->values[i], y = b.column(column)->values[i];
        EXPECT_NEAR(x / y, 1, accuracy) << column << dtype;
      }
    }
  }
}

// Wide enough for several panels and threads; nothing is drawn for the weights, whatever the
// generator.
TEST(CheckpointInit, PanelsAndThreadsChangeNoBitAndNothingIsDrawn) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("sigstab_{}.safetensors", ::getpid());
  constexpr std::size_t kWidth = 700;
  {
    const std::string header = fmt::format(
        R"({{"0.w": {{"dtype": "F32", "shape": [{0}, {0}], "data_offsets": [0, {1}]}},)"
        R"("1.w": {{"dtype": "F32", "shape": [{0}, {0}], "data_offsets": [{1}, {2}]}}}})",
        kWidth, 4 * kWidth * kWidth, 8 * kWidth * kWidth);
    std::ofstream out(path, std::ios::binary);
    const std::uint64_t length = header.size();
    out.write(reinterpret_cast<const char*>(&length), sizeof length) << header;
    for (std::size_t i = 0; i < 2 * kWidth * kWidth; ++i) {
      const auto x = static_cast<float>(0.05 * std::sin(1.3 * static_cast<double>(i)));
      out.write(reinterpret_cast<const char*>(&x), sizeof x);
    }
  }
  const json init = {{"kind", "checkpoint"}, {"file", path.string()}, {"tensors", "{layer}.w"}};
  for (const char* generator : {"philox", "numpy", "torch"}) {
    json c = {{"width", kWidth}, {"depth", 2}, {"init", init}, {"dtype", "float32"}};
    c["random"] = {{"generator", generator}};
    json ones = c;
    ones["init"] = "ones";
    const CaseResult one = run_one(c), two = run_one(c, 2), other = run_one(ones);
    EXPECT_EQ(one.column("forward_rms")->values, two.column("forward_rms")->values) << generator;
    EXPECT_EQ(one.column("gradient_rms")->values, two.column("gradient_rms")->values) << generator;
    // Input and upstream are those of weights that draw nothing either.
    EXPECT_EQ(std::get<double>(*one.scalar("input_rms")),
              std::get<double>(*other.scalar("input_rms")));
    EXPECT_EQ(one.column("gradient_rms")->values.back(),
              other.column("gradient_rms")->values.back());
  }
  // A file that shrinks later on ends the run by an error, on one thread or several.
  const json c = {{"width", kWidth}, {"depth", 2}, {"init", init}};
  const Plan plan = plan_of(c.dump());
  std::filesystem::resize_file(path, 5 * kWidth * kWidth);
  for (int threads : {1, 2}) {
    const auto error = testing::error_of([&] { run(plan, {threads, 1e9}); });
    ASSERT_TRUE(error);
    testing::expect_words(error->what(), "it ends at byte & when it was opened", "error");
  }
  std::filesystem::remove(path);
}

TEST(CheckpointInit, WeightsThatAreNotRandomHaveNoTheory) {
  const CaseResult result = run_one(tanh_stack());
  EXPECT_EQ(result.column("forward_theory"), nullptr);
  json c = tanh_stack();
  c["report"] = {{"columns", {"forward_theory"}}};
  const std::vector<std::string> verdicts = run_one(c).verdicts;
  EXPECT_NE(std::ranges::find(verdicts,
                              "no theory: W's weights are not random (trained), so that "
                              "preactivations are not normal"),
            verdicts.end());
}

TEST(CheckpointInit, AHeadingNamesTheFileAndTheTensors) {
  const std::vector<std::string> traits = run_one(tanh_stack()).traits;
  EXPECT_NE(
      std::ranges::find(traits,
                        "init checkpoint gain 1.5 model.layers.{layer}.self_attn.q_proj.weight "
                        "of tiny.safetensors"),
      traits.end());
}

// A path is relative to the config that names it.
TEST(CheckpointInit, TheFileLiesBesideTheConfig) {
  json c = tanh_stack();
  c["init"]["file"] = "tiny.safetensors";
  EXPECT_NO_THROW(make_plan(read_config(c.dump(), file("my.json"), {})));
  EXPECT_THROW(make_plan(read_config(c.dump(), "my.json", {})), Error);
}

std::string changed(json c, const char* patch) {
  c.merge_patch(json::parse(patch));
  return c.dump();
}

TEST(CheckpointInit, WhatTheFileDoesNotHaveIsToldBeforeAnythingRuns) {
  const testing::BadConfig bad[] = {
      {"too deep", changed(tanh_stack(), R"({"depth": 4})"), ": /init/tensors",
       "model.layers.3.self_attn.q_proj.weight & which layer 4 needs & its last is & layers.2.",
       "make depth 3 or less"},
      {"first too high", changed(conv1d_stack(), R"({"init": {"first": 2}})"), ": /init/W1/tensors",
       "h.3.mlp.c_fc.weight & layer 2 needs", "make depth 1 or less"},
      {"first too low to begin", changed(tanh_stack(), R"({"init": {"first": 7}})"),
       ": /init/tensors", "layers.7. & its first is \"model.layers.0.", "set first"},
      {"a name that is near", changed(tanh_stack(), R"({"init": {"tensors":
        "model.layers.{layer}.self_attn.k_proj.weight"}})"),
       ": /init/tensors", "no tensor", "model.layers.{layer}.self_attn.q_proj.weight"},
      {"a name that is far", changed(tanh_stack(), R"({"init": {"tensors": "{layer}"}})"),
       ": /init/tensors", "no tensor \"0\"", "inspect --group"},
      {"one tensor for all", changed(tanh_stack(), R"({"init": {"tensors": "model.norm.weight"}})"),
       ": /init/tensors", "one tensor for 3 layers", "{layer}"},
      {"a vector",
       changed(tanh_stack(), R"({"depth": 1, "init": {"tensors": "model.norm.weight"}})"),
       ": /init/tensors", "is 6 BF16 & W of this layer is 6x6", "width"},
      {"another width", changed(swiglu_stack(), R"({"layer": {"hidden": 9}})"),
       ": /init/Wg/tensors", "10x6 F16 & is 9x6", "set width and layer.hidden"},
      {"stored the other way round", changed(conv1d_stack(), R"({"init": {"transposed": false}})"),
       ": /init/W1/tensors", "6x24 F32 & is 24x6", "add \"transposed\": true"},
      {"not stored the other way round",
       changed(swiglu_stack(), R"({"init": {"transposed": true}})"), ": /init/Wg/tensors",
       "10x6 F16 & is 6x10", "remove \"transposed\""},
      {"no file", changed(tanh_stack(), R"({"init": {"file": null}})"), ": /init", "needs \"file\"",
       "\"kind\": \"checkpoint\""},
      {"no tensors", changed(tanh_stack(), R"({"init": {"tensors": null}})"), ": /init",
       "needs \"tensors\"", "{layer}"},
      {"a missing file", changed(tanh_stack(), R"({"init": {"file": "/nowhere/m"}})"),
       ": /init/file: /nowhere/m", "cannot open it", "check the name"},
      {"no safetensors file",
       changed(tanh_stack(),
               fmt::format(R"({{"init": {{"file": "{}"}}}})", testing::source_path("README.md"))
                   .c_str()),
       ": /init/file: " + testing::source_path("README.md"), "its header would be",
       "is it a safetensors file"},
      {"a scheme that scales", changed(swiglu_stack(), R"({"residual": "gpt2"})"), ": /residual",
       "\"gpt2\" scales weights", "use plain"},
      {"a file of an init that has none", R"({"init": {"kind": "he", "file": "x"}})",
       ": /init/file", "\"he\" is in no file", "use checkpoint"},
      {"a head", R"({"upstream": {"kind": "cross_entropy", "classes": 3, "head": "checkpoint"}})",
       ": /upstream/head", "matrices of layers", "another init"},
      {"a kind without layers",
       R"({"experiment": "init_spreads", "init": {"kind": "checkpoint", "file": "x"}})",
       ": /init/kind", "no layers", "sigstab inspect"},
  };
  testing::check_all(bad);
}

}  // namespace
}  // namespace sigstab
