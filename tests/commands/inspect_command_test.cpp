// sigstab inspect, and runs on a checkpoint, as a user runs them.

#include <gtest/gtest.h>

#include <string>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

class Inspect : public Command {
 protected:
  Inspect() {
    fs::copy(source_path("tests/reference/checkpoint"), directory(), fs::copy_options::recursive);
  }
  static std::size_t line_of(const std::string& text, const std::string& part) {
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << text << part;
    return static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
};

TEST_F(Inspect, ShowsAMatrixBesideWhatInitsWouldGive) {
  const Outcome outcome = run({"inspect", "tiny.safetensors", "--filter", "*.0.mlp.*"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(
      outcome.out,
      "tiny.safetensors: 3 tensors, 180 numbers, 0.00072 MB; fans out_in\n"
      "  name                                 shape  dtype  spread      mean     rms  largest    "
      "gain  xavier     he\n"
      "  model.layers.0.mlp.down_proj.weight   6x10    F64  0.2424  -0.02301  0.2435   0.7406  "
      "0.7666   1.118  1.414\n"
      "  model.layers.0.mlp.gate_proj.weight   10x6    F16  0.3642  -0.08673  0.3744   0.9258  "
      "0.8921  0.8660  1.414\n"
      "  model.layers.0.mlp.up_proj.weight     10x6   BF16  0.3964  -0.06431  0.4015   0.9062  "
      "0.9709  0.8660  1.414\n");
}

TEST_F(Inspect, TakesTheConfigsSpreadFromTheFileBesideTheModelOrFromAFlag) {
  const Outcome beside = run({"inspect", "sharded", "--filter", "*q_proj.weight", "--group"});
  EXPECT_TRUE(has(beside.out, "; config's spread 0.02 (sharded/config.json)\n")) << beside.out;
  EXPECT_TRUE(has(beside.out, "0.04899\n")) << beside.out;  // 0.02 sqrt(6)
  const Outcome flag = run({"inspect", "sharded", "--spread", "0.5"});
  EXPECT_TRUE(has(flag.out, "; config's spread 0.5 (--spread)\n")) << flag.out;
  write("config.json", R"({"initializer_range": "a lot"})");
  const Outcome wrong = run({"inspect", "tiny.safetensors"});
  EXPECT_EQ(wrong.code, 0);
  EXPECT_TRUE(has(wrong.err, "note: config.json: initializer_range is \"a lot\" (string)"));
  write("config.json", "{");
  EXPECT_TRUE(has(run({"inspect", "tiny.safetensors"}).err, "note: config.json"));
  expect_error(run({"inspect", "tiny.safetensors", "--spread", "-1"}), {"--spread", "positive"});
}

TEST_F(Inspect, GroupsLayersAndSortsByAnyColumn) {
  const Outcome grouped = run({"inspect", "tiny.safetensors", "--group", "--sort", "mean_max"});
  EXPECT_EQ(line_of(grouped.out, "  model.norm.weight "), 2U);
  EXPECT_TRUE(has(grouped.out, "  model.layers.{layer}.input_layernorm.weight "));
  const Outcome sorted =
      run({"inspect", "tiny.safetensors", "--sort", "shape", "--filter", "*.{layer}.*weight"});
  EXPECT_LT(line_of(sorted.out, "6x10"), line_of(sorted.out, "10x6"));
  const Outcome reversed = run({"inspect", "tiny.safetensors", "--reverse"});
  EXPECT_EQ(line_of(reversed.out, "  model.norm.weight "), 2U);
  expect_error(run({"inspect", "tiny.safetensors", "--sort", "spread_max"}), {"--group"});
  expect_error(run({"inspect", "tiny.safetensors", "--group", "--sort", "spread"}), {"spread_max"});
  expect_error(run({"inspect", "tiny.safetensors", "--sort", "spred"}),
               {"did you mean \"spread\""});
}

TEST_F(Inspect, TellsWhatIsOddAndShowsNoControlCharacters) {
  const Outcome odd = run({"inspect", "odd.safetensors", "--format", "csv"});
  EXPECT_EQ(odd.code, 0);
  EXPECT_EQ(odd.err,
            "sigstab: note: 10 numbers are not finite and left out, first in \"nothing_finite\"\n");
  EXPECT_FALSE(has(odd.out, "\x1b"));
  EXPECT_TRUE(has(odd.out, "\"name, with \"\"quotes\"\" and \\x1b[31m\",other,30,BF16,"));
  EXPECT_TRUE(has(odd.out, "\nposition_ids,other,1x12,I64,,,,,,,,,,\n"));
  EXPECT_TRUE(has(odd.out, "\nwith_holes,other,9000,F32,1.00"));
}

TEST_F(Inspect, WritesJsonWithEveryColumnAndMarkdown) {
  const std::string json = run({"inspect", "conv1d.safetensors", "--layout", "in_out", "--format",
                                "json", "--filter", "h.0.mlp.c_fc.weight"})
                               .out;
  EXPECT_TRUE(has(json, "\"fan_in\": 6,")) << json;
  EXPECT_TRUE(has(json, "\"not_finite\": 0,")) << json;
  EXPECT_TRUE(has(json, "\"config\": null")) << json;
  EXPECT_TRUE(has(run({"inspect", "conv1d.safetensors", "--format", "markdown"}).out,
                  "| h.0.mlp.c_fc.weight | 6x24 | F32 |"));
}

TEST_F(Inspect, PrintsTheSameForAnyNumberOfThreadsAndItsSpeedOnlyWhenAsked) {
  const Outcome one = run({"inspect", "odd.safetensors", "--threads", "1"});
  const Outcome four = run({"inspect", "odd.safetensors", "--threads", "4", "-v"});
  EXPECT_EQ(one.out, four.out);
  EXPECT_FALSE(has(one.err, "GB/s"));
  EXPECT_TRUE(has(four.err, "GB/s"));
}

TEST_F(Inspect, RefusesWhatIsNoCheckpoint) {
  expect_error(run({"inspect", "sizes.json"}), {"sizes.json", "weight_map"});
  expect_error(run({"inspect", "nothing"}), {"nothing: cannot open it", "check the name"});
  expect_error(run({"inspect", "."}), {"3 models are in it", "tiny.safetensors"});
  expect_error(run({"inspect"}), {"model"});
  expect_error(run({"inspect", "tiny.safetensors", "--filter", "x"}), {"none of 20 tensors"});
  std::string cut = read("tiny.safetensors");
  cut.resize(cut.size() - 1);
  write("cut.safetensors", cut);
  expect_error(run({"inspect", "cut.safetensors"}),
               {"cut.safetensors: tensor \"model.norm.weight\"", "the file was cut"});
}

TEST_F(Inspect, RunsAStackOnTheCheckpointsWeights) {
  write("my.json", R"({"width": 6, "depth": 3, "activation": "tanh", "init": {"kind": "checkpoint",
    "file": "tiny.safetensors", "tensors": "model.layers.{layer}.self_attn.q_proj.weight"}})");
  const Outcome outcome = run({"run", "my.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out,
                  "init checkpoint model.layers.{layer}.self_attn.q_proj.weight of "
                  "tiny.safetensors"));
  EXPECT_FALSE(has(outcome.out, "forward_theory"));
  EXPECT_TRUE(has(run({"theory", "my.json"}).out, "weights are not random (trained)"));
  expect_error(run({"run", "my.json", "--set", "depth=9"}), {"my.json: /init/tensors", "depth 3"});
  fs::create_directory(directory() / "below");
  fs::copy(directory() / "my.json", directory() / "below/my.json");
  expect_error(run({"run", "below/my.json"}), {"below/tiny.safetensors", "/init/file"});
}

}  // namespace
}  // namespace sigstab::testing
