#include "picture/picture_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "picture/picture.hpp"

namespace sigstab {
namespace {

// In the order in which they are given out. Yellow and black are left out: each is invisible on one
// of the pages. Source: Okabe and Ito 2008, Color Universal Design; the dark page's are lighter
// tints of the same hues.
constexpr PictureColour kColours[] = {
    {"#0072b2", "#4da6e0"},  // blue
    {"#d55e00", "#f28c3c"},  // vermillion
    {"#009e73", "#2fc79c"},  // bluish green
    {"#b8568f", "#e39ac6"},  // reddish purple, darker than theirs on the light page
    {"#b87d00", "#f0b833"},  // orange, darker likewise
    {"#3d9bd1", "#8fd0f5"},  // sky blue
};
constexpr PictureColour kShared = {"#6e7781", "#a8b0b8"};
// Filled circle, square, triangle, inverted triangle, diamond, and two of them empty: six colours
// and seven marks make 42 different curves.
constexpr int kMarks[] = {7, 5, 9, 11, 13, 6, 4};

// "rgb( 36,  41, 47)" from `at` on: its end and "#24292f"; an end of 0 if it is none.
std::size_t read_rgb(const std::string& svg, std::size_t at, std::string& hex) {
  const char* text = svg.c_str() + at + 4;
  hex = "#";
  for (int i = 0; i < 3; ++i) {
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (end == text || *end != (i < 2 ? ',' : ')') || value < 0 || value > 255) return 0;
    hex += fmt::format("{:02x}", value);
    text = end + 1;
  }
  return static_cast<std::size_t>(text - svg.c_str());
}

// gnuplot writes one colour in two ways.
std::string with_hex_colours(const std::string& svg) {
  std::string text;
  std::size_t from = 0;
  for (std::size_t at = svg.find("rgb("); at != std::string::npos; at = svg.find("rgb(", at + 1)) {
    std::string hex;
    // Text of a picture that looks like a colour is not in quotes.
    const char before = at > 0 ? svg[at - 1] : ' ';
    const std::size_t end = before == '"' || before == '\'' ? read_rgb(svg, at, hex) : 0;
    if (end == 0) continue;
    text += svg.substr(from, at - from) + hex;
    from = end;
  }
  return text + svg.substr(from);
}

std::string dark_rules() {
  std::vector<PictureColour> all = {kPaper, kInk, kPale, kRule, kShared};
  std::ranges::copy(kColours, std::back_inserter(all));
  std::string rules;
  for (const PictureColour& colour : all) {
    for (const char* attribute : {"fill", "stroke", "color"}) {
      rules += fmt::format("[{0}=\"{1}\"]{{{0}:{2}}}", attribute, colour.light, colour.dark);
    }
    rules += "\n";
  }
  return fmt::format("<style>@media (prefers-color-scheme: dark) {{\n{}}}</style>\n", rules);
}

void replace_once(std::string& text, std::string_view from, const std::string& to) {
  if (const std::size_t at = text.find(from); at != std::string::npos) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

PictureColour curve_colour(std::size_t style) {
  return style == kSharedStyle ? kShared : kColours[style % std::size(kColours)];
}
int curve_mark(std::size_t style) { return kMarks[style % std::size(kMarks)]; }

std::string themed_svg(std::string svg) {
  svg = with_hex_colours(svg);
  // Slanting edges of bands would become stairs.
  constexpr std::string_view kCrisp = " shape-rendering='crispEdges'";
  for (std::size_t at; (at = svg.find(kCrisp)) != std::string::npos;) svg.erase(at, kCrisp.size());
  // gnuplot escapes "<" and "&", but not what ends a CDATA section, which XML forbids in text.
  constexpr std::string_view kEnd = "]]>";
  for (std::size_t at; (at = svg.find(kEnd)) != std::string::npos;) {
    svg.replace(at, kEnd.size(), "]]&gt;");
  }
  replace_once(svg, "<title>Gnuplot</title>\n", "");  // which would be shown beside the mouse
  replace_once(svg, "<g id=\"gnuplot_canvas\">", dark_rules() + "<g id=\"gnuplot_canvas\">");
  return svg;
}

}  // namespace sigstab
