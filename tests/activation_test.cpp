// Every activation's value and slope against 40-digit arithmetic, in both precisions, and its
// behaviour at nan and at large inputs.

#include "net/activation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/named_table.hpp"
#include "reference_file.hpp"

namespace sigstab {
namespace {

Activation with_defaults(std::string_view name) {
  Activation activation{find_row(activation_table(), name), {}};
  for (std::size_t i = 0; i < activation.row->parameters.size(); ++i) {
    activation.parameters[i] = activation.row->parameters[i].fallback;
  }
  return activation;
}

// A few roundings of the type, relative to the value; a slope that is a difference of terms near 1
// may also be off by half a rounding of 1.
void expect_close(double ours, double theirs, double epsilon, const std::string& what) {
  EXPECT_LE(std::fabs(ours - theirs), std::max(16 * epsilon * std::fabs(theirs), epsilon / 2))
      << what;
}

TEST(Activation, every_row_has_reference_values) {
  const nlohmann::json reference = testing::reference_file("net_reference.json")["activations"];
  EXPECT_EQ(reference.size(), activation_table().size());
}

TEST(Activation, values_and_slopes_are_those_of_high_precision_arithmetic) {
  const nlohmann::json activations = testing::reference_file("net_reference.json")["activations"];
  for (const auto& entry : activations) {
    const std::string name = entry["name"].get<std::string>();
    ASSERT_NE(find_row(activation_table(), name), nullptr) << name;
    const Activation f = with_defaults(name);
    for (const auto& row : entry["z_value_slope"]) {
      const double z = row[0].get<double>();
      const std::string what = name + " at " + row[0].dump();
      expect_close(f.value(z), row[1].get<double>(), 2.3e-16, what);
      expect_close(f.slope(z), row[2].get<double>(), 2.3e-16, what + ", slope");
      const float z32[] = {static_cast<float>(z)};
      float a[1], g[] = {1};
      f.apply(z32, a);
      f.backward(z32, g);
      // z itself is rounded, which a steep function magnifies by z f'/f.
      const double slack = 1.2e-7 * (1 + std::fabs(z));
      expect_close(static_cast<double>(a[0]), row[1].get<double>(), slack, what + ", float32");
      expect_close(static_cast<double>(g[0]), row[2].get<double>(), slack,
                   what + ", float32 slope");
    }
  }
}

TEST(Activation, arrays_are_the_scalar_function_elementwise) {
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
  }
}

TEST(Activation, nan_stays_nan_and_large_inputs_do_not_become_nan) {
  for (const ActivationRow& row : activation_table()) {
    const Activation f = with_defaults(row.name);
    EXPECT_TRUE(std::isnan(f.value(std::numeric_limits<double>::quiet_NaN()))) << row.name;
    for (double z : {-700.0, -100.0, 100.0, 700.0}) {
      EXPECT_TRUE(std::isfinite(f.value(z))) << row.name << " at " << z;
      EXPECT_TRUE(std::isfinite(f.slope(z))) << row.name << " at " << z;
    }
  }
}

TEST(Activation, slopes_are_finite_wherever_the_input_is) {
  for (const ActivationRow& row : activation_table()) {
    const Activation f = with_defaults(row.name);
    for (double z : {-1e200, -1e30, 1e30, 1e200}) {
      EXPECT_TRUE(std::isfinite(f.slope(z))) << row.name << " at " << z;
      const float z32[] = {static_cast<float>(std::copysign(1e30, z))};
      float g[] = {1};
      f.backward(z32, g);
      EXPECT_TRUE(std::isfinite(g[0])) << row.name << " at " << z32[0];
    }
  }
}

TEST(Activation, a_cut_gradient_is_zero_even_if_it_was_infinite) {
  for (const char* name : {"relu", "hardtanh"}) {
    const double z[] = {-3};
    double g[] = {std::numeric_limits<double>::infinity()};
    with_defaults(name).backward(z, g);
    EXPECT_EQ(g[0], 0) << name;
  }
}

TEST(Activation, relu_has_pytorchs_slope_at_its_kink) {
  EXPECT_EQ(with_defaults("relu").slope(0.0), 0.0);
  EXPECT_EQ(with_defaults("leaky_relu").slope(0.0), 0.01);
}

}  // namespace
}  // namespace sigstab
