// The whole binary, as a user runs it: each test in a fresh directory, its name a sentence.
//
// tests/reference/article holds what the article's programs printed; our output must be the same,
// byte for byte.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

TEST_F(Command, PrintsWhatTheArticlesProgramsPrint) {
  for (const std::string name :
       {"linear-depth", "relu-depth", "norm-arithmetic", "tanh-residual"}) {
    const Outcome outcome = run({"run", name, "--format", "article"});
    const std::string expected =
        text_of(source_path(std::string("tests/reference/article/") + name + ".txt"));
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(outcome.out, expected);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.code, 0);
  }
}

TEST_F(Command, ChecksTheFiguresOfTheArticle) {
  const Outcome outcome = run({"check", "linear-depth", "norm-arithmetic", "relu-depth"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_TRUE(has(outcome.out, " 0 failed; later: 1 (he-30)\n")) << outcome.out;
  EXPECT_FALSE(has(outcome.out, "MISS"));
}

TEST_F(Command, ChecksAWrongFigureWithExitCodeOneAndShowsBothValues) {
  write(
      "wrong.json",
      R"({"width": 4, "depth": 3, "input": {"values": [1, 1, 1, 1]}, "report": {"line": "{input_rms} is what the line of this case says"},
      "expect": [{"id": "right", "column": "input_rms", "printed": "1"},
                 {"id": "wrong", "column": "input_rms", "printed": "1.01"},
                 {"id": "line", "line": "2.0 is what the line of this case says"}]})");
  const Outcome outcome = run({"check", "wrong.json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.out, "  ok    right           1  = 1           input_rms\n"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "  MISS  wrong           1  not 1.01        input_rms\n"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "1.0 is what the line of this case says")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "2.0 is what the line of this case says")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "3 figures: 1 exact, 2 failed\n")) << outcome.out;
  EXPECT_EQ(run({"run", "wrong.json"}).code, 0);  // run never evaluates what is expected
}

TEST_F(Command, ShowsSizesRatiosAndWhatItCannotCheck) {
  write(
      "mixed.json",
      R"({"width": 4, "depth": 3, "input": {"values": [1, 1, 1, 1]}, "upstream": "none", "expect": [
        {"id": "size", "column": "input_rms", "near": 2, "factor": 3},
        {"id": "ratio", "column": "input_rms", "over": {"column": "input_rms"}, "printed": "1", "protocol": "formula"},
        {"id": "weights", "outside": "a checkpoint"},
        {"id": "training", "later": "a training run"}]})");
  const Outcome outcome = run({"check", "mixed.json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(
      has(outcome.out, "  ok    size      1, expected 2 within a factor of 3   input_rms\n"))
      << outcome.out;
  EXPECT_TRUE(
      has(outcome.out, "  ok    ratio              1  = 1           input_rms / input_rms\n"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "  --    weights   outside: a checkpoint\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.out,
                  "2 figures: 1 by formula, 1 by order, 0 failed; outside: 1 (weights), later: 1 "
                  "(training)\n"))
      << outcome.out;
  EXPECT_EQ(run({"validate", "mixed.json"}).out, "mixed.json: ok, 1 result, 2 figures expected\n");
}

TEST_F(Command, CannotCheckWhatExpectsNothing) {
  write("small.json", kSmall);
  expect_error(run({"check", "small.json"}), {"small.json", "expects no figures", "hint: "});
}

TEST_F(Command, RunsAUsersConfig) {
  write("small.json", kSmall);
  const Outcome outcome = run({"run", "small.json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.substr(0, 13), "small: small\n") << outcome.out;
  EXPECT_TRUE(has(outcome.out, "  layer  forward_rms  gradient_rms  forward_theory  "));
  EXPECT_EQ(run({"run", "small.json"}).out, outcome.out);
  EXPECT_EQ(run({"run", (directory() / "small.json").string()}).out, outcome.out);
}

TEST_F(Command, PredictsWithoutDrawing) {
  write("deep.json", R"({"width": 1048576, "depth": 5000, "activation": "relu"})");
  const Outcome outcome = run({"theory", "deep.json", "--layers", "last"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(has(outcome.out, "\n   5000   2.661e-753  ")) << outcome.out;
  const Outcome he = run({"theory", "deep.json", "--set", "init=he", "--format", "json"});
  EXPECT_TRUE(has(he.out, "\"size_slope\": ")) << he.out;
  expect_error(run({"theory", "deep.json", "--format", "jso"}), {"did you mean \"json\""});
  expect_error(run({"theory", "norm-arithmetic"}), {"theory is of stacks"});
  expect_error(run({"theory", "deep.json", "relu-depth", "--format", "json"}), {"one by one"});
}

TEST_F(Command, ReportsIdenticallyForAnyNumberOfBlasThreads) {
  write("small.json", R"({"width": 64, "depth": 5, "tokens": 16})");
  const std::string alone = run({"run", "small.json", "--format", "csv"}).out;
  ::setenv("OMP_NUM_THREADS", "4", 1);
  const std::string four = run({"run", "small.json", "--format", "csv"}).out;
  ::unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(alone, four);
}

TEST_F(Command, WritesSeveralFilesWithTheFormatOfTheirExtensions) {
  write("small.json", kSmall);
  const Outcome outcome = run({"run", "small.json", "-o", "r.json", "-o", "r.csv", "-o", "r.md",
                               "-o", "r.jsonl", "-o", "r.txt"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");  // files were asked for, not text
  EXPECT_EQ(read("r.json").substr(0, 15), "{\n \"schema\": 1,");
  EXPECT_EQ(read("r.jsonl").substr(0, 13), "{\"schema\":1,\"");
  EXPECT_EQ(read("r.csv").substr(0, 16), "case,seed,layer,");
  EXPECT_EQ(read("r.md").substr(0, 9), "## small:");
  EXPECT_EQ(read("r.txt"), run({"run", "small.json"}).out);
  EXPECT_EQ(files(), (std::vector<std::string>{"r.csv", "r.json", "r.jsonl", "r.md", "r.txt",
                                               "small.json"}));
}

TEST_F(Command, WritesTextAndFilesWhereBothAreAskedFor) {
  write("small.json", kSmall);
  const Outcome outcome = run({"run", "small.json", "--format", "csv", "-o", "r.csv"});
  EXPECT_EQ(outcome.out, read("r.csv"));
  EXPECT_FALSE(outcome.out.empty());
}

TEST_F(Command, RunsTheConfigThatAResultCarries) {
  write("small.json",
        R"({"width": 4, "depth": 3, "activation": "gelu", "cases": [{"name": "a"}]})");
  run({"run", "small.json", "-o", "first.json"});
  const std::string text = read("first.json");
  const std::size_t start = text.find("\"config\": ") + 10, end = text.find("\"provenance\"");
  write("again.json", text.substr(start, text.rfind(',', end) - start));
  EXPECT_EQ(run({"run", "again.json", "-o", "second.json"}).err, "");
  EXPECT_EQ(run({"diff", "first.json", "second.json"}).code, 0);
}

TEST_F(Command, DiffsResultsWithItsExitCodes) {
  write("small.json", kSmall);
  for (const char* extension : {".json", ".jsonl", ".csv"}) {
    const std::string a = std::string("a") + extension, b = std::string("b") + extension;
    run({"run", "small.json", "-o", a});
    run({"run", "small.json", "--seed", "1", "--set", "name=b", "-o", b});
    const Outcome same = run({"diff", a, a});
    EXPECT_EQ(same.code, 0);
    EXPECT_TRUE(has(same.out, ", 0 differ (rtol 0, atol 0)\n")) << same.out;
    expect_error(run({"diff", a, b, "--any-config"}),
                 {"no value in common"});  // their seeds differ
  }
  write("other.json", R"({"width": 4, "depth": 3, "init": {"gain": 1.001}})");
  run({"run", "other.json", "--set", "name=small", "-o", "c.json"});
  expect_error(run({"diff", "a.json", "c.json"}), {"different configs: ", "--any-config"});
  const Outcome other = run({"diff", "a.json", "c.json", "--any-config"});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(has(other.out, "forward_rms[3] ")) << other.out;
  for (const char* rule : {"forward_rms=rel:0.01", "forward_rms=abs:10", "forward_rms=log:0.01"}) {
    const Outcome near = run({"diff", "a.json", "c.json", "--any-config", "--rtol", "0.01", "--tol",
                              rule, "--junit", "d.xml"});
    EXPECT_EQ(near.code, 0) << near.out;
    EXPECT_TRUE(has(read("d.xml"), "failures=\"0\""));
  }
  expect_error(run({"diff", "a.json", "c.json", "--tol", "forward_rms=z:1"}), {"--tol", "\"z\""});
  expect_error(run({"diff", "a.json", "none.json"}), {"none.json", "No such file"});
  expect_error(run({"diff", "a.json", "small.json"}), {"small.json", "not a sigstab result"});
  expect_error(run({"diff", "a.json"}), {"diff", "required"});
  expect_error(run({"diff", "a.json", "a.json", "--rtol", "-1"}), {"--rtol", "-1"});
  expect_error(run({"diff", "a.json", "a.json", "--rtol", "nan"}), {"--rtol", "nan"});
}

TEST_F(Command, ListsEveryTopic) {
  for (const auto& [topic, entry] :
       std::vector<std::pair<const char*, const char*>>{{"experiments", "linear-depth"},
                                                        {"kinds", "norm_arithmetic"},
                                                        {"kinds", "aligned_update"},
                                                        {"activations", "leaky_relu"},
                                                        {"inits", "xavier_uniform"},
                                                        {"norms", "placement sandwich"},
                                                        {"residuals", "gpt2"},
                                                        {"measures", "gradient_rms"},
                                                        {"generators", "philox"},
                                                        {"formats", "markdown"}}) {
    const Outcome outcome = run({"list", topic});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(has("\n" + outcome.out, std::string("\n") + entry + " ")) << outcome.out;
  }
  EXPECT_EQ(run({"list"}).out, run({"list", "experiments"}).out);
  expect_error(run({"list", "activation"}), {"\"activation\"", "did you mean \"activations\""});
}

TEST_F(Command, KeepsWhatIsFinishedWhenItIsInterrupted) {
  write("long.json", R"({"width": 128, "depth": 20, "seeds": {"from": 0, "count": 100000}})");
  const Outcome done =
      run_until({"run", "long.json", "-o", "r.jsonl", "-o", "r.json"}, "r.jsonl", 5);
  EXPECT_EQ(done.code, 130) << done.err;
  EXPECT_TRUE(has(done.err, "sigstab: interrupted: ")) << done.err;
  // Whole lines, each a case; the other file says that it is not complete.
  const std::string lines = read("r.jsonl"), json = read("r.json");
  EXPECT_TRUE(lines.ends_with("}\n"));
  EXPECT_GE(std::count(lines.begin(), lines.end(), '\n'), 5);
  EXPECT_TRUE(has(json, "\"complete\": false"));
  EXPECT_EQ(run({"diff", "r.jsonl", "r.jsonl"}).code, 0);
  expect_error(run({"diff", "r.json", "r.json"}), {"r.json: this run was interrupted"});
}

// Those of billions of weights at four layers, where their figures are not expected.
TEST_F(Command, RunsEveryExampleAndItsFiguresHold) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(source_path("configs/examples"))) {
    const std::string name = entry.path().stem().string(), text = text_of(entry.path());
    EXPECT_TRUE(has(text, "\"about\": \"")) << name;
    const std::string plan = run({"run", name, "--dry-run"}).out;
    const std::size_t at = plan.find("weights drawn ");
    ASSERT_NE(at, std::string::npos) << name;
    const double weights = std::stod(plan.substr(at + std::strlen("weights drawn ")));
    const bool small = weights < 1.5e9;
    const Outcome done =
        small ? run({"run", name}) : run({"run", name, "--set", "depth=4", "--layers", "all"});
    EXPECT_EQ(done.code, 0) << name << done.err;
    EXPECT_FALSE(has(done.out, "nan")) << name << done.out;
    if (small && has(text, "\"expect\"")) {
      const Outcome checked = run({"check", name});
      EXPECT_EQ(checked.code, 0) << checked.out;
    }
    if (small) {  // 1: advice that its own run does not confirm
      const Outcome advice = run({"advise", name});
      EXPECT_EQ(advice.code, 0) << advice.out << advice.err;
    }
    ++count;
  }
  EXPECT_GE(count, 10U);
}

TEST_F(Command, DoesNotReplaceTheConfigByItsResult) {
  write("small.json", kSmall);
  expect_error(run({"run", "small.json", "-o", "small.json"}), {"-o small.json", "another file"});
  EXPECT_EQ(read("small.json"), kSmall);
}

TEST_F(Command, AdvisesAndConfirms) {
  write("my.json", R"({"width": 128, "depth": 30, "activation": "relu", "init": "xavier"})");
  const Outcome advice = run({"advise", "my.json"});
  EXPECT_EQ(advice.code, 0) << advice.err;
  EXPECT_TRUE(has(advice.out, "forward vanishes: x4.32e-05 from layer 1 to 30")) << advice.out;
  EXPECT_TRUE(has(advice.out, "advice: init.gain = 1.41")) << advice.out;
  EXPECT_TRUE(has(advice.out, ": confirmed\n")) << advice.out;
  // The config that is printed runs, and is the better one.
  write("better.json", advice.out.substr(advice.out.find("{\n")));
  EXPECT_TRUE(has(run({"advise", "better.json"}).out, "advice: none"));
  expect_error(run({"advise", "my.json", "--set", "depth=0"}), {"--set", "/depth"});
  EXPECT_TRUE(has(run({"advise", "compounding"}).out, "no prediction: "));
}

TEST_F(Command, ChecksAgainstTheory) {
  write("my.json", R"({"width": 64, "depth": 8, "activation": "relu", "init": "he"})");
  const Outcome good = run({"check", "--theory", "my.json", "--junit", "t.xml"});
  EXPECT_EQ(good.code, 0) << good.out;
  EXPECT_TRUE(has(good.out, "2 compared with theory, 0 depart\n")) << good.out;
  EXPECT_TRUE(has(read("t.xml"), "tests=\"2\" failures=\"0\""));
  expect_error(run({"check", "--theory"}), {"no config is named"});
  expect_error(run({"check", "my.json", "--seeds", "0..3"}), {"--seeds", "--theory"});
}

// Written with: sigstab schema > configs/sigstab.schema.json
TEST_F(Command, PrintsTheSchemaThatEditorsRead) {
  EXPECT_EQ(run({"schema"}).out, text_of(source_path("configs/sigstab.schema.json")));
}

TEST_F(Command, ShowsEveryCannedConfigAsItsFileAndTakesItBack) {
  std::size_t count = 0;
  for (const char* folder : {"article", "examples"}) {
    if (!fs::exists(source_path(std::string("configs/") + folder))) continue;
    for (const auto& entry :
         fs::directory_iterator(source_path(std::string("configs/") + folder))) {
      const std::string name = entry.path().stem().string();
      const Outcome shown = run({"show", name});
      EXPECT_EQ(shown.out, text_of(entry.path())) << name;
      write(name + ".json", shown.out);
      const Outcome valid = run({"validate", name + ".json", name});
      EXPECT_EQ(valid.code, 0) << valid.err;
      EXPECT_TRUE(has(valid.out, name + ".json: ok, ")) << valid.out;
      ++count;
    }
  }
  EXPECT_GE(count, 15U);
  expect_error(run({"show", "linear-dept"}), {"linear-dept", "did you mean \"linear-depth\""});
}

TEST_F(Command, ValidatesWithoutRunning) {
  write("large.json", R"({"width": 1048576, "depth": 100000})");
  EXPECT_EQ(run({"validate", "large.json"}).out, "large.json: ok, 1 result, 0 figures expected\n");
  write("bad.json", R"({"depth": "64"})");
  expect_error(
      run({"validate", "bad.json"}),
      {"bad.json: /depth: expected an integer in [1, 100000], got \"64\" (string)\nhint: "});
}

TEST_F(Command, TakesChangesFromFlags) {
  write("small.json", kSmall);
  write(
      "same.json",
      R"({"width": 4, "depth": 5, "title": "small", "norm": {"kind": "rmsnorm", "eps": 0}, "random": {"seed": 9}})");
  EXPECT_EQ(run({"run", "small.json", "--set", "depth=5", "--set", "norm=rmsnorm", "--set",
                 "norm.eps=0", "--seed", "9", "--format", "csv"})
                .out,
            run({"run", "same.json", "--format", "csv"}).out);
  expect_error(run({"run", "small.json", "--set", "dpeth=5"}),
               {"--set: /dpeth", "did you mean \"depth\""});
  expect_error(run({"run", "small.json", "--set", "depth"}), {"--set", "key=value"});
  for (const char* seed : {"-1", "", "x", "1.5"}) {
    expect_error(run({"run", "small.json", "--seed", seed}), {"--seed", "non-negative integer"});
  }
}

TEST_F(Command, RunsARangeOfSeeds) {
  write("small.json", kSmall);
  const std::string three =
      run({"run", "small.json", "--seeds", "4..6", "--layers", "last", "--format", "csv"}).out;
  EXPECT_TRUE(has(three, "\n,4,3,")) << three;
  EXPECT_TRUE(has(three, "\n,6,3,")) << three;
  EXPECT_EQ(std::count(three.begin(), three.end(), '\n'),
            7);  // heading; input and last layer a seed
  const std::string one =
      run({"run", "small.json", "--seed", "5", "--layers", "last", "--format", "csv"}).out;
  EXPECT_TRUE(has(three, one.substr(one.find('\n') + 1)));
  for (const char* seeds : {"6..4", "a..b", "4..", "", "0..1000000", "1..2..3"}) {
    expect_error(run({"run", "small.json", "--seeds", seeds}), {"--seeds", "a..b"});
  }
  expect_error(run({"run", "small.json", "--seed", "1", "--seeds", "1..2"}), {"--seed", "--seeds"});
}

TEST_F(Command, ShowsTheLayersAskedFor) {
  write("small.json", kSmall);
  const std::string text = run({"run", "small.json", "--layers", "1,last"}).out;
  EXPECT_TRUE(has(text, "\n      1 ") && has(text, "\n      3 ") && !has(text, "\n      2 "))
      << text;
  expect_error(run({"run", "small.json", "--layers", "4"}), {"--layers", "row, got 4", "[1, 3]"});
  expect_error(run({"run", "small.json", "--layers", ""}), {"--layers", "row"});
}

TEST_F(Command, TellsTheCostOfADryRunWithoutRunning) {
  write("large.json", R"({"width": 1048576, "depth": 100000, "tokens": 1048576, "seeds": [1, 2]})");
  const Outcome outcome = run({"run", "large.json", "--dry-run", "-o", "r.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "weights drawn 2.199e+17")) << outcome.out;
  EXPECT_EQ(files(), std::vector<std::string>{"large.json"});
}

TEST_F(Command, SaysWhoItIs) {
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(has(version.out, "sigstab ") && has(version.out, "compiler ") &&
              has(version.out, "kernels"));
  EXPECT_TRUE(has(run({"--help"}).out, "Exit codes: 0 done, 1 check or diff found a difference"));
  EXPECT_TRUE(has(run({"run", "--help"}).out, "--dry-run"));
  EXPECT_EQ(run({}).out, run({"--help"}).out);
}

}  // namespace
}  // namespace sigstab::testing
