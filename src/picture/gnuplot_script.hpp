#pragma once
// Pictures as scripts for gnuplot 5.4 and later, which writes to its standard output what a format
// asks for.
//
// Texts reach gnuplot in single-quoted strings alone, in which nothing but the quote itself has a
// meaning, and they hold none; control characters are removed, and enhanced text is off everywhere.
// All else in a script is ours, or a number.

#include <span>
#include <string>
#include <string_view>

#include "picture/picture.hpp"

namespace sigstab {

// Lengths of a sheet, in its own unit: a pixel, or a character.
struct PictureSheet {
  double width;
  int columns;                      // panels side by side
  double line, letter;              // a line of text, and the width of a letter
  double title_line, title_letter;  // a line of the title
  double panel;                     // height of a panel's inside
  double left, right, foot;         // around a panel: numbers, and numbers with the axis' name
  double name;                      // how far below a panel that is
  double gap;                       // between pictures
  bool characters = false;          // drawn with letters, without bands
  bool colours = true;
};

struct PictureFormat {
  std::string_view name, extension, help;
  PictureSheet sheet;
  // The rest of `set terminal`.
  std::string (*terminal)(const PictureSheet& sheet, double height);
  // What is left to do with what gnuplot wrote; null: nothing.
  std::string (*finish)(std::string drawn) = nullptr;
};

// svg, png, pdf, and text for terminals, which has no extension.
std::span<const PictureFormat> picture_format_table();

// Pictures stand below one another.
std::string gnuplot_script(std::span<const Picture> pictures, const PictureFormat& format);

}  // namespace sigstab
