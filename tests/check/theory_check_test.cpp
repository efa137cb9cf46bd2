// Sizes over seeds against theory: what agrees, what is told of a wrong gain, what has no
// prediction.

#include "check/theory_check.hpp"

#include <gtest/gtest.h>

#include "run/run.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::plan_of;

constexpr double kLimit = 5;

std::vector<TheoryVerdict> verdicts(const std::string& planned, const std::string& ran) {
  return check_theory(plan_of(planned), run(plan_of(ran), {2, 1e12}), kLimit);
}

std::string config(const std::string& gain) {
  return R"({"width": 128, "depth": 20, "activation": "relu", "init": {"kind": "he", "gain": )" +
         gain + R"(}, "seeds": {"from": 0, "count": 20}})";
}

TEST(TheoryCheck, AgreesWithStacksAsTheyAre) {
  for (const char* change : {R"("activation": "gelu")", R"("norm": "layernorm")",
                             R"("layer": "mlp", "residual": "plain", "norm": "rmsnorm")",
                             R"("activation": "tanh", "residual": "plain", "tokens": 4)"}) {
    const std::string text =
        std::string(R"({"width": 96, "depth": 12, "seeds": [0, 1, 2, 3], )") + change + "}";
    const auto both = verdicts(text, text);
    ASSERT_EQ(both.size(), 2u) << change;
    for (const TheoryVerdict& v : both) {
      EXPECT_TRUE(v.passed()) << change << " " << v.column << " z " << v.worst_z;
      EXPECT_EQ(v.seeds, 4u);
    }
  }
}

TEST(TheoryCheck, CatchesAGainThatIsATenthTooLarge) {
  for (const TheoryVerdict& v : verdicts(config("1"), config("1.1"))) {
    EXPECT_FALSE(v.passed());
    if (v.column == "forward_rms") {
      EXPECT_LE(v.departs, 8);
      EXPECT_GT(v.measured, v.predicted);
    } else {
      EXPECT_GE(v.departs, 12);  // it travels the other way
    }
  }
  for (const TheoryVerdict& v : verdicts(config("1.1"), config("1.1"))) EXPECT_TRUE(v.passed());
}

TEST(TheoryCheck, AgreesWhereSizesAreZero) {
  const std::string zeros = R"({"width": 32, "depth": 3, "init": "zeros", "seeds": [0, 1]})";
  for (const TheoryVerdict& v : verdicts(zeros, zeros)) EXPECT_TRUE(v.passed()) << v.column;
}

TEST(TheoryCheck, SaysWhyThereIsNothingToCompare) {
  const std::string arithmetic = R"({"experiment": "norm_arithmetic"})";
  const auto none = verdicts(arithmetic, arithmetic);
  ASSERT_EQ(none.size(), 1u);
  EXPECT_EQ(none[0].column, "");
  EXPECT_NE(none[0].why.find("stacks"), std::string::npos);
}

}  // namespace
}  // namespace sigstab
