// The progress line: what it says, and what is left out where there is no room.

#include "cli/progress.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sigstab {
namespace {

std::string line(const RunMeter::Reading& reading, double seconds, std::size_t columns = 80,
                 std::string_view name = "relu-widths") {
  return progress_line(name, reading, seconds, columns);
}

TEST(ProgressLine, HasRateAndTimeLeft) {
  EXPECT_EQ(line({412, 0, 3000, 412.0 / 3000}, 3.0),
            "relu-widths  412/3000  137/s  about 19 s left");
  EXPECT_EQ(line({30, 0, 3000, 0.01}, 10), "relu-widths  30/3000  3.0/s  about 16 min left");
  EXPECT_EQ(line({10, 0, 3000, 10.0 / 3000}, 60), "relu-widths  10/3000  10/min  about 5.0 h left");
}

// A run that is continued counts what it has, but its rate is that of its own work.
TEST(ProgressLine, TakesTheRateFromThisRunAlone) {
  EXPECT_EQ(line({100, 2800, 3000, 0.5}, 2), "relu-widths  2900/3000  50/s  about 2 s left");
}

TEST(ProgressLine, MovesWithinACase) {
  EXPECT_EQ(line({0, 0, 2, 0}, 1), "relu-widths  0/2  0%");
  EXPECT_EQ(line({0, 0, 2, 0.25}, 10), "relu-widths  0/2  25%  about 30 s left");
  EXPECT_EQ(line({1, 0, 2, 0.75}, 30), "relu-widths  1/2  75%  about 10 s left");
}

TEST(ProgressLine, FitsTheTerminal) {
  const RunMeter::Reading reading{412, 0, 3000, 412.0 / 3000};
  const std::string whole = line(reading, 3);
  for (std::size_t columns = 0; columns <= whole.size() + 1; ++columns) {
    const std::string cut = line(reading, 3, columns);
    EXPECT_LE(cut.size(), columns);
    EXPECT_TRUE(whole.starts_with(cut)) << cut;
  }
  EXPECT_EQ(line(reading, 3, 29), "relu-widths  412/3000  137/s");
  EXPECT_EQ(line(reading, 3, 27), "relu-widths  412/3000");
  EXPECT_EQ(line(reading, 3, 5), "relu-");
  // Characters, not bytes; and nothing that a terminal would obey.
  EXPECT_EQ(line(reading, 3, 3, "\xc3\xa9t\xc3\xa9s"), "\xc3\xa9t\xc3\xa9");
  EXPECT_EQ(line(reading, 3, 14, "a\033[2J\n\x7f"), "a?[2J??");
  EXPECT_EQ(line(reading, 3, 4, "a\u009b2J"), "a?2J");
}

TEST(RunMeter, CountsStepsAndTheRestAtTheEnd) {
  RunMeter run;
  run.begin(5, 8, 100);
  UnitMeter unit(&run, 40, 10, 100);
  for (int i = 0; i < 5; ++i) unit.step();
  EXPECT_NEAR(run.read().share, 0.2, 1e-9);
  for (int i = 0; i < 50; ++i) unit.step();  // more than were expected
  EXPECT_NEAR(run.read().share, 0.4, 1e-9);
  unit.end();
  UnitMeter other(&run, 60, 0, 100);
  other.step();
  other.end();
  EXPECT_NEAR(run.read().share, 1, 1e-9);
  EXPECT_EQ(run.read().before, 5u);
  EXPECT_EQ(run.read().all, 8u);
}

}  // namespace
}  // namespace sigstab
