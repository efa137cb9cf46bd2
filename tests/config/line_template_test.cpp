// Lines of text with values filled in, on a result made by hand.

#include "config/line_template.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::error_of;

CaseResult made_result() {
  CaseResult result;
  result.name = "a";
  result.facts = {{"name", std::string("a {x}")}, {"width", std::int64_t{4}}, {"scale", 0.01}};
  result.scalars = {{"output_rms", 0.80412}};
  result.columns = {{.name = "forward_rms", .values = {23.41, 515.2, 1e-5}}};
  return result;
}

std::string rendered(const char* text) { return LineTemplate::parse(text).render(made_result()); }

std::string refusal(const char* text) {
  const auto error = error_of([&] { LineTemplate::parse(text).check(made_result(), 3); });
  return error ? error->message() : "no error";
}

TEST(LineTemplate, FillsInScalarsAndCells) {
  EXPECT_EQ(rendered("{name:8}| {width} {scale} {output_rms:.3g}"), "a {x}   | 4 0.01 0.804");
  EXPECT_EQ(rendered("{forward_rms[1]:.3g} {forward_rms[2]:.3g} {forward_rms[last]:g}"),
            "23.4 515 1e-05");
  EXPECT_EQ(rendered("{forward_rms[3]}"), "1e-05");
  EXPECT_EQ(rendered("{output_rms:+.2f}"), "+0.80");
}

TEST(LineTemplate, PrintsAWholeColumnAsNumpyDoes) {
  EXPECT_EQ(rendered("{forward_rms}"), "[ 23.41 515.2    0.  ]");
  EXPECT_EQ(rendered("{forward_rms:.5}"), "[ 23.41    515.2       0.00001]");
}

TEST(LineTemplate, KeepsTextAndDoubledBraces) {
  EXPECT_EQ(rendered("plain"), "plain");
  EXPECT_EQ(rendered(""), "");
  EXPECT_EQ(rendered("{{{width}}} }}{{"), "{4} }{");
  EXPECT_EQ(rendered("\xcf\x83 = {width}"), "\xcf\x83 = 4");
}

TEST(LineTemplate, DoesNotReadBracesOfAValueAgain) { EXPECT_EQ(rendered("{name}"), "a {x}"); }

TEST(LineTemplate, AcceptsWhatItCanRender) {
  for (const char* text : {"{name:8}{width:>5d}{output_rms:.3g}{forward_rms[3]:e}{forward_rms}",
                           "{forward_rms:.8}", "{scale:<5g}", "{width:.2f}"}) {
    EXPECT_EQ(refusal(text), "no error") << text;
    EXPECT_NO_THROW(rendered(text));
  }
}

TEST(LineTemplate, RefusesUnmatchedBraces) {
  EXPECT_EQ(refusal("{name"), "a \"{\" without its \"}\"");
  EXPECT_EQ(refusal("name}"), "a \"}\" without its \"{\"");
  EXPECT_EQ(refusal("{name}}"), "a \"}\" without its \"{\"");
  EXPECT_EQ(refusal("{{name}"), "a \"}\" without its \"{\"");
}

TEST(LineTemplate, RefusesNamesRowsAndSpecsThatAreNotThere) {
  EXPECT_EQ(refusal("{nmae}"), "unknown value \"nmae\"");
  EXPECT_EQ(refusal("{width[1]}"), "unknown value \"width\"");
  EXPECT_EQ(refusal("{ name}"), "unknown value \" name\"");
  EXPECT_EQ(refusal("{forward_rms[4]}"), "{forward_rms[4]}: there are 3 rows");
  EXPECT_EQ(refusal("{forward_rms[-1]}"), "\"[-1]\" is no row");
  EXPECT_EQ(refusal("{forward_rms[]}"), "\"[]\" is no row");
  EXPECT_EQ(refusal("{forward_rms[99999999999999999999]}"), "\"[99999999999999999999]\" is no row");
  EXPECT_EQ(refusal("{forward_rms[1]x}"), "\"{forward_rms[1]x}\" lacks a \"]\"");
  EXPECT_EQ(refusal("{}"), "an empty placeholder");
  EXPECT_EQ(refusal("{:.3g}"), "an empty placeholder");
  EXPECT_EQ(refusal("{[1]}"), "an empty placeholder");
  EXPECT_EQ(refusal("{name:d}"), "{name}: format spec \"d\" does not fit text");
  EXPECT_EQ(refusal("{forward_rms[1]:d}"),
            "{forward_rms[]}: format spec \"d\" does not fit a real number");
  EXPECT_NE(refusal("{forward_rms:>20}").find("takes only a precision"), std::string::npos);
}

}  // namespace
}  // namespace sigstab
