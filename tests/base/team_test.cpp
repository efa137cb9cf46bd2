// Members run together, every round, and exceptions reach the caller.

#include "base/team.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace sigstab {
namespace {

TEST(Team, EveryMemberWorksOnceInEveryRound) {
  for (int size : {1, 2, 5}) {
    Team team(size);
    std::vector<int> counts(static_cast<std::size_t>(size));
    for (int round = 0; round < 2000; ++round) {
      team.run([&](int member) { ++counts[static_cast<std::size_t>(member)]; });
      const int sum = std::accumulate(counts.begin(), counts.end(), 0);
      ASSERT_EQ(sum, (round + 1) * size);
    }
  }
}

TEST(Team, AnExceptionOfAnyMemberIsThrownAndTheTeamGoesOn) {
  Team team(3);
  for (int thrower = 0; thrower < 3; ++thrower) {
    EXPECT_THROW(team.run([&](int member) {
      if (member == thrower) throw std::runtime_error("no");
    }),
                 std::runtime_error);
    int done = 0;
    team.run([&](int member) {
      if (member == 0) done = 1;
    });
    EXPECT_EQ(done, 1);
  }
}

TEST(SplitChooser, TakesTheFasterWayAndNoticesWhenThatChanges) {
  SplitChooser chooser(2);
  const auto share_of_two = [&](double one, double two, int calls) {
    int twos = 0;
    for (int i = 0; i < calls; ++i) {
      const int members = chooser.choose();
      twos += members == 2;
      chooser.took(members == 1 ? one : two);
    }
    return static_cast<double>(twos) / calls;
  };
  EXPECT_GT(share_of_two(2.0, 1.0, 1000), 0.9);
  EXPECT_LT(share_of_two(1.0, 3.0, 3000), 0.2);
  EXPECT_EQ(SplitChooser(1).choose(), 1);
}

}  // namespace
}  // namespace sigstab
