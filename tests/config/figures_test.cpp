// docs/figures.md against the article's experiments: every figure that they expect stands there
// once, under its experiment and protocol, and every row of the page stands for some figure.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/canned.hpp"
#include "config/read_config.hpp"
#include "support/paths.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    std::string part = text.substr(start, end - start);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    parts.push_back(part);
    start = end + separator.size();
  }
  return parts;
}

struct Figure {
  std::string experiment, id;
  Protocol protocol;
};

std::vector<Figure> expected_figures() {
  std::vector<Figure> figures;
  for (const CannedConfig& canned : canned_configs()) {
    if (canned.folder != "article") continue;
    const Plan plan = make_plan(read_config(canned.text, std::string(canned.name), {}));
    EXPECT_FALSE(plan.expectations.empty()) << canned.name;
    for (const Expectation& e : plan.expectations) {
      figures.push_back({std::string(canned.name), e.id, e.protocol});
    }
  }
  return figures;
}

struct PageRow {
  std::string figure, experiment;
  std::vector<std::string> names, protocols;

  // The pattern of this row that names the figure; "" for none.
  std::string match(const Figure& f) const {
    if (f.experiment != experiment) return "";
    for (const std::string& name : names) {
      const bool prefix = name.ends_with('*');
      if (prefix ? f.id.starts_with(name.substr(0, name.size() - 1)) : f.id == name) return name;
    }
    return "";
  }
};

std::vector<PageRow> page_rows() {
  std::ifstream page(testing::source_path("docs/figures.md"));
  std::vector<PageRow> rows;
  for (std::string line; std::getline(page, line);) {
    const std::vector<std::string> cells = split(line, "|");
    if (cells.size() != 7 || cells[1] == "figure" || cells[1].starts_with("--")) continue;
    rows.push_back({cells[1], cells[3], split(cells[4], ","), split(cells[5], ",")});
  }
  return rows;
}

TEST(Figures, HaveNamesOfTheirOwn) {
  std::set<std::string> ids;
  for (const Figure& f : expected_figures()) {
    EXPECT_TRUE(ids.insert(f.id).second) << f.id << " names two figures; one in " << f.experiment;
  }
  EXPECT_GT(ids.size(), 150U);
}

TEST(Figures, StandOnThePageOnceWithTheirProtocol) {
  const std::vector<PageRow> rows = page_rows();
  ASSERT_GT(rows.size(), 40U);
  std::map<std::string, std::set<std::string>> used;  // by row: patterns and protocols
  for (const Figure& f : expected_figures()) {
    std::size_t matches = 0;
    const std::string protocol(protocol_row(f.protocol).name);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string pattern = rows[i].match(f);
      if (pattern.empty()) continue;
      ++matches;
      EXPECT_NE(std::ranges::find(rows[i].protocols, protocol), rows[i].protocols.end())
          << f.id << " is by " << protocol << ", not as the page says";
      used[std::to_string(i)].insert({pattern, protocol});
    }
    EXPECT_EQ(matches, 1U) << f.experiment << " " << f.id;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].protocols == std::vector<std::string>{"a unit test"}) {
      EXPECT_TRUE(std::ifstream(testing::source_path(rows[i].experiment)).good());
      continue;
    }
    for (const auto* list : {&rows[i].names, &rows[i].protocols}) {
      for (const std::string& word : *list) {
        EXPECT_TRUE(used[std::to_string(i)].contains(word))
            << rows[i].figure << ": nothing is named " << word;
      }
    }
  }
}

}  // namespace
}  // namespace sigstab
