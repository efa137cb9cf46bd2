// Reports as pages and markdown, of chapters made by hand and of small runs.

#include "report/document.hpp"

#include <gtest/gtest.h>

#include "base/shell.hpp"
#include "config/read_config.hpp"
#include "report/markdown.hpp"
#include "report/score_summary.hpp"
#include "run/run.hpp"
#include "support/made_result.hpp"
#include "support/plan_of.hpp"
#include "support/text.hpp"

namespace sigstab {
namespace {

using testing::has;

constexpr const char* kHostile = "<script>alert(1)</script> & \"it's\" | `x` \xFF]]>";
constexpr const char* kHostileHtml =
    "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;it&#39;s&quot; | `x` \xEF\xBF\xBD]]&gt;";

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// The hostile text wherever a chapter holds any.
Chapter hostile_chapter() {
  const std::string h = kHostile;
  Chapter chapter;
  chapter.tables = {h, h, {{h, h, {{h, h}, {h, h}}, {h}}}};
  chapter.about = chapter.source = chapter.rerun = h;
  chapter.notes = {h};
  chapter.pictures = {{"<svg xmlns=\"http://www.w3.org/2000/svg\"><text>\xCF\x83</text></svg>", h}};
  chapter.comparisons = {{"Against", h, {{"", h}, {"MISS", h}, {"pass", h}}, {1}}};
  chapter.commands = {h};
  chapter.configs = {{h, h, "json"}};
  chapter.provenance = {{h, h}};
  return chapter;
}

TEST(HtmlDocument, HoldsHostileTextAsText) {
  const Chapter chapters[] = {hostile_chapter(), hostile_chapter()};
  for (const std::size_t count : {1U, 2U}) {
    const std::string page = html_document(std::span<const Chapter>(chapters).first(count));
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_FALSE(has(page, "\xFF"));
    EXPECT_GE(count_of(page, kHostileHtml), count * 20U);
    // Not even half of it stands unescaped anywhere.
    EXPECT_EQ(count_of(page, "alert(1)"), count_of(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  }
}

TEST(HtmlDocument, HoldsPicturesAsImages) {
  const Chapter chapter = hostile_chapter();
  const std::string page = html_document(std::span(&chapter, 1));
  EXPECT_FALSE(has(page, "<svg"));
  EXPECT_TRUE(has(page,
                  "src=\"data:image/svg+xml;charset=utf-8,%3Csvg xmlns=%22http://www.w3.org/"
                  "2000/svg%22%3E%3Ctext%3E%CF%83%3C/text%3E%3C/svg%3E\""));
  EXPECT_TRUE(has(page, std::string("alt=\"") + kHostileHtml + "\""));
}

TEST(HtmlDocument, MarksRowsThatPassAndMiss) {
  const Chapter chapter = hostile_chapter();
  const std::string page = html_document(std::span(&chapter, 1));
  EXPECT_EQ(count_of(page, "<tr class=\"miss\"><th scope=\"row\">MISS</th>"), 1U);
  EXPECT_EQ(count_of(page, "<tr class=\"pass\"><th scope=\"row\">pass</th>"), 1U);
}

TEST(HtmlDocument, HasContentsWhereThereAreSeveralChapters) {
  const Chapter chapters[] = {hostile_chapter(), hostile_chapter()};
  EXPECT_FALSE(has(html_document(std::span(chapters).first(1)), "<nav"));
  const std::string page = html_document(chapters);
  EXPECT_EQ(count_of(page, "<a href=\"#experiment-"), 2U);
  EXPECT_EQ(count_of(page, "<section id=\"experiment-2\">"), 1U);
  EXPECT_EQ(count_of(page, "<h1>2 experiments</h1>"), 1U);
}

TEST(HtmlDocument, LoadsNothing) {
  const Chapter chapter = hostile_chapter();
  const std::string page = html_document(std::span(&chapter, 1));
  for (const char* loader : {"<link", "src=\"http", "url(", "@import", "<iframe", "href=\"http"}) {
    EXPECT_FALSE(has(page, loader)) << loader;
  }
}

TEST(MarkdownDocument, HoldsHostileTextAsText) {
  const Chapter chapter = hostile_chapter();
  const std::string text = markdown_document(std::span(&chapter, 1));
  const std::string escaped =
      "&lt;script&gt;alert(1)&lt;/script&gt; &amp; \"it's\" \\| \\`x\\` \xEF\xBF\xBD\\]\\]&gt;";
  EXPECT_TRUE(has(text, "## " + escaped + "\n"));
  EXPECT_TRUE(has(text, "| " + escaped + " | " + escaped + " |\n|---:|---:|\n"));
  // What is not escaped stands in fences: a command and a config.
  EXPECT_EQ(count_of(text, "<script>"), 2U);
  EXPECT_EQ(count_of(text, "```sh\n<script>") + count_of(text, "```json\n<script>"), 2U);
}

TEST(Markdown, AFenceIsLongerThanAnyInTheText) {
  EXPECT_EQ(fenced("a\n", "json"), "```json\na\n```\n");
  EXPECT_EQ(fenced("`", ""), "```\n`\n```\n");
  EXPECT_EQ(fenced("```\n# not a heading\n", "json"), "````json\n```\n# not a heading\n````\n");
  EXPECT_EQ(fenced("a ````` b", ""), "``````\na ````` b\n``````\n");
}

TEST(Markdown, NamesStayNames) {
  EXPECT_EQ(escaped_markdown("forward_rms"), "forward_rms");
  EXPECT_EQ(escaped_markdown("_a_ *b* ~c~ [d](e)\nf"), "\\_a\\_ \\*b\\* \\~c\\~ \\[d\\](e) f");
}

TEST(Markdown, ALineOfTextIsNoHeadingOrList) {
  Chapter chapter = hostile_chapter();
  chapter.about = "# big";
  chapter.source = "";
  chapter.rerun = "1. first";
  const std::string text = markdown_document(std::span(&chapter, 1));
  EXPECT_TRUE(has(text, "\n&#35; big\n")) << text;
  EXPECT_TRUE(has(text, "\n&#49;. first\n"));
}

TEST(Shell, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_word("my.json"), "my.json");
  EXPECT_EQ(shell_word("--set=a.b=1"), "--set=a.b=1");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b; rm *"), "'a b; rm *'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word("~/x"), "'~/x'");
  EXPECT_EQ(shell_file("-x.json"), "./-x.json");
}

Chapter chapter_of_run(const char* text, const std::function<void(Result&)>& change = {}) {
  const Config config = read_config(text, "my.json", {});
  const Plan plan = make_plan(config);
  Result result = run(plan, {1, 1e9});
  result.provenance = testing::made_result().provenance;
  if (change) change(result);
  return chapter_of(config, plan, result, {text, "", {"sigstab run my.json"}});
}

constexpr const char* kFigures = R"({"width": 4, "depth": 2, "about": "look", "source": "there",
    "expect": [{"id": "good", "layer": 1, "column": "forward_rms", "below": 1e9},
               {"id": "bad", "layer": 2, "column": "forward_rms", "printed": "7"},
               {"id": "far", "outside": "another program"}]})";

