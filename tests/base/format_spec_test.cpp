// Numbers and texts against what Python and NumPy themselves print
// (tests/reference/make_format_reference.py), exactly.

#include "base/format_spec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "support/plan_of.hpp"
#include "support/reference_file.hpp"

namespace sigstab {
namespace {

using testing::error_of;

const nlohmann::json& reference() {
  static const nlohmann::json file = testing::reference_file("format_reference.json");
  return file;
}

double real(const nlohmann::json& text) {  // a hex float, nan, inf or -inf
  return std::strtod(text.get_ref<const std::string&>().c_str(), nullptr);
}

// Compares all rows of one part of the reference; `print` makes our text of a row.
template <class Print>
void compare(const char* part, std::size_t at_least, Print print) {
  const nlohmann::json& rows = reference().at(part);
  EXPECT_GE(rows.size(), at_least);
  for (const auto& row : rows) {
    const std::string spec = row.value("spec", "");
    EXPECT_EQ(print(row, spec), row.at("text").get<std::string>())
        << row.dump().substr(0, 300) << " spec \"" << spec << "\"";
  }
}

TEST(FormatSpec, PrintsRealNumbersAsPython) {
  compare("reals", 1000, [](const auto& row, const std::string& spec) {
    return FormatSpec(spec).format(real(row.at("value")));
  });
}

TEST(FormatSpec, PrintsIntegersAsPython) {
  compare("integers", 100, [](const auto& row, const std::string& spec) {
    return FormatSpec(spec).format(row.at("value").template get<std::int64_t>());
  });
}

TEST(FormatSpec, PrintsTextAsPython) {
  compare("texts", 80, [](const auto& row, const std::string& spec) {
    return FormatSpec(spec).format(row.at("value").template get<std::string>());
  });
}

TEST(FormatSpec, PrintsNanWithoutASign) {
  const double negative = -std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(FormatSpec(".3g").format(negative), "nan");
  EXPECT_EQ(FormatSpec().format(negative), "nan");
  EXPECT_EQ(python_repr(negative), "nan");
  EXPECT_EQ(numpy_array(std::vector<double>{negative}, 3), "[nan]");
}

TEST(FormatSpec, PrintsBooleansAsJsonDoes) {
  EXPECT_EQ(FormatSpec().format(true), "true");
  EXPECT_EQ(FormatSpec(">7").format(false), "  false");
  EXPECT_NE(FormatSpec(".3f").objection(true), "");
}

TEST(FormatSpec, RefusesWhatPythonRefuses) {
  const nlohmann::json& rows = reference().at("refused");
  EXPECT_GE(rows.size(), 15U);
  for (const auto& row : rows) {
    const auto type = row.at("type").get<std::string>(), spec = row.at("spec").get<std::string>();
    const Scalar value = type == "real"      ? Scalar(0.5)
                         : type == "integer" ? Scalar(std::int64_t{5})
                                             : Scalar(std::string("a"));
    bool objects = true;
    const auto error = error_of([&] { objects = !FormatSpec(spec).objection(value).empty(); });
    EXPECT_TRUE(error.has_value() || objects) << row.dump();
  }
}

TEST(FormatSpec, NeverFailsToFormatWhatItDidNotRefuse) {
  const std::vector<Scalar> values = {0.5, std::int64_t{5}, std::string("a"), true};
  for (const char* prefix : {"", "<", ">", "^", "=", "*<", "0>", "+^", "->", " ="}) {
    for (const char* flags : {"", "+", "-", " ", "#", "0", "+#0", "#0"}) {
      for (const char* tail :
           {"", "7", "200", ".0", ".3", "9.200", "9s", "9d", ".2f", "9.2g", "e"}) {
        const FormatSpec spec(std::string(prefix) + flags + tail);
        for (const Scalar& value : values) {
          if (!spec.objection(value).empty()) continue;
          EXPECT_NO_THROW(spec.format(value)) << spec.text();
        }
      }
    }
  }
}

TEST(FormatSpec, HasALimitOfTwoHundred) {
  EXPECT_EQ(FormatSpec("200").format(std::string("a")).size(), 200U);
  EXPECT_EQ(FormatSpec(".200f").format(0.0).size(), 202U);
  for (const char* spec : {"201", ".201f", "99999999999999999999", ".99999999999999999999g"}) {
    const auto error = error_of([&] { FormatSpec{spec}; });
    ASSERT_TRUE(error.has_value()) << spec;
    EXPECT_NE(error->message().find("above 200"), std::string::npos) << error->message();
  }
}

TEST(FormatSpec, NamesTheSpecAndTheFormInItsErrors) {
  for (const char* spec : {"3q", ".", "{<5", "}>5", "\xcf\x83<5", "%", ".1%", ",", "z.3g"}) {
    const auto error = error_of([&] { FormatSpec{spec}; });
    ASSERT_TRUE(error.has_value()) << spec;
    EXPECT_NE(error->message().find(spec), std::string::npos) << error->message();
    EXPECT_NE(error->hint().find("[.precision]"), std::string::npos) << error->hint();
  }
}

TEST(PythonRepr, IsTheShortestTextThatReadsBack) {
  compare("repr", 400, [](const auto& row, const std::string&) {
    const double value = real(row.at("value"));
    const std::string text = python_repr(value);
    EXPECT_TRUE(std::isnan(value) || std::strtod(text.c_str(), nullptr) == value) << text;
    return text;
  });
}

TEST(NumpyArray, PrintsAsNumpy) {
  compare("arrays", 150, [](const auto& row, const std::string&) {
    std::vector<double> values;
    for (const auto& value : row.at("values")) values.push_back(real(value));
    return numpy_array(values, row.at("precision").template get<int>());
  });
}

}  // namespace
}  // namespace sigstab
