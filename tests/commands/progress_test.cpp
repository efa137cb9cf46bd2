// The progress line on a terminal: there while the work goes on, gone when it ends.

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

constexpr const char* kMany =
    R"({"width": 64, "depth": 20, "seeds": {"from": 0, "count": 200000}})";
constexpr const char* kOneLarge = R"({"width": 512, "depth": 100000})";

class Progress : public Command {};

TEST_F(Progress, ShowsRateAndTimeLeftAndGoesAway) {
  write("many.json", kMany);
  const std::regex line("\rmany  [0-9]+/200000  [0-9.]+/s  about [0-9.]+ (s|min|h) left\033\\[K");
  const Outcome done = run_on_terminal({"run", "many.json", "-o", "r.jsonl"}, {80}, line);
  EXPECT_TRUE(std::regex_search(done.out, line)) << done.out;
  EXPECT_EQ(done.code, 130);  // Ctrl-C, typed at the terminal
  // Each line is written over the one before; it is cleared once, at the end, and what is printed
  // then starts on a clean line, but for the terminal's echo of the key.
  EXPECT_TRUE(std::regex_search(done.out, std::regex("\r\033\\[K(\\^C)?sigstab: interrupted: ")))
      << done.out;
  EXPECT_EQ(done.out.find("\r\033[K"), done.out.rfind("\r\033[K")) << "it flickers";
  EXPECT_FALSE(has(done.out, "\n\r")) << "it scrolls";
  EXPECT_FALSE(std::regex_search(done.out, std::regex("\033\\[[0-9;]*m")));
}

TEST_F(Progress, MovesWithinALargeCase) {
  write("large.json", kOneLarge);
  const std::regex line("large  0/1  [0-9]+%  about .* left");
  const Outcome done = run_on_terminal({"run", "large.json"}, {80}, line);
  EXPECT_TRUE(std::regex_search(done.out, line)) << done.out;
  EXPECT_EQ(done.code, 130);
}

TEST_F(Progress, FitsANarrowTerminal) {
  write("many.json", kMany);
  const std::regex line("\rmany  [0-9]+/200000\033\\[K");
  const Outcome done = run_on_terminal({"run", "many.json", "-o", "r.jsonl"}, {22}, line);
  EXPECT_TRUE(std::regex_search(done.out, line)) << done.out;
}

TEST_F(Progress, IsNotShownWhereItWouldBeNoise) {
  write("some.json", R"({"width": 512, "depth": 4, "seeds": {"from": 0, "count": 150}})");
  // A dumb terminal; the file is no terminal either.
  const Outcome dumb = run_on_terminal({"run", "some.json", "-o", "r.jsonl"}, {80, "dumb"}, {});
  EXPECT_EQ(dumb.code, 0);
  EXPECT_EQ(dumb.out, "");
  EXPECT_EQ(run({"run", "some.json", "-o", "r.jsonl"}).err, "");
  // Lines that are printed meanwhile are whole.
  const Outcome lines = run_on_terminal({"run", "some.json", "--format", "jsonl"}, {80}, {});
  EXPECT_EQ(lines.code, 0);
  const std::regex drawn("\r[^\r\n]*\033\\[K");
  const std::string text = std::regex_replace(lines.out, drawn, "");
  const Outcome plain = run({"run", "some.json", "--format", "jsonl"});
  EXPECT_EQ(std::regex_replace(text, std::regex("\r\n"), "\n"), plain.out);
}

}  // namespace
}  // namespace sigstab::testing
