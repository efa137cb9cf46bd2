#pragma once
// The script of one picture.

#include <span>
#include <string>

#include "base/named_table.hpp"
#include "picture/gnuplot_script.hpp"

namespace sigstab::testing {

inline const PictureFormat& format_named(const char* name) {
  return *find_row(picture_format_table(), name);
}

inline std::string script_of(const Picture& picture, const char* format = "svg") {
  return gnuplot_script(std::span(&picture, 1), format_named(format));
}

}  // namespace sigstab::testing
