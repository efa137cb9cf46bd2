// sigstab report, as a user types it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

constexpr const char* kFigures = R"({"width": 4, "depth": 3, "title": "small", "expect":
    [{"id": "good", "layer": 1, "column": "forward_rms", "below": 1e9},
     {"id": "bad", "layer": 3, "column": "forward_rms", "printed": "7"}]})";

TEST_F(Command, ReportsAnExperimentAsMarkdown) {
  write("my.json", kSmall);
  const Outcome outcome = run({"report", "my.json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {"## my: small\n", "| layer | forward_rms |", "### Against theory",
                           "```sh\nsigstab run my.json\n```", "<details><summary>The config as"}) {
    EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.out;
  }
}

TEST_F(Command, ReportsToFilesByExtension) {
  write("my.json", kSmall);
  const Outcome outcome = run({"report", "my.json", "-o", "a.html", "-o", "b.md"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(read("a.html").starts_with("<!doctype html>"));
  EXPECT_TRUE(read("b.md").starts_with("## my: small"));
  EXPECT_EQ(run({"report", "my.json", "--format", "html"}).out, read("a.html"));
}

TEST_F(Command, ReportsTheSameOfAResultAsOfItsConfig) {
  write("my.json", kFigures);
  for (const char* file : {"r.json", "r.jsonl"}) {
    EXPECT_EQ(run({"run", "my.json", "-o", file}).code, 0);
    const Outcome fresh = run({"report", "my.json"}), read_back = run({"report", file});
    EXPECT_EQ(read_back.code, 0) << read_back.err;
    const auto results = [](const std::string& text) {
      return text.substr(0, text.find("### Run it again"));
    };
    EXPECT_EQ(results(read_back.out), results(fresh.out));
    EXPECT_TRUE(has(read_back.out, std::string("The numbers are those of ") + file +
                                       ". With the config below saved as my.json:"));
  }
}

TEST_F(Command, KnowsAResultOfAnExperimentThatComesWithIt) {
  EXPECT_EQ(run({"run", "norm-arithmetic", "-o", "r.json"}).code, 0);
  EXPECT_TRUE(has(run({"report", "r.json"}).out, "```sh\nsigstab run norm-arithmetic\n```"));
}

TEST_F(Command, ReportsARunThatFlagsChanged) {
  EXPECT_EQ(run({"run", "relu-depth", "--set", "depth=4", "--set", "width=8", "--seeds", "0..2",
                 "-o", "r.json"})
                .code,
            0);
  const Outcome outcome = run({"report", "r.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "over seeds: geometric\\_mean") ||
              has(outcome.out, "over seeds: geometric_mean"));
  EXPECT_FALSE(has(outcome.out, "Against the expected figures"));
}

TEST_F(Command, AMissedFigureIsToldAndNoFailure) {
  write("my.json", kFigures);
  const Outcome outcome = run({"report", "my.json", "-o", "a.html"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(
      outcome.err.ends_with("sigstab: 2 figures: 1 by order, 1 failed; the report names them\n"))
      << outcome.err;
  EXPECT_TRUE(
      has(read("a.html"), "<tr class=\"miss\"><th scope=\"row\">MISS</th><td><div>bad</div></td>"));
}

// A directory that holds nothing is the whole PATH.
TEST_F(Command, ReportsWithoutPicturesWhereThereIsNoGnuplot) {
  write("my.json", kSmall);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", directory().c_str(), 1);
  const Outcome page = run({"report", "my.json", "-o", "a.html"});
  const Outcome markdown = run({"report", "my.json", "-o", "a.md"});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(page.code, 0);
  EXPECT_TRUE(page.err.starts_with("sigstab: the report has no pictures: ")) << page.err;
  EXPECT_TRUE(has(read("a.html"), "<p class=\"note\">Without its pictures: "));
  EXPECT_FALSE(has(read("a.html"), "<img"));
  EXPECT_EQ(markdown.err, "");
}

TEST_F(Command, ReportsSeveralOnOnePage) {
  write("my.json", kSmall);
  EXPECT_EQ(run({"report", "my.json", "norm-arithmetic", "-o", "a.html"}).code, 0);
  EXPECT_TRUE(has(read("a.html"), "<h1>2 experiments</h1>"));
}

TEST_F(Command, ChecksAllBeforeAReportRunsAny) {
  write("my.json", kSmall);
  write("bad.json", R"({"depth": "3"})");
  write("r.csv", "case,seed,layer\n");
  write("wrong.json", R"({"schema": 1, "experiment": "x"})");
  const auto fails = [&](const std::vector<std::string>& names, const std::string& part) {
    std::vector<std::string> arguments = {"report", "my.json", "-o", "a.html"};
    arguments.insert(arguments.begin() + 2, names.begin(), names.end());
    expect_error(run(arguments), {part});
    EXPECT_FALSE(fs::exists(directory() / "a.html"));
  };
  fails({"nothere.json"}, "nothere.json: cannot open it");
  fails({"nothere"}, "no experiment and no file is named");
  fails({"bad.json"}, "bad.json: /depth");
  fails({"r.csv"}, "r.csv: a csv does not say");
  fails({"wrong.json"}, "wrong.json: not a sigstab result");
  expect_error(run({"report", "my.json", "-o", "a.pdf"}), {"-o a.pdf", "known: .md, .html"});
  expect_error(run({"report", "my.json", "-o", "no/a.html"}), {"no/a.html: cannot write it"});
  expect_error(run({"report", "my.json", "-o", "a.md", "-o", "a.md"}), {"named twice"});
  write("in.md", kSmall);
  expect_error(run({"report", "./in.md", "-o", "in.md"}), {"it is the file that is to be read"});
  expect_error(run({"report", "my.json", "--format", "pdf"}), {"unknown name \"pdf\""});
}

TEST_F(Command, AResultThatDoesNotFitItsConfigIsRefused) {
  write("my.json", kSmall);
  EXPECT_EQ(run({"run", "my.json", "-o", "r.json"}).code, 0);
  std::string text = read("r.json");
  const std::size_t depth = text.find("\"depth\": 3");
  ASSERT_NE(depth, std::string::npos);
  write("r.json", text.replace(depth, 10, "\"depth\": 4"));
  expect_error(run({"report", "r.json"}), {"r.json: expected layers 1 to 4", "run its config"});
}

TEST_F(Command, ReportsAFileWhoseNameIsNoText) {
  write("\xFF'<b>.json", R"({"width": 4, "depth": 3})");
  const Outcome outcome = run({"report", "\xFF'<b>.json", "--format", "html"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "<h1>\xEF\xBF\xBD&#39;&lt;b&gt;</h1>")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "sigstab run &#39;\xEF\xBF\xBD&#39;\\&#39;&#39;&lt;b&gt;.json"));
}

}  // namespace
}  // namespace sigstab::testing
