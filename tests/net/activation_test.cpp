// Every activation's value and slope against 400-digit arithmetic over the whole range of both
// types, and against PyTorch at kinks, infinities and nan.
//
// Tolerance, of a value v and a slope s at z: some roundings of the result and of what rounding z
// changes in it, eps (|v| + |z v'|); and some of the smallest subnormals, where factors are
// rounded.

#include "net/activation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/named_table.hpp"
#include "support/reference_file.hpp"

namespace sigstab {
namespace {

using nlohmann::json;

Activation with_defaults(std::string_view name) {
  Activation activation{find_row(activation_table(), name), {}};
  for (std::size_t i = 0; i < activation.row->parameters.size(); ++i) {
    activation.parameters[i] = activation.row->parameters[i].fallback;
  }
  return activation;
}

double number(const json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}

Activation activation_of(const json& entry) {
  Activation f = with_defaults(entry["name"].get<std::string>());
  for (const auto& [key, value] : entry["parameters"].items()) {
    const Parameter* parameter = find_row(f.row->parameters, key);
    f.parameters[static_cast<std::size_t>(parameter - f.row->parameters.data())] =
        value.get<double>();
  }
  return f;
}

const json& reference() {
  static const json file = testing::reference_file("activation_reference.json");
  return file["activations"];
}

// `change`: the derivative of what is compared; `slack`: in roundings of 1.
template <class T>
void expect_close(T ours, double theirs, double z, double change, double slack,
                  const std::string& what) {
  if (std::fabs(theirs) > static_cast<double>(std::numeric_limits<T>::max())) {
    EXPECT_EQ(static_cast<double>(ours), std::copysign(HUGE_VAL, theirs)) << what;
    return;
  }
  constexpr double kEpsilon = std::numeric_limits<T>::epsilon();
  constexpr double kSmallest = static_cast<double>(std::numeric_limits<T>::denorm_min());
  const double conditioned = std::isfinite(change) ? std::fabs(z) * std::fabs(change) : 0;
  const double relative = 4 * (std::fabs(theirs) + conditioned);
  const double tolerance = kEpsilon * (relative + slack) + 500 * kSmallest;
  EXPECT_LE(std::fabs(static_cast<double>(ours) - theirs), tolerance)
      << what << ": " << ours << ", not " << theirs;
}

template <class T>
void check_values(const char* type) {
  for (const json& entry : reference()) {
    const Activation f = activation_of(entry);
    ASSERT_GT(entry[type].size(), 40U);
    for (const json& row : entry[type]) {
      const double value = number(row[1]), slope = number(row[2]), curvature = number(row[3]);
      const T z[] = {static_cast<T>(number(row[0]))};
      T a[1], g[] = {1};
      f.apply(z, a);
      f.backward(z, g);
      const double at = static_cast<double>(z[0]);
      const std::string what =
          entry["name"].get<std::string>() + entry["parameters"].dump() + " at " + row[0].dump();
      expect_close(a[0], value, at, slope, 0, what);
      const bool from_value = f.row->name == "tanh" || f.row->name == "softcap";
      expect_close(g[0], slope, at, curvature, from_value ? 1 : 0, what + ", slope");
    }
  }
}

TEST(Activation, EveryRowHasReferenceValues) {
  for (const ActivationRow& row : activation_table()) {
    bool found = false;
    for (const json& entry : reference()) found = found || entry["name"] == row.name;
    EXPECT_TRUE(found) << row.name;
    EXPECT_FALSE(row.source.empty()) << row.name;
  }
}

TEST(Activation, Float64IsAccurateOverItsWholeRange) { check_values<double>("float64"); }
TEST(Activation, Float32IsAccurateOverItsWholeRange) { check_values<float>("float32"); }

template <class T>
void check_special() {
  for (const json& entry : reference()) {
    const Activation f = activation_of(entry);
    for (const json& row : entry["special"]) {
      const T z[] = {static_cast<T>(number(row[0]))};
      T a[1], g[] = {1};
      f.apply(z, a);
      f.backward(z, g);
      const double ours[] = {static_cast<double>(a[0]), static_cast<double>(g[0])};
      for (std::size_t i = 0; i < 2; ++i) {
        const double theirs = number(row[i + 1]);
        const std::string what =
            entry["name"].get<std::string>() + " at " + row[0].dump() + (i == 0 ? "" : ", slope");
        if (!std::isfinite(theirs)) {
          EXPECT_EQ(std::isnan(ours[i]), std::isnan(theirs)) << what << ": " << ours[i];
          EXPECT_TRUE(std::isnan(theirs) || ours[i] == theirs) << what;
        } else {
          EXPECT_NEAR(ours[i], theirs, 2 * std::numeric_limits<T>::epsilon() * std::fabs(theirs))
              << what;
        }
      }
    }
  }
}

TEST(Activation, KinksInfinitiesAndNanArePytorchs) {
  check_special<double>();
  check_special<float>();
}

TEST(Activation, ArraysAreTheScalarFunctionElementwise) {
  const std::vector<double> z = {-2.0, -0.5, 0.0, 0.5, 2.0};
  for (const ActivationRow& row : activation_table()) {
    const Activation f = with_defaults(row.name);
    std::vector<double> a(z.size()), g(z.size(), 3.0);
    f.apply(z, a);
    f.backward(z, g);
    for (std::size_t i = 0; i < z.size(); ++i) {
      EXPECT_EQ(a[i], f.value(z[i])) << row.name;
      EXPECT_EQ(g[i], 3.0 * f.slope(z[i])) << row.name;
    }
    std::vector<double> in_place = z;
    f.apply(in_place, in_place);
    EXPECT_EQ(in_place, a) << row.name;
  }
}

TEST(Activation, NanStaysNan) {
  for (const ActivationRow& row : activation_table()) {
    const Activation f = with_defaults(row.name);
    EXPECT_TRUE(std::isnan(f.value(std::numeric_limits<double>::quiet_NaN()))) << row.name;
  }
}

TEST(Activation, ACutGradientIsZeroEvenIfItWasInfinite) {
  for (const char* name : {"relu", "relu6", "relu_squared", "hardtanh", "hardswish", "reglu"}) {
    const double z[] = {-4};
    double g[] = {std::numeric_limits<double>::infinity()};
    with_defaults(name).backward(z, g);
    EXPECT_EQ(g[0], 0) << name;
  }
}

TEST(Activation, GatesAreGatedAndNothingElseIs) {
  for (const ActivationRow& row : activation_table()) {
    EXPECT_EQ(row.gated, row.name.find("glu") != std::string_view::npos) << row.name;
  }
}

// Closed forms; the others' peaks from the reference's own slopes below.
TEST(Activation, TheSteepestSlopeIsThatOfTheFormula) {
  const auto steepest = [](std::string_view name, double parameter) {
    Activation f = with_defaults(name);
    if (!f.row->parameters.empty()) f.parameters[0] = parameter;
    return steepest_slope(f);
  };
  const auto expect = [](double ours, double theirs) { EXPECT_NEAR(ours, theirs, 1e-12 * theirs); };
  expect(steepest("linear", 0), 1);
  expect(steepest("relu6", 0), 1);
  expect(steepest("leaky_relu", 0.01), 1);
  expect(steepest("leaky_relu", -3), 3);
  expect(steepest("elu", 0.5), 1);
  expect(steepest("elu", 7), 7);
  expect(steepest("selu", 0), 1.0507009873554804934 * 1.6732632423543772848);
  expect(steepest("sigmoid", 0), 0.25);
  expect(steepest("softcap", 1e-6), 1);
  expect(steepest("softcap", 1e6), 1);
  expect(steepest("sin", 0), 1);
  expect(steepest("erf", 0), 2 / std::sqrt(std::acos(-1.0)));
  expect(steepest("hardswish", 0), 1.5);  // the limit at 3 from below
  // z = sqrt(2): Phi(sqrt 2) + sqrt 2 phi(sqrt 2).
  expect(steepest("gelu", 0), (1 + std::erf(1.0)) / 2 + std::exp(-1.0) / std::sqrt(std::acos(-1)));
  // silu' = s + z s (1 - s) peaks where z tanh(z/2) = 2, at 2.3993572805: 1.0998393201288669.
  expect(steepest("silu", 0), 1.0998393201288669);
  EXPECT_EQ(steepest("relu_squared", 0), HUGE_VAL);
}

TEST(Activation, NoSlopeIsSteeperThanTheSteepest) {
  for (const json& entry : reference()) {
    const Activation f = activation_of(entry);
    const double steepest = steepest_slope(f);
    EXPECT_GT(steepest, 0) << f.row->name;
    for (const json& row : entry["float64"]) {
      EXPECT_LE(std::fabs(number(row[2])), steepest * (1 + 1e-12)) << f.row->name << row[0];
    }
  }
}

}  // namespace
}  // namespace sigstab
