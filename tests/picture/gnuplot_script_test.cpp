// Scripts that draw pictures, and what reaches gnuplot of texts. Nothing is drawn here.

#include "picture/gnuplot_script.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/named_table.hpp"
#include "picture/picture_style.hpp"
#include "picture/picture_text.hpp"
#include "support/picture_script.hpp"
#include "support/text.hpp"

namespace sigstab::testing {
namespace {

// A picture of one curve through these heights, without a plan.
Picture made_picture(const std::vector<double>& heights) {
  Picture picture{"made", "", {{"forward_rms", {}, {}, {}, {}}}, {"only"}, "one draw", {}};
  PicturePanel& panel = picture.panels[0];
  panel.x = row_axis("layer", 0, static_cast<std::int64_t>(heights.size()));
  panel.y = value_axis(true, heights);
  panel.curves.push_back({0, false, {}});
  for (std::size_t i = 0; i < heights.size(); ++i) {
    panel.curves[0].points.push_back({static_cast<double>(i), heights[i]});
  }
  return picture;
}

// --- texts --------------------------------------------------------------------------------------

TEST(PictureText, HasNoQuoteOfItsOwnWhereGnuplotReadsIt) {
  EXPECT_EQ(gnuplot_string("plain"), "'plain'");
  EXPECT_EQ(gnuplot_string("He's"), "'He’s'");
  EXPECT_EQ(gnuplot_string("''; system(\"x\") '"), "'’’; system(\"x\") ’'");
  EXPECT_EQ(gnuplot_string("`x` $(x) @{}_^ \\ \"%s\""), "'`x` $(x) @{}_^ \\ \"%s\"'");
}

TEST(PictureText, HasNoControlCharactersAndIsUtf8) {
  EXPECT_EQ(clean_text("a\nb\tc\x7f\x01"), "a b c  ");
  EXPECT_EQ(clean_text("\xc2\x85|\xe2\x80\xae|\xe2\x80\xa8"), " | | ");
  EXPECT_EQ(clean_text("\xff\xc3|\xed\xa0\x80|\xc0\xaf"), "??|???|??");
  EXPECT_EQ(clean_text("λ→∞ 日本"), "λ→∞ 日本");
}

TEST(PictureText, IsClippedAndWrappedByLetters) {
  EXPECT_EQ(clipped_text("λλλλ", 4), "λλλλ");
  EXPECT_EQ(clipped_text("λλλλλ", 4), "λλλ…");
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped_text("one two three", 7, 3), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped_text("one two three", 7, 1), (Lines{"one tw…"}));
  EXPECT_EQ(wrapped_text("abcdefgh", 3, 9), (Lines{"abc", "def", "gh"}));
  EXPECT_EQ(wrapped_text("", 3, 9), Lines{});
}

// --- scripts ------------------------------------------------------------------------------------

TEST(GnuplotScript, IsTheSameForTheSamePictureAndKnowsNoEnhancedText) {
  const Picture picture = made_picture({0, -1, -2});
  EXPECT_EQ(script_of(picture), script_of(picture));
  for (const PictureFormat& format : picture_format_table()) {
    const std::string script = gnuplot_script(std::span(&picture, 1), format);
    EXPECT_TRUE(has(script.substr(0, 300), " noenhanced\n")) << format.name;
  }
}

// Whatever texts there are, the script has the same lines but for what is in its quotes.
TEST(GnuplotScript, TextsStayWithinTheirQuotes) {
  const auto shape_of = [](const std::string& script) {
    std::string shape;
    bool quoted = false;
    for (const char c : script) {
      if (c == '\'') quoted = !quoted;
      if (!quoted || c == '\'') shape += c;
      EXPECT_FALSE(quoted && c == '\n');
    }
    EXPECT_FALSE(quoted);
    return shape;
  };
  // Lengths decide where a legend stands.
  const auto picture_with = [](std::string text) {
    Picture picture = made_picture({0, -1, -2});
    text.resize(20, '.');
    picture.title = picture.subtitle = picture.legend[0] = picture.drawn = text;
    picture.panels[0].title = picture.panels[0].x.label = text;
    picture.notes = {text};
    return picture;
  };
  const std::string plain = shape_of(script_of(picture_with("plain")));
  for (const char* text : {"a'; system('x'); '", "it''s''''", "`touch x`", "$(touch x)",
                           "a\nb\nset", "@{}_^ %s %%", "\\", "\\'", "\"", "EOD", "# no"}) {
    EXPECT_EQ(shape_of(script_of(picture_with(text))), plain) << text;
  }
}

TEST(GnuplotScript, AGapIsAnEmptyLineAndAPointAloneHasAMark) {
  const double gap = std::nan("");
  std::vector<double> heights(40, -1.0);
  heights[19] = heights[21] = gap;
  heights[20] = -3;
  const std::string script = script_of(made_picture(heights));
  EXPECT_TRUE(has(script, "18 -1\n\n20 -3\n\n22 -1\n"));
  EXPECT_TRUE(has(script.substr(script.find("$d1 <<")), "20 -3\n"));
}

TEST(GnuplotScript, ACurveOfGapsIsStillAPanel) {
  EXPECT_TRUE(has(script_of(made_picture({std::nan(""), std::nan("")})), "plot NaN notitle"));
}

TEST(GnuplotScript, AVeryLongCurveIsThinned) {
  const std::string script = script_of(made_picture(std::vector<double>(100'000, -1.0)));
  EXPECT_LT(script.size(), 40'000u);
  EXPECT_TRUE(has(script, "99999 -1\n"));
}

TEST(GnuplotScript, LettersHaveNoColourOnPlainOutput) {
  PictureFormat format = format_named("text");
  format.sheet.colours = false;
  const Picture picture = made_picture({0, -1});
  const std::string script = gnuplot_script(std::span(&picture, 1), format);
  EXPECT_TRUE(has(script, "dumb size 100,"));
  EXPECT_TRUE(has(script, " mono "));
  EXPECT_FALSE(has(script, "filledcurves"));
}

TEST(PictureStyle, CurvesDifferInColourOrMark) {
  for (std::size_t a = 0; a < 14; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_TRUE(curve_colour(a).light != curve_colour(b).light || curve_mark(a) != curve_mark(b));
      if (a < 6) {
        EXPECT_NE(curve_colour(a).light, curve_colour(b).light);
      }
    }
  }
}

// The contrast of WCAG 2.1, of curves against their page.
double luminance(std::string_view hex) {
  double sum = 0;
  const double weights[] = {0.2126, 0.7152, 0.0722};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(std::string(hex.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    sum += weights[i] * (c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

TEST(PictureStyle, CurvesAndTextsStandOutOnLightAndDarkPages) {
  const auto contrast = [](std::string_view a, std::string_view b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
  };
  for (std::size_t style = 0; style < 6; ++style) {
    EXPECT_GE(contrast(curve_colour(style).light, kPaper.light), 3) << style;
    EXPECT_GE(contrast(curve_colour(style).dark, kPaper.dark), 3) << style;
  }
  for (const PictureColour& text : {kInk, kPale}) {
    EXPECT_GE(contrast(text.light, kPaper.light), 4.5);
    EXPECT_GE(contrast(text.dark, kPaper.dark), 4.5);
  }
}

TEST(PictureStyle, NoTextEndsASectionOfXml) {
  EXPECT_EQ(themed_svg("<text>a]]>b ]]]></text>"), "<text>a]]&gt;b ]]]&gt;</text>");
}

TEST(PictureStyle, AThemedSvgHasTheDarkPagesColoursForThoseItHolds) {
  const std::string svg = themed_svg(
      "<svg>\n<title>Gnuplot</title>\n<g id=\"gnuplot_canvas\">\n"
      "<path stroke='rgb(  0, 114, 178)'/><g fill=\"rgb(31,35,40)\"/>"
      "<text>rgb( 1, 2, 3) 'rgb(a'</text>");
  EXPECT_TRUE(has(svg, "<path stroke='#0072b2'/><g fill=\"#1f2328\"/>"));
  EXPECT_TRUE(has(svg, "<text>rgb( 1, 2, 3) 'rgb(a'</text>"));
  EXPECT_TRUE(has(svg, "[stroke=\"#0072b2\"]{stroke:#4da6e0}"));
  EXPECT_TRUE(has(svg, "prefers-color-scheme: dark"));
  EXPECT_FALSE(has(svg, "Gnuplot"));
}

}  // namespace
}  // namespace sigstab::testing
