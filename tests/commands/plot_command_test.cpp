// run --plot and plot as a user would: what is drawn, what is refused before anything runs, and
// that no text of a config is ever a command. What needs gnuplot is skipped where there is none.

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

// What the program finds as PATH, until this goes.
class PathOf {
 public:
  explicit PathOf(const std::string& path) : before_(std::getenv("PATH")) {
    ::setenv("PATH", path.c_str(), 1);
  }
  ~PathOf() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

class PictureFile : public Command {
 protected:
  // A program of that name that does as the script says.
  void write_gnuplot(const std::string& script) const {
    fs::create_directory(directory() / "bin");
    write("bin/gnuplot", "#!/bin/sh\n" + script);
    fs::permissions(directory() / "bin/gnuplot", fs::perms::owner_all);
  }
  std::string path() const {
    return (directory() / "bin").string() + ":" + std::string(std::getenv("PATH"));
  }
};

class DrawnPicture : public PictureFile {
 protected:
  void SetUp() override {
    if (!has_gnuplot()) GTEST_SKIP() << "there is no gnuplot";
  }
};

TEST_F(DrawnPicture, IsWhatItsExtensionSays) {
  write("my.json", kSmall);
  const Outcome plain = run({"run", "my.json"});
  const Outcome drawn = run({"run", "my.json", "--plot", "a.svg", "--plot", "a.png", "--plot",
                             "a.pdf", "-o", "r.json", "--format", "table"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(drawn.err, "");
  EXPECT_EQ(drawn.out, plain.out);
  const std::string svg = read("a.svg");
  EXPECT_EQ(svg.substr(0, 5), "<?xml");
  EXPECT_TRUE(has(svg.substr(svg.size() - 10), "</svg>\n"));
  EXPECT_TRUE(has(svg, "my: small"));
  EXPECT_TRUE(has(svg, "prefers-color-scheme"));
  EXPECT_EQ(read("a.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_GT(read("a.png").size(), 1000u);
  EXPECT_EQ(read("a.pdf").substr(0, 5), "%PDF-");
  EXPECT_GT(read("a.pdf").size(), 1000u);
  EXPECT_EQ(files(), (std::vector<std::string>{"a.pdf", "a.png", "a.svg", "my.json", "r.json"}));

  EXPECT_EQ(run({"plot", "r.json", "-o", "b.svg"}).code, 0);
  EXPECT_EQ(read("b.svg"), svg);
}

TEST_F(DrawnPicture, InATerminalOrAPipeIsMadeOfLetters) {
  write("my.json", R"({"width": 4, "depth": 3, "cases": [{"name": "one"}, {"name": "two"}]})");
  run({"run", "my.json", "-o", "r.json"});
  const Outcome shown = run({"plot", "r.json"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_TRUE(has(shown.out, "A  one"));
  EXPECT_TRUE(has(shown.out, "B  two"));
  EXPECT_TRUE(has(shown.out, "forward_rms"));
  EXPECT_FALSE(has(shown.out, "\033"));
  EXPECT_EQ(run({"plot", "r.json", "-o", "-"}).out, shown.out);
}

TEST_F(DrawnPicture, NoTextOfAConfigIsACommand) {
  const std::vector<std::string> names = {R"('; system(\"touch hacked\") ')",
                                          R"('''\nsystem('touch hacked')\n''')",
                                          "`touch hacked`",
                                          "$(touch hacked)",
                                          R"(a\nset output 'hacked'\nplot 1)",
                                          "@{}_^ %s %g %%",
                                          "λ → 日本語",
                                          std::string(300, 'x'),
                                          "<script>alert(1)</script>&amp;",
                                          R"(\\)",
                                          R"(\u0000\u001b[31m)"};
  std::string cases;
  for (const std::string& name : names) {
    cases += (cases.empty() ? "" : ", ") + ("{\"name\": \"" + name + "\"}");
  }
  write("my.json",
        R"({"width": 4, "depth": 3, "title": ")" + names[0] + R"(", "cases": [)" + cases + "]}");
  const Outcome drawn = run(
      {"run", "my.json", "--plot", "a.svg", "--plot", "a.png", "--plot", "a.pdf", "-o", "r.json"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(run({"plot", "r.json"}).code, 0);
  EXPECT_EQ(files(), (std::vector<std::string>{"a.pdf", "a.png", "a.svg", "my.json", "r.json"}));
  const std::string svg = read("a.svg");
  EXPECT_FALSE(has(svg, "<script"));
  EXPECT_TRUE(has(svg, "`touch hacked`"));
  EXPECT_TRUE(has(svg, "日本語"));
}

TEST_F(DrawnPicture, EveryExperimentThatComesWithItHasOne) {
  for (const char* name : {"linear-depth", "relu-depth", "norm-arithmetic", "compounding",
                           "init-spreads", "activation-moments"}) {
    const Outcome drawn = run({"run", name, "--plot", "a.svg"});
    EXPECT_EQ(drawn.code, 0) << name << drawn.err;
    EXPECT_GT(read("a.svg").size(), 5000u);
    EXPECT_LT(read("a.svg").size(), 100'000u);
  }
}

TEST_F(DrawnPicture, HasTheReportsColumnsWhateverIsPrinted) {
  write("my.json", R"({"width": 4, "depth": 3, "report": {"line": "{forward_rms[1]:.3g}",
                       "columns": ["weight_gradient_rms.W"]}})");
  const Outcome plain = run({"run", "my.json", "--format", "article"});
  const Outcome drawn = run({"run", "my.json", "--format", "article", "--plot", "a.svg"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(drawn.out, plain.out);
  EXPECT_TRUE(has(read("a.svg"), "weight_gradient_rms.W"));
}

// A result's config still holds the figures and the report's layers, which flags made void.
TEST_F(DrawnPicture, OfAResultNeedsNoneOfTheFiguresThatItsConfigExpected) {
  run({"run", "tanh-residual", "--seeds", "0..1", "--set", "depth=6", "-o", "r.json"});
  const Outcome drawn = run({"plot", "r.json", "-o", "a.svg"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_TRUE(has(read("a.svg"), "geometric mean of 2 seeds"));
  run({"run", "relu-depth", "--set", "depth=6", "-o", "r.json"});
  EXPECT_EQ(run({"plot", "r.json", "-o", "a.svg"}).code, 0);
}

TEST_F(DrawnPicture, OfAnInterruptedRunShowsWhatIsFinished) {
  write("my.json", R"({"width": 64, "depth": 200, "seeds": {"from": 0, "count": 100000}})");
  const Outcome stopped =
      run_until({"run", "my.json", "-o", "r.jsonl", "--plot", "a.svg"}, "r.jsonl", 2);
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_TRUE(has(read("a.svg"), "interrupted"));
}

TEST_F(DrawnPicture, OfAFileSaysWhatIsMissingAndTakesNoCaseTwice) {
  write("my.json", R"({"width": 4, "depth": 3, "seeds": [0, 1]})");
  ASSERT_EQ(run({"run", "my.json", "-o", "r.jsonl"}).code, 0);
  const std::string text = read("r.jsonl");
  const std::string first = text.substr(0, text.find('\n') + 1);
  ASSERT_EQ(run({"plot", "r.jsonl", "-o", "a.svg"}).code, 0);
  EXPECT_FALSE(has(read("a.svg"), "interrupted"));
  write("r.jsonl", first);
  ASSERT_EQ(run({"plot", "r.jsonl", "-o", "a.svg"}).code, 0);
  EXPECT_TRUE(has(read("a.svg"), "interrupted"));
  write("r.jsonl", first + first);
  expect_error(run({"plot", "r.jsonl", "-o", "a.svg"}), {"r.jsonl: it is there twice"});
}

TEST_F(DrawnPicture, OfMoreThanASheetHoldsIsRefusedBeforeItRunsAndNotedInAReport) {
  std::string cases;
  for (int i = 0; i < 337; ++i) {
    cases += (i == 0 ? "{\"name\": \"c" : ", {\"name\": \"c") + std::to_string(i) + "\"}";
  }
  write("my.json", R"({"width": 2, "depth": 2, "cases": [)" + cases + "]}");
  expect_error(run({"run", "my.json", "--plot", "a.svg", "-o", "r.jsonl"}),
               {"my: it has 337 curves, and pictures show at most 336", "hint: narrow the sweep"});
  EXPECT_EQ(files(), std::vector<std::string>{"my.json"});
  ASSERT_EQ(run({"report", "my.json", "-o", "a.html"}).code, 0);
  EXPECT_TRUE(has(read("a.html"), "Without pictures: it has 337 curves"));
}

TEST_F(PictureFile, WithoutGnuplotIsRefusedBeforeAnythingRuns) {
  write("my.json", kSmall);
  fs::create_directory(directory() / "bin");
  const PathOf empty((directory() / "bin").string());
  expect_error(run({"run", "my.json", "--plot", "a.svg", "-o", "r.json"}),
               {"gnuplot", "apt-get install gnuplot-nox"});
  EXPECT_EQ(files(), (std::vector<std::string>{"bin", "my.json"}));
  EXPECT_EQ(run({"run", "my.json", "-o", "r.json"}).code, 0);
  expect_error(run({"plot", "r.json", "-o", "a.svg"}), {"apt-get install gnuplot-nox"});
  EXPECT_EQ(files(), (std::vector<std::string>{"bin", "my.json", "r.json"}));
}

TEST_F(PictureFile, AGnuplotOfTheCurrentFolderIsNotStarted) {
  write("my.json", kSmall);
  write_gnuplot("touch hacked\n");
  fs::copy(directory() / "bin/gnuplot", directory() / "gnuplot");
  fs::create_directory(directory() / "empty");
  const PathOf current(":" + (directory() / "empty").string());
  expect_error(run({"run", "my.json", "--plot", "a.svg"}), {"none on PATH"});
}

TEST_F(PictureFile, AGnuplotThatFailsLosesNothingElse) {
  write("my.json", kSmall);
  write_gnuplot("echo 'line 1: it is broken' >&2\nexit 1\n");
  const PathOf broken(path());
  const Outcome outcome = run(
      {"run", "my.json", "--plot", "a.svg", "--plot", "b.svg", "-o", "r.json", "--format", "csv"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "it is broken")) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "case,seed,layer"));
  EXPECT_EQ(files(), (std::vector<std::string>{"bin", "my.json", "r.json"}));
}

// A pipe holds 64 KB: whoever writes it all before it reads would wait for ever.
TEST_F(PictureFile, AGnuplotThatTalksBeforeItListensIsNoDeadlock) {
  write("my.json", R"({"width": 2, "depth": 3000, "upstream": "none"})");
  write_gnuplot(
      "head -c 300000 /dev/zero >&2\nhead -c 300000 /dev/zero\ncat >/dev/null\nprintf end\n");
  const PathOf chatty(path());
  EXPECT_EQ(run({"run", "my.json", "--plot", "a.svg"}).code, 0);
  EXPECT_EQ(read("a.svg").size(), 300003u);
}

TEST_F(PictureFile, AGnuplotThatDoesNotReadIsAnError) {
  write("my.json", R"({"width": 2, "depth": 3000, "upstream": "none"})");
  write_gnuplot("exec <&-\nexit 0\n");
  const PathOf deaf(path());
  const Outcome outcome = run({"run", "my.json", "--plot", "a.svg"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "could not draw")) << outcome.err;
}

TEST_F(PictureFile, WhatIsWrongWithAPictureIsToldBeforeAnythingRuns) {
  write("my.json", kSmall);
  write_gnuplot("exit 1\n");
  const PathOf any(path());
  expect_error(run({"run", "my.json", "--plot", "a.gif"}), {"--plot a.gif", ".svg, .png, .pdf"});
  expect_error(run({"run", "my.json", "--plot", "no/a.svg"}), {"no/a.svg", "cannot write it"});
  expect_error(run({"run", "my.json", "--plot", "a.svg", "--plot", "a.svg"}), {"named twice"});
  expect_error(run({"run", "my.json", "my.json", "--plot", "a.svg"}), {"one experiment", "2"});
  write("one.json", R"({"experiment": "activation_moments", "variances": [1]})");
  expect_error(run({"run", "one.json", "--plot", "a.svg"}), {"nothing to draw a curve through"});
  fs::create_symlink("my.json", directory() / "my.svg");
  expect_error(run({"run", "my.json", "--plot", "my.svg"}), {"file that is to be read"});
  EXPECT_EQ(run({"run", "my.json", "--plot", "a.svg", "--dry-run"}).code, 0);
}

TEST_F(PictureFile, AResultWithoutAConfigIsRefused) {
  write("my.json", kSmall);
  run({"run", "my.json", "-o", "r.csv", "-o", "r.jsonl"});
  expect_error(run({"plot", "r.csv", "-o", "a.svg"}), {"r.csv", "no config"});
  expect_error(run({"plot", "my.json", "-o", "a.svg"}), {"not a sigstab result"});
  expect_error(run({"plot", "no.json", "-o", "a.svg"}), {"no.json", "cannot open it"});
  run({"run", "my.json", "relu-depth", "-o", "two.jsonl"});
  expect_error(run({"plot", "two.jsonl", "-o", "a.svg"}), {"2 experiments"});
}

}  // namespace
}  // namespace sigstab::testing