TEST(Chapter, ComparesWithFiguresAndTheory) {
  const Chapter chapter = chapter_of_run(kFigures);
  EXPECT_EQ(chapter.about, "look");
  EXPECT_EQ(chapter.source, "there");
  EXPECT_TRUE(chapter.notes.empty());
  ASSERT_EQ(chapter.comparisons.size(), 2U);
  const Comparison& figures = chapter.comparisons[0];
  EXPECT_EQ(figures.summary, "2 figures: 1 by order, 1 failed; outside: 1 (far).");
  ASSERT_EQ(figures.grid.size(), 4U);
  EXPECT_EQ(figures.grid[1][0], "pass");
  EXPECT_EQ(figures.grid[2][0], "MISS");
  EXPECT_EQ(figures.grid[2][4], "7");
  EXPECT_EQ(figures.grid[3],
            (std::vector<std::string>{"outside", "far", "", "", "another program", "outside"}));
  EXPECT_EQ(figures.missed, std::vector<std::size_t>{2});
  EXPECT_TRUE(has(chapter.comparisons[1].summary, "of 6 sizes have |z| > 3"));
  EXPECT_EQ(chapter.configs.size(), 2U);
  EXPECT_EQ(chapter.provenance[1], (std::vector<std::string>{"revision", "abc"}));
}

TEST(Chapter, OfAnInterruptedRunSaysSoAndChecksNothing) {
  const Chapter chapter = chapter_of_run(
      R"({"width": 4, "depth": 2, "seeds": [1, 2], "expect": [{"id": "x", "seed": 2, "layer": 1,
          "column": "forward_rms", "printed": "1"}]})",
      [](Result& result) {
        result.cases.pop_back();
        result.complete = false;
      });
  ASSERT_EQ(chapter.notes.size(), 1U);
  EXPECT_EQ(chapter.notes[0],
            "The run was interrupted: 1 of 2 results are here. No figure was checked.");
  EXPECT_EQ(chapter.comparisons.size(), 1U);
  EXPECT_TRUE(chapter.totals.empty());
}

TEST(Chapter, SaysWhyTheoryIsSilent) {
  const Chapter chapter = chapter_of_run(R"({"experiment": "norm_arithmetic"})");
  ASSERT_EQ(chapter.comparisons.size(), 1U);
  EXPECT_EQ(chapter.comparisons[0].summary,
            "Theory says nothing here: it predicts stacks of layers.");
}

TEST(ScoreSummaries, CountWhatIsFarOverRowsAndSeeds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Result result = testing::made_result();
  CaseResult one = testing::made_case("a", 3, 1);
  one.scalars.push_back({"input_z", -0.5});
  one.columns.push_back(
      {.name = "z", .values = {1, nan, 3.5}, .input_scalar = "input_z", .role = ColumnRole::score});
  CaseResult other = one;
  other.columns.back().values = {-4, 3, 0};
  result.cases = {one, other};
  const std::vector<ScoreSummary> summaries = summarise_scores(result);
  ASSERT_EQ(summaries.size(), 1U);
  EXPECT_EQ(summaries[0].label, "a, depth=3");
  EXPECT_EQ(summaries[0].scores, 7U);
  EXPECT_EQ(summaries[0].far, 2U);
  EXPECT_EQ(summaries[0].worst, -4);
  EXPECT_EQ(summaries[0].worst_at, "1");
}

}  // namespace
}  // namespace sigstab
