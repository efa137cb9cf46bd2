// Every command shown in README.md and the pages below docs/ is run, and the output shown compared.
//
// In a ```console block, a line "$ command" is run by sh in a fresh directory that the page's
// commands share; the lines up to the next "$" are its output (stdout and stderr), "..." standing
// for any lines. A block that follows the comment <!-- file: NAME --> is first written to that
// file. A block after
// <!-- not run --> is left alone.
//
// Every link and picture of these pages that is not on the web leads to a file, and to a heading
// of it where it names one.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.hpp"

namespace {

namespace fs = std::filesystem;

std::string run(const fs::path& folder, const std::string& command) {
  const fs::path binary = fs::path(sigstab::testing::binary_path()).parent_path();
  std::ofstream(folder / ".command") << command << "\n";
  const std::string whole = "cd '" + folder.string() + "' && PATH='" + binary.string() +
                            "':\"$PATH\" sh .command 2>&1 </dev/null";
  FILE* pipe = popen(whole.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), n);
  }
  pclose(pipe);
  return output;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// "..." matches any number of lines, none included.
bool matches(const std::vector<std::string>& shown, std::size_t s,
             const std::vector<std::string>& got, std::size_t g) {
  if (s == shown.size()) return g == got.size();
  if (shown[s] == "...") {
    for (std::size_t skip = g; skip <= got.size(); ++skip) {
      if (matches(shown, s + 1, got, skip)) return true;
    }
    return false;
  }
  return g < got.size() && shown[s] == got[g] && matches(shown, s + 1, got, g + 1);
}

struct Block {
  std::string language, file;
  bool skipped = false;
  std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const fs::path& page) {
  std::vector<Block> blocks;
  std::ifstream stream(page);
  Block next;
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) {
      if (inside) {
        blocks.push_back(next);
        next = {};
      } else {
        next.language = line.substr(3);
      }
      inside = !inside;
    } else if (inside) {
      next.lines.push_back(line);
    } else if (line.starts_with("<!-- file: ")) {
      next.file = line.substr(11, line.find(" -->") - 11);
    } else if (line == "<!-- not run -->") {
      next.skipped = true;
    }
  }
  return blocks;
}

void check_page(const fs::path& page) {
  std::string pattern = (fs::temp_directory_path() / "sigstab-docs-XXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data());
  for (const Block& block : blocks_of(page)) {
    if (block.skipped) continue;
    if (!block.file.empty()) {
      fs::create_directories((folder / block.file).parent_path());
      std::ofstream file(folder / block.file);
      for (const std::string& line : block.lines) file << line << "\n";
      continue;
    }
    if (block.language != "console") continue;
    for (std::size_t i = 0; i < block.lines.size();) {
      ASSERT_TRUE(block.lines[i].starts_with("$ ")) << page << ": " << block.lines[i];
      const std::string command = block.lines[i++].substr(2);
      std::vector<std::string> shown;
      while (i < block.lines.size() && !block.lines[i].starts_with("$ ")) {
        shown.push_back(block.lines[i++]);
      }
      const std::string output = run(folder, command);
      EXPECT_TRUE(matches(shown, 0, lines_of(output), 0))
          << page << "\n$ " << command << "\nprints\n"
          << output;
    }
  }
  fs::remove_all(folder);
}

std::vector<std::string> pages() {
  std::vector<std::string> names = {"README.md"};
  const fs::path root = sigstab::testing::source_path("");
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") names.push_back(fs::relative(entry, root));
  }
  std::ranges::sort(names);
  return names;
}

class Docs : public ::testing::TestWithParam<std::string> {};

// The lines of a page outside its blocks of code, without `code`.
std::vector<std::string> prose_of(const fs::path& page) {
  std::vector<std::string> prose;
  std::ifstream stream(page);
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) inside = !inside;
    if (inside || line.starts_with("```")) continue;
    prose.push_back(std::regex_replace(line, std::regex("`[^`]*`"), ""));
  }
  return prose;
}

// What GitHub makes of headings: "## Two fans, one spread" is #two-fans-one-spread.
std::vector<std::string> anchors_of(const fs::path& page) {
  std::vector<std::string> anchors;
  std::ifstream stream(page);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t level = line.find_first_not_of('#');
    if (level == 0 || level == std::string::npos || line[level] != ' ') continue;
    std::string anchor;
    for (const unsigned char c : line.substr(level + 1)) {
      if (std::isalnum(c) != 0 || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(c));
      if (c == ' ') anchor += '-';
    }
    anchors.push_back(anchor);
  }
  return anchors;
}

// A page's links that are not on the web, as written, in Markdown or HTML.
std::vector<std::string> links_of(const fs::path& page) {
  const std::regex link(R"re(\]\(([^)\s]+)\)|(?:href|src|srcset)="([^"\s]+)")re");
  std::vector<std::string> links;
  for (const std::string& line : prose_of(page)) {
    for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at) {
      const std::string target = (*at)[1].matched ? (*at)[1] : (*at)[2];
      if (target.find(':') == std::string::npos) links.push_back(target);
    }
  }
  return links;
}

TEST_P(Docs, EveryLinkLeadsToAFileAndAHeading) {
  const fs::path page = sigstab::testing::source_path(GetParam());
  for (const std::string& target : links_of(page)) {
    const std::size_t hash = target.find('#');
    const std::string name = target.substr(0, hash);
    const fs::path file = name.empty() ? page : page.parent_path() / name;
    EXPECT_TRUE(fs::exists(file)) << page << ": " << target;
    if (hash == std::string::npos) continue;
    const std::vector<std::string> anchors = anchors_of(file);
    EXPECT_NE(std::ranges::find(anchors, target.substr(hash + 1)), anchors.end())
        << page << ": " << target;
  }
}

TEST_P(Docs, EveryCommandShownPrintsWhatIsShown) {
  check_page(sigstab::testing::source_path(GetParam()));
}

std::string test_name(const ::testing::TestParamInfo<std::string>& page) {
  std::string name = page.param;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Pages, Docs, ::testing::ValuesIn(pages()), test_name);

}  // namespace
