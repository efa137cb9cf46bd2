// What a run tells while it goes on, and what is left of one that is interrupted.

#include "run/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "result/result_json.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::plan_of;

// Units of very different work, so that they finish out of order.
constexpr const char* kConfig = R"({"width": 64, "seeds": {"from": 0, "count": 3},
    "sweep": {"depth": [1, 40, 2, 30]}})";

TEST(Run, TellsCasesInTheOrderOfTheResultForAnyNumberOfThreads) {
  const Plan plan = plan_of(kConfig);
  for (int threads : {1, 4}) {
    std::vector<std::string> told;
    RunMeter meter;
    RunEvents events;
    events.meter = &meter;
    events.in_order = [&](std::size_t index, const CaseResult& one) {
      EXPECT_EQ(index, told.size());
      EXPECT_GT(meter.read().finished, index);
      told.push_back(one.label() + one.seed);
    };
    const Result result = run(plan, {threads, 1e12}, events);
    EXPECT_TRUE(result.complete);
    std::vector<std::string> expected;
    for (const CaseResult& one : result.cases) expected.push_back(one.label() + one.seed);
    EXPECT_EQ(told, expected);
    EXPECT_EQ(meter.read().finished, 12u);
    EXPECT_EQ(meter.read().all, 12u);
    EXPECT_DOUBLE_EQ(meter.read().share, 1);
  }
}

TEST(Run, KeepsWhatIsFinishedWhenItIsInterrupted) {
  const Plan plan = plan_of(kConfig);
  const Result whole = run(plan, {1, 1e12});
  for (int threads : {1, 3}) {
    std::atomic<bool> stop{false};
    std::vector<std::string> told;
    RunEvents events;
    events.interrupt = &stop;
    events.in_order = [&](std::size_t index, const CaseResult& one) {
      told.push_back(one.label() + one.seed);
      stop = index >= 3;
    };
    const Result part = run(plan, {threads, 1e12}, events);
    // Several threads may be through with all before the first is told.
    if (threads == 1) {
      ASSERT_LT(part.cases.size(), 12u);
    }
    EXPECT_EQ(part.complete, part.cases.size() == 12u);
    ASSERT_GE(part.cases.size(), 4u);
    EXPECT_EQ(told.size(), part.cases.size());
    for (const CaseResult& one : part.cases) {
      const auto same = std::ranges::find_if(whole.cases, [&](const CaseResult& other) {
        return other.label() == one.label() && other.seed == one.seed;
      });
      ASSERT_NE(same, whole.cases.end());
      EXPECT_EQ(same->columns[0].values, one.columns[0].values);
      EXPECT_EQ(&plan.report_of(one), &plan.report_of(*same));
    }
  }
}

// Within a case as well: at the next layer.
TEST(Run, EndsWithinALongCase) {
  std::atomic<bool> stop{false};
  RunEvents events;
  events.interrupt = &stop;
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  const Result none = run(plan_of(R"({"width": 512, "depth": 100000})"), {1, 1e13}, events);
  user.join();
  EXPECT_TRUE(none.cases.empty());
  EXPECT_FALSE(none.complete);
}

}  // namespace
}  // namespace sigstab
