// Integrals, and the moments of activations against 30-digit quadrature.

#include "theory/mean_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/named_table.hpp"
#include "math/quadrature.hpp"
#include "support/reference_file.hpp"

namespace sigstab {
namespace {

Activation with_defaults(std::string_view name) {
  Activation activation{find_row(activation_table(), name), {}};
  for (std::size_t i = 0; i < activation.row->parameters.size(); ++i) {
    activation.parameters[i] = activation.row->parameters[i].fallback;
  }
  return activation;
}

TEST(Quadrature, IntegratesPolynomialsPeaksAndKinks) {
  const double unit[] = {0, 1};
  EXPECT_NEAR(integrate([](double x) { return std::pow(x, 22); }, unit), 1.0 / 23, 1e-16);
  const double around[] = {-3, -1, 2};
  EXPECT_NEAR(integrate([](double x) { return x * x; }, around), 35.0 / 3, 1e-14);
  // A kink away from every break.
  EXPECT_NEAR(integrate([](double x) { return std::fabs(x - 1 / std::numbers::e); }, unit),
              0.5 - 1 / std::numbers::e + 1 / std::numbers::e / std::numbers::e, 1e-13);
  // A step, which no polynomial is near.
  EXPECT_NEAR(integrate([](double x) { return x < 0.3 ? 1.0 : 0.0; }, unit), 0.3, 1e-13);
  const double wide[] = {-100, 0, 100};
  EXPECT_NEAR(integrate([](double x) { return std::exp(-x * x); }, wide),
              std::sqrt(std::numbers::pi), 1e-13);
}

TEST(Quadrature, EndsWhereTheFunctionIsNan) {
  const double unit[] = {0, 1};
  EXPECT_TRUE(std::isnan(integrate([](double x) { return std::sqrt(x - 0.5); }, unit)));
}

TEST(MeanField, MomentsAreThoseOfHighPrecisionQuadrature) {
  const nlohmann::json moments = testing::reference_file("mean_field_reference.json")["moments"];
  ASSERT_GE(moments.size(), 80U);
  for (const auto& entry : moments) {
    const auto name = entry["name"].get<std::string>();
    const double spread = entry["spread"].get<double>();
    const auto want = entry["mean_second_slope"].get<std::vector<double>>();
    SCOPED_TRACE(name + " at spread " + std::to_string(spread));
    const ActivationMoments ours = activation_moments(with_defaults(name), spread);
    // The mean of a nearly odd function is a difference of terms as large as the root of the second
    // moment.
    EXPECT_NEAR(ours.mean, want[0], 1e-12 * std::sqrt(want[1]));
    EXPECT_NEAR(ours.second_moment, want[1], 1e-12 * want[1]);
    EXPECT_NEAR(ours.slope_second_moment, want[2], 1e-12 * want[2]);
  }
}

// Far coarser, but of every row: the trapezoid rule on a fine grid.
TEST(MeanField, MomentsOfEveryRowAgreeWithAPlainSum) {
  constexpr double kStep = 1e-3, kReach = 10;
  for (const ActivationRow& row : activation_table()) {
    for (double spread : {0.5, 1.0, 3.0}) {
      const Activation f = with_defaults(row.name);
      double second = 0, slope = 0;
      for (double z = -kReach + kStep / 2; z < kReach; z += kStep) {
        const double weight = kStep * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
        second += weight * f.value(spread * z) * f.value(spread * z);
        slope += weight * f.slope(spread * z) * f.slope(spread * z);
      }
      const ActivationMoments ours = activation_moments(f, spread);
      EXPECT_NEAR(ours.second_moment, second, 1e-5 * second) << row.name << " at " << spread;
      EXPECT_NEAR(ours.slope_second_moment, slope, 1e-3 * slope) << row.name << " at " << spread;
    }
  }
}

TEST(MeanField, OddFunctionsHaveMeanZeroAndNoSpreadGivesTheValue) {
  for (const char* name : {"tanh", "linear", "softsign", "hardtanh", "erf"}) {
    EXPECT_EQ(activation_moments(with_defaults(name), 1.7).mean, 0) << name;
  }
  EXPECT_EQ(activation_moments(with_defaults("sigmoid"), 0).mean, 0.5);
}

TEST(MeanField, HoldsFromTheSmallestSpreadToTheLargest) {
  for (double spread : {1e-8, 1e-3, 1e3, 1e8}) {
    const ActivationMoments relu = activation_moments(with_defaults("relu"), spread);
    EXPECT_NEAR(relu.second_moment / (spread * spread), 0.5, 1e-12) << spread;
    EXPECT_NEAR(relu.slope_second_moment, 0.5, 1e-12) << spread;
    // erf: E f'^2 = (4/pi) / sqrt(1 + 4 q), a spike of width 1/spread.
    const double slope = 4 / std::numbers::pi / std::sqrt(1 + 4 * spread * spread);
    const ActivationMoments erf = activation_moments(with_defaults("erf"), spread);
    EXPECT_NEAR(erf.slope_second_moment, slope, 1e-12 * slope) << spread;
  }
}

TEST(MeanField, SeesWhatIsFarNarrowerThanTheSpread) {
  Activation cap = with_defaults("softcap");
  cap.parameters[0] = 1e-6;
  // The slope's square is sech^4(z / cap), whose integral is 4/3 cap.
  const double want = 4e-6 / 3 / std::sqrt(2 * std::numbers::pi);
  EXPECT_NEAR(activation_moments(cap, 1).slope_second_moment, want, 1e-11 * want);
}

TEST(MeanField, FindsTheSteepestSlope) {
  EXPECT_EQ(steepest_slope(with_defaults("sigmoid")), 0.25);
  EXPECT_EQ(steepest_slope(with_defaults("tanh")), 1);
  EXPECT_EQ(steepest_slope(with_defaults("relu")), 1);
  // GELU's slope is Phi(z) + z phi(z), largest where 2 phi = z^2 phi: at sqrt(2).
  const double top = 0.5 * std::erfc(-1.0) + std::exp(-1.0) / std::sqrt(std::numbers::pi);
  EXPECT_NEAR(steepest_slope(with_defaults("gelu")), top, 1e-13);
}

}  // namespace
}  // namespace sigstab
