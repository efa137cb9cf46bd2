// The layers look one way: base <- math <- random <- net <- pipeline <- experiments <- cli <- main.
//
// Reads the includes of every source file. Also: one file alone knows BLAS, one alone CLI11, and
// files stay under 400 lines.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = sigstab::testing::source_path("");

struct Include {
  std::string file, layer, target;
};

std::vector<fs::path> sources() {
  std::vector<fs::path> files;
  for (const char* folder : {"src", "experiments"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") {
        files.push_back(entry.path());
      }
    }
  }
  return files;
}

std::string layer_of(const fs::path& file) {
  const fs::path relative = fs::relative(file, kRoot);
  if (*relative.begin() == "experiments") return "experiments";
  const fs::path below = fs::relative(file, kRoot / "src");
  return std::distance(below.begin(), below.end()) == 1 ? "main" : below.begin()->string();
}

// The target of an #include line; empty for any other.
std::string include_target(const std::string& line) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos || line[start] != '#') return "";
  if (line.find("include") == std::string::npos) return "";
  const std::size_t open = line.find_first_of("<\"", start);
  const std::size_t close = line.find_first_of(">\"", open + 1);
  if (open == std::string::npos || close == std::string::npos) return "";
  return line.substr(open + 1, close - open - 1);
}

std::vector<Include> includes() {
  std::vector<Include> found;
  for (const fs::path& file : sources()) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
      const std::string target = include_target(line);
      if (!target.empty())
        found.push_back({fs::relative(file, kRoot).string(), layer_of(file), target});
    }
  }
  return found;
}

TEST(Layers, no_file_includes_a_layer_above_its_own) {
  const std::vector<std::string> order = {"base",     "math",        "random", "net",
                                          "pipeline", "experiments", "cli",    "main"};
  const auto rank = [&](const std::string& layer) {
    return std::ranges::find(order, layer) - order.begin();
  };
  std::size_t checked = 0;
  for (const Include& include : includes()) {
    const std::string target = include.target.substr(0, include.target.find('/'));
    if (std::ranges::find(order, target) == order.end()) continue;
    ASSERT_NE(std::ranges::find(order, include.layer), order.end()) << include.file;
    EXPECT_LE(rank(target), rank(include.layer)) << include.file << " includes " << include.target;
    ++checked;
  }
  EXPECT_GT(checked, 100u);
}

TEST(Layers, one_file_alone_knows_blas_and_one_alone_the_command_line_parser) {
  for (const Include& include : includes()) {
    if (include.target == "cblas.h") {
      EXPECT_EQ(include.file, "src/math/blas.cpp");
    } else if (include.target.starts_with("CLI/")) {
      EXPECT_EQ(include.file, "src/cli/cli.cpp");
    }
  }
}

TEST(Layers, files_stay_under_400_lines) {
  for (const fs::path& file : sources()) {
    std::ifstream stream(file);
    const auto lines = std::count(std::istreambuf_iterator<char>(stream), {}, '\n');
    EXPECT_LE(lines, 400) << file;
  }
}

}  // namespace
