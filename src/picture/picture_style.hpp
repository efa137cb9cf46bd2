#pragma once
// Colours and marks of curves: the colours of Okabe and Ito, which the colour-blind can tell apart,
// each for a light and for a dark page; marks tell curves apart without colour.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sigstab {

struct PictureColour {
  std::string_view light, dark;  // "#0072b2"
};

// Of kSharedStyle it is grey, which no curve has.
PictureColour curve_colour(std::size_t style);
// gnuplot's number of a mark.
int curve_mark(std::size_t style);

inline constexpr PictureColour kPaper = {"#ffffff", "#0d1117"}, kInk = {"#1f2328", "#e6edf3"},
                               kPale = {"#59636e", "#9198a1"}, kRule = {"#d8dee4", "#30363d"};

// A drawn svg that follows the reader's preference for light or dark.
std::string themed_svg(std::string svg);

}  // namespace sigstab
