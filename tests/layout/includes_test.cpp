// The layout of the sources: rooms look one way (docs/design.md has their map), units form no
// circle, BLAS and the command-line parser are known to one file each, and files stay short.
//
// Reads the includes of every source file. A unit is a source with its headers: all files of one
// name in one folder.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/paths.hpp"

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = sigstab::testing::source_path("");

// From the ground up: a room may include those before it. experiments/ is the top of kinds.
const std::vector<std::string> kRooms = {
    "base",   "math",    "random", "net",         "checkpoint", "json", "result",
    "model",  "theory",  "kinds",  "experiments", "config",     "run",  "check",
    "report", "picture", "cli",    "commands",    "main"};

struct Include {
  std::string file, room, target;
};

std::vector<fs::path> sources() {
  std::vector<fs::path> files;
  for (const char* folder : {"src", "experiments"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const fs::path extension = entry.path().extension();
      if (extension == ".cpp" || extension == ".hpp" || extension == ".h") {
        files.push_back(entry.path());
      }
    }
  }
  return files;
}

// The path below src/, or below the root for what lies elsewhere: "net/init.cpp".
std::string name_of(const fs::path& file) {
  const std::string relative = fs::relative(file, kRoot).string();
  return relative.starts_with("src/") ? relative.substr(4) : relative;
}

std::string room_of(const std::string& name) {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? "main" : name.substr(0, slash);
}

std::string unit_of(const std::string& name) {
  const std::string stem = name.substr(0, name.rfind('.'));
  return stem.ends_with("-inl") ? stem.substr(0, stem.size() - 4) : stem;
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
    const std::string name = name_of(file);
    for (std::string line; std::getline(stream, line);) {
      const std::string target = include_target(line);
      if (!target.empty()) found.push_back({name, room_of(name), target});
    }
  }
  return found;
}

using Units = std::map<std::string, std::set<std::string>>;

// What each unit includes of the others.
Units units() {
  Units all;
  for (const Include& include : includes()) {
    if (!fs::exists(kRoot / "src" / include.target)) continue;
    const std::string from = unit_of(include.file), to = unit_of(include.target);
    if (from != to) all[from].insert(to);
  }
  return all;
}

// Takes away every unit that includes none that are left; what stays lies on circles or leads to
// one.
Units without_ground(Units left) {
  for (bool moved = true; moved;) {
    moved = false;
    for (auto unit = left.begin(); unit != left.end();) {
      const bool ground = std::ranges::none_of(
          unit->second, [&](const std::string& other) { return left.contains(other); });
      moved = moved || ground;
      unit = ground ? left.erase(unit) : std::next(unit);
    }
  }
  return left;
}

TEST(Includes, EveryRoomIsKnown) {
  for (const fs::path& file : sources()) {
    EXPECT_NE(std::ranges::find(kRooms, room_of(name_of(file))), kRooms.end()) << file;
  }
}

TEST(Includes, NoFileIncludesARoomAboveItsOwn) {
  const auto rank = [&](const std::string& room) {
    return std::ranges::find(kRooms, room) - kRooms.begin();
  };
  std::size_t checked = 0;
  for (const Include& include : includes()) {
    if (include.target.find('/') == std::string::npos) continue;
    const std::string target = room_of(include.target);
    if (std::ranges::find(kRooms, target) == kRooms.end()) continue;
    EXPECT_LE(rank(target), rank(include.room)) << include.file << " includes " << include.target;
    ++checked;
  }
  EXPECT_GT(checked, 100u);
}

TEST(Includes, NoUnitsFormACircle) {
  EXPECT_GT(units().size(), 100u);
  for (const auto& [unit, others] : without_ground(units())) {
    for (const std::string& other : others) ADD_FAILURE() << unit << " includes " << other;
  }
}

TEST(Includes, ACircleIsFound) {
  const Units circle = {{"a", {"b", "d"}}, {"b", {"c"}}, {"c", {"a"}}, {"d", {"e"}}};
  const Units left = without_ground(circle);
  EXPECT_EQ(left.size(), 3u);
  EXPECT_FALSE(left.contains("d"));
}

TEST(Includes, OneFileKnowsBlasAndOneTheCommandLineParser) {
  for (const Include& include : includes()) {
    if (include.target == "cblas.h") {
      EXPECT_EQ(include.file, "math/blas.cpp");
    } else if (include.target.starts_with("CLI/")) {
      EXPECT_EQ(include.file, "cli/cli.cpp");
    }
  }
}

TEST(Includes, FilesStayUnder400Lines) {
  for (const fs::path& file : sources()) {
    std::ifstream stream(file);
    const auto lines = std::count(std::istreambuf_iterator<char>(stream), {}, '\n');
    EXPECT_LE(lines, 400) << file;
  }
}

}  // namespace
