// Every text format, on results made by hand, against tests/snapshot/: our own text, read by people
// before it was kept. To change it on purpose run with SIGSTAB_WRITE_SNAPSHOTS=1 and read the diff.

#include "report/formats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/named_table.hpp"
#include "support/made_result.hpp"
#include "support/paths.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::made_result;
using testing::made_spec;

void expect_snapshot(const std::string& name, const std::string& text) {
  const std::string path = testing::source_path("tests/snapshot/" + name);
  if (std::getenv("SIGSTAB_WRITE_SNAPSHOTS") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {})) << path;
}

class ReportFormats : public ::testing::TestWithParam<ReportFormat> {};

TEST_P(ReportFormats, RenderTheMadeResultAsTheSnapshot) {
  expect_snapshot("made." + std::string(GetParam().name),
                  GetParam().render(made_result(), made_spec));
}

TEST_P(ReportFormats, RenderAResultWithoutCases) {
  Result empty = made_result();
  empty.cases.clear();
  EXPECT_NO_THROW(GetParam().render(empty, made_spec));
}

TEST_P(ReportFormats, ReadBackWhatTheyRender) {
  if (GetParam().read == nullptr) return;
  const std::string text = GetParam().render(made_result(), made_spec);
  const std::vector<Result> read = read_results(text, "made" + std::string(GetParam().extension));
  ASSERT_EQ(read.size(), 1U);
  const Result made = made_result();
  ASSERT_EQ(read[0].cases.size(), made.cases.size());
  for (std::size_t i = 0; i < made.cases.size(); ++i) {
    EXPECT_EQ(read[0].cases[i].name, made.cases[i].name);
    EXPECT_EQ(read[0].cases[i].seed, made.cases[i].seed);
    const auto& sizes = read[0].cases[i].column("forward_rms")->values;
    const auto& asked = made_spec(made.cases[i]).rows;
    const bool some = GetParam().name == "csv" && !asked.empty();
    EXPECT_EQ(sizes.size(), some ? asked.size() : made.cases[i].columns[0].values.size());
    EXPECT_EQ(sizes.back(), made.cases[i].columns[0].values.back());
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReportFormats,
                         ::testing::ValuesIn(format_table().begin(), format_table().end()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Table, ShowsWholeNumbersOfTheConfigWholeAndOnceOverSeeds) {
  Result result;
  for (const char* seed : {"0", "1"}) {
    CaseResult one;
    one.seed = seed;
    one.columns = {{.name = "width", .values = {16384}}, {.name = "effect", .values = {2}}};
    one.columns[0].role = ColumnRole::count;
    result.cases.push_back(one);
  }
  result.row_name = "row";
  ReportSpec spec;
  spec.rows = {1};
  spec.columns = {"width", "effect"};
  const std::string text =
      render_table(result, [&](const CaseResult&) -> const ReportSpec& { return spec; });
  EXPECT_NE(text.find("row  width  effect     p5    p95\n    1  16384   2.000  2.000  2.000"),
            std::string::npos)
      << text;
}

TEST(ReportFormatTable, HasNoExtensionTwice) {
  Names extensions;
  for (const ReportFormat& format : format_table()) {
    if (format.extension.empty()) continue;
    EXPECT_EQ(std::ranges::find(extensions, format.extension), extensions.end());
    extensions.push_back(format.extension);
  }
}

TEST(Table, ShowsOnlyTheRowsAndColumnsAskedFor) {
  const ReportSpec spec{{2, 14}, {"gradient_rms"}, std::nullopt};
  Result result = made_result();
  result.cases.erase(result.cases.begin());
  expect_snapshot(
      "made_rows.table",
      render_table(result, [&](const CaseResult&) -> const ReportSpec& { return spec; }));
  expect_snapshot("made_rows.csv",
                  render_csv(result, [&](const CaseResult&) -> const ReportSpec& { return spec; }));
}

TEST(Table, ShowsTheOutputOnlyWhereItDiffersFromTheLastLayer) {
  Result result = made_result();
  result.cases.pop_back();
  EXPECT_NE(render_table(result, made_spec).find("output"), std::string::npos);
  result.cases[0].scalars[1].value = result.cases[0].columns[0].values.back();
  EXPECT_EQ(render_table(result, made_spec).find("output"), std::string::npos);
}

TEST(Article, NeedsALine) {
  const ReportSpec spec{{}, {"forward_rms"}, std::nullopt};
  const auto error = testing::error_of([&] {
    render_article(made_result(), [&](const CaseResult&) -> const ReportSpec& { return spec; });
  });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message(), "\"made\" has no report.line to print");
}

TEST(StoryRows, AreAllOfAFewAndRoundNumbersOfMany) {
  using Rows = std::vector<std::int64_t>;
  EXPECT_EQ(story_rows(0), Rows{});
  EXPECT_EQ(story_rows(3), (Rows{1, 2, 3}));
  EXPECT_EQ(story_rows(12).size(), 12U);
  EXPECT_EQ(story_rows(13), (Rows{1, 2, 5, 10, 13}));
  EXPECT_EQ(story_rows(50), (Rows{1, 2, 5, 10, 20, 50}));
  EXPECT_EQ(story_rows(100000).back(), 100000);
  EXPECT_EQ(story_rows(100000).size(), 16U);
}

TEST(Csv, OfManyRowsIsWrittenInTheirOrder) {
  // All of 100,000 rows chosen: looking each of them up must not take their square.
  Result result = made_result();
  result.cases = {testing::made_case("deep", 100'000, 1)};
  ReportSpec spec{{}, {"forward_rms"}, std::nullopt};
  for (std::int64_t row = 1; row <= 100'000; ++row) spec.rows.push_back(row);
  const std::string text =
      render_csv(result, [&](const CaseResult&) -> const ReportSpec& { return spec; });
  EXPECT_EQ(std::ranges::count(text, '\n'), 100'003);  // heading, input, rows, output
}

}  // namespace
}  // namespace sigstab
