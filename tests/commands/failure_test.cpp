// What goes wrong, as a user meets it: configs that cannot run, and places that cannot be written.

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

TEST_F(Command, RefusesAbsurdSizesAtOnceAndNamesTheMemory) {
  const std::vector<std::string> absurd = {
      R"({"width": 1048576, "depth": 100000, "tokens": 1048576})",
      R"({"width": 1, "depth": 100000, "seeds": {"count": 1000000},
          "expect": [{"id": "a", "seed": 0, "column": "output_rms", "printed": "1"}]})"};
  for (const std::string& text : absurd) {
    write("absurd.json", text);
    const auto start = std::chrono::steady_clock::now();
    expect_error(run({"run", "absurd.json"}),
                 {"absurd", "GB of memory", "GB are available", "hint: "});
    // Seconds would mean that something was allocated; the limit leaves room for a loaded machine.
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(8));
  }
}

TEST_F(Command, GuessesAtWhatWasMistyped) {
  expect_error(run({"rnu", "linear-depth"}), {"unknown command \"rnu\"", "did you mean \"run\""});
  expect_error(run({"run", "linear-depth", "--frmat", "csv"}),
               {"\"--frmat\"", "did you mean \"--format\""});
  expect_error(run({"run", "linear-depth", "--format", "cvs"}),
               {"--format", "\"cvs\"", "did you mean \"csv\""});
  expect_error(run({"run", "linaer-depth"}), {"linaer-depth", "did you mean \"linear-depth\""});
  expect_error(run({"--versoin"}), {"\"--versoin\"", "did you mean \"--version\""});
  expect_error(run({"run"}), {"run: ", "required", "sigstab run --help"});
}

TEST_F(Command, TellsPlainlyWhatIsWrongWithAFile) {
  expect_error(run({"run", "none.json"}), {"none.json", "No such file", "hint: "});
  expect_error(run({"run", "."}), {".", "directory", "hint: "});
  expect_error(run({"run", ""}), {"\"\""});
  write("empty.json", "");
  expect_error(run({"run", "empty.json"}), {"empty.json: the file is empty", "hint: "});
  write("half.json", "{\n  \"depth\": 5");
  expect_error(run({"run", "half.json"}), {"half.json:2:13: ", "unexpected end", "hint: "});
  write("binary.json", std::string("\0\x01\xff", 3));
  expect_error(run({"run", "binary.json"}), {"binary.json:1:1: "});
}

TEST_F(Command, WritesNothingIntoAPlaceThatCannotBeWritten) {
  write("small.json", kSmall);
  expect_error(run({"run", "small.json", "-o", "none/r.json"}),
               {"none/r.json", "cannot write", "hint: "});
  fs::create_directory(directory() / "d.json");
  expect_error(run({"run", "small.json", "-o", "d.json"}), {"d.json", "is a directory"});
  expect_error(run({"run", "small.json", "-o", "r"}), {"-o r", "extension", ".csv"});
  expect_error(run({"run", "small.json", "-o", "r.json", "-o", "r.json"}), {"-o r.json", "twice"});
  expect_error(run({"run", "small.json", "small.json", "-o", "r.json"}),
               {"-o r.json", "one experiment", "jsonl"});
  expect_error(run({"run", "small.json", "--format", "article"}), {"report.line"});
  EXPECT_EQ(files(), (std::vector<std::string>{"d.json", "small.json"}));
}

TEST_F(Command, KeepsTheOldFileWhenAConfigIsWrong) {
  write("bad.json", R"({"depth": 0})");
  write("r.json", "old");
  expect_error(run({"run", "bad.json", "-o", "r.json"}), {"/depth"});
  EXPECT_EQ(read("r.json"), "old");
  EXPECT_EQ(files(), (std::vector<std::string>{"bad.json", "r.json"}));
}

TEST_F(Command, ReplacesAFileAsAWholeAndWritesThroughLinks) {
  write("small.json", kSmall);
  write("r.csv", std::string(100'000, 'x'));
  fs::create_symlink("r.csv", directory() / "link.csv");
  EXPECT_EQ(run({"run", "small.json", "-o", "link.csv"}).code, 0);
  EXPECT_TRUE(fs::is_symlink(directory() / "link.csv"));
  EXPECT_EQ(read("r.csv"), run({"run", "small.json", "--format", "csv"}).out);
  EXPECT_EQ(files(), (std::vector<std::string>{"link.csv", "r.csv", "small.json"}));
}

TEST_F(Command, TakesAFullDiskForAnError) {
  write("small.json", kSmall);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", "small.json"},
                                                    {"list"},
                                                    {"--help"},
                                                    {"--version"},
                                                    {"show", "linear-depth"}}) {
    expect_error(run(arguments, "/dev/full"), {"standard output", "No space left"});
  }
  const Outcome outcome = run({"run", "small.json", "-o", "/dev/full"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "/dev/full: cannot write it: No space left")) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "forward_rms")) << "the result is lost";
}

TEST_F(Command, LeavesNothingHalfWrittenWhenTheDiskFillsUp) {
  write("small.json", kSmall);
  write("r.json", "old");
  limit_files(500);
  const Outcome outcome = run({"run", "small.json", "-o", "r.json"}, "/dev/null");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "r.json: cannot write it: File too large")) << outcome.err;
  EXPECT_EQ(read("r.json"), "old");
  EXPECT_EQ(files(), (std::vector<std::string>{"r.json", "small.json"}));
}

TEST_F(Command, TakesAClosedPipeForTheEndOfInterest) {
  write("small.json", kSmall);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", "small.json"},
                                                    {"list"},
                                                    {"--help"},
                                                    {"check", "norm-arithmetic"}}) {
    const Outcome outcome = run_into_closed_pipe(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments[0];
    EXPECT_EQ(outcome.err, "");
  }
}

TEST_F(Command, SendsNothingThatSteersATerminal) {
  write("odd.json",
        R"({"width": 4, "depth": 2, "title": "a\u001b[31m\u0007b", "dep\u001b[1mth": 1})");
  const Outcome wrong = run({"run", "odd.json"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_FALSE(has(wrong.err, "\x1b")) << wrong.err;
  write("odd.json", R"({"width": 4, "depth": 2, "title": "a\u001b[31m\u0007b"})");
  const Outcome shown = run({"run", "odd.json"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_FALSE(has(shown.out, "\x1b") || has(shown.out, "\x07")) << shown.out;
  EXPECT_TRUE(has(shown.out, "[31m"));
  write("nul.json", R"({"extends": "a\u0000b.json"})");
  expect_error(run({"run", "nul.json"}), {"/extends", "b.json", "hint"});
}

TEST_F(Command, RefusesFlagsThatAreNoText) {
  write("small.json", kSmall);
  expect_error(run({"run", "small.json", "--set", "title=\xff"}), {"--set title", "UTF-8"});
  expect_error(run({"check", "small.json", "--junit", ""}), {"check", "no file is named"});
}

}  // namespace
}  // namespace sigstab::testing
