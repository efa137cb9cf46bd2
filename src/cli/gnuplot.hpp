#pragma once
// Draws pictures with gnuplot, which is looked for on PATH when a picture is asked for.
//
// It is started without a shell and gets its script by pipe; it reads no settings of the user's and
// no file. What it draws comes back by pipe.

#include <span>
#include <string>

#include "picture/gnuplot_script.hpp"
#include "picture/picture.hpp"

namespace sigstab {

// The bytes of the picture in that format.
// Errors: no gnuplot on PATH, with the package that has it; what gnuplot could not do.
std::string draw(const Picture& picture, const PictureFormat& format);
// One below the other.
std::string draw(std::span<const Picture> pictures, const PictureFormat& format);

// Errors: no gnuplot on PATH.
void check_gnuplot();

}  // namespace sigstab
