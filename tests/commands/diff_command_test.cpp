// diff as a user meets it: what it prints, and that it never passes on a file that is none.

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

class DiffCommand : public Command {
 protected:
  DiffCommand() {
    write("my.json", R"({"width": 8, "depth": 4, "norm": "layernorm"})");
    for (const char* file : {"a.json", "a.jsonl", "a.csv"}) {
      EXPECT_EQ(run({"run", "my.json", "-o", file}).code, 0);
    }
    // Another result of the same config.
    write("b.json", read("a.json"));
  }

  // Replaces a text of a file, which must be there.
  void replace(const std::string& file, const std::string& old, const std::string& by) const {
    std::string text = read(file);
    const std::size_t at = text.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    write(file, text.replace(at, old.size(), by));
  }
};

TEST_F(DiffCommand, ShowsTheWorstInATable) {
  replace("b.json", "\"output_rms\": ", "\"output_rms\": 1");
  replace("b.json", "\"input_rms\": ", "\"input_rms\": 9e9, \"was\": ");
  const Outcome outcome = run({"diff", "a.json", "b.json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.out, "a.json")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "distance\n")) << outcome.out;
  EXPECT_LT(outcome.out.find("input_rms"), outcome.out.find("output_rms")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "9000000000")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "only in b.json: 1 value: seed 0, was\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, " 2 differ, 1 on one side alone (rtol 0, atol 0)\n"));
}

TEST_F(DiffCommand, LinesUpItsColumns) {
  replace("b.json", "\"output_rms\": ", "\"output_rms\": 1");
  const std::string out = run({"diff", "a.json", "b.json"}).out;
  const std::size_t first = out.find('\n'), second = out.find('\n', first + 1);
  EXPECT_EQ(second - first - 1, first) << out;
}

TEST_F(DiffCommand, NeverPassesOnAFileThatIsMissingEmptyTornOrForeign) {
  write("empty.json", "");
  write("blank.jsonl", "\n\n");
  write("none.csv", "");
  write("header.csv", read("a.csv").substr(0, read("a.csv").find('\n') + 1));
  write("list.json", "[]");
  write("object.json", "{}");
  write("text.json", "no json at all\n");
  write("nothing.json", R"({"schema": 1, "experiment": "my", "kind": "depth", "row": "layer",
                            "config": {}, "complete": true, "cases": []})");
  for (const char* file : {"a.json", "a.jsonl", "a.csv"}) {
    const std::string text = read(file), torn = std::string("torn") + (file + 1);
    write(torn, text.substr(0, text.size() - 5));
  }
  for (const char* file : {"missing.json", "empty.json", "blank.jsonl", "none.csv", "header.csv",
                           "list.json", "object.json", "text.json", "nothing.json", "torn.json",
                           "torn.jsonl", "torn.csv", "my.json"}) {
    expect_error(run({"diff", file, file}), {file});
    expect_error(run({"diff", "a.json", file}), {file});
    expect_error(run({"diff", file, "a.json", "--any-config"}), {file});
  }
}

TEST_F(DiffCommand, RefusesARunThatWasInterrupted) {
  replace("b.json", "\"complete\": true", "\"complete\": false");
  expect_error(run({"diff", "b.json", "b.json"}), {"b.json: this run was interrupted", "hint: "});
}

TEST_F(DiffCommand, RefusesOtherConfigsWhateverTheyAreCalled) {
  write("other.json", R"({"width": 8, "depth": 4})");
  EXPECT_EQ(run({"run", "other.json", "-o", "c.json"}).code, 0);
  expect_error(run({"diff", "a.json", "c.json"}), {"different configs: norm", "--any-config"});
}

TEST_F(DiffCommand, NeedsSeedsForScores) {
  expect_error(run({"diff", "a.json", "b.json", "--z", "3"}), {"one seed", "--seeds a..b"});
}

TEST_F(DiffCommand, HasATolerancesColumnToBeThere) {
  expect_error(run({"diff", "a.json", "b.json", "--tol", "gradient_rsm=log:0.1"}),
               {"--tol gradient_rsm: ", "neither result", "did you mean \"gradient_rms\"?"});
}

TEST_F(DiffCommand, TheDifferencesReplaceNoFileThatIsRead) {
  for (const char* file : {"a.json", "./b.json"}) {
    const std::string former = read(file);
    expect_error(run({"diff", "a.json", "b.json", "--junit", file}), {"--junit", "is to be read"});
    EXPECT_EQ(read(file), former);
  }
}

TEST_F(DiffCommand, TellsDistancesInLogarithmsWhereTheyAreAllowed) {
  replace("b.json", "\"output_rms\": ", "\"output_rms\": 1000");
  const Outcome outcome = run({"diff", "a.json", "b.json", "--log", "0.1"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.out, "ln ")) << outcome.out;
}

TEST_F(DiffCommand, EscapesWhatItWritesAsXml) {
  write("case.json", R"({"width": 4, "depth": 1, "cases": [{"name": "a<b> & \"c\""}]})");
  EXPECT_EQ(run({"run", "case.json", "-o", "x.json"}).code, 0);
  write("y.json", read("x.json"));
  replace("y.json", "\"output_rms\": ", "\"output_rms\": 1");
  EXPECT_EQ(run({"diff", "x.json", "y.json", "--junit", "j.xml"}).code, 1);
  EXPECT_TRUE(has(read("j.xml"), "name=\"a&lt;b&gt; &amp; &quot;c&quot;, seed 0, output_rms\""))
      << read("j.xml");
  EXPECT_TRUE(has(read("j.xml"), "tests=\"1\" failures=\"1\"")) << read("j.xml");
}

}  // namespace
}  // namespace sigstab::testing
