#pragma once
// Reads back the csv that reports write (RFC 4180 quoting).

#include <string>
#include <string_view>

#include "result/result.hpp"

namespace sigstab {

// Columns before `seed` name the case and the grid point, the one after it the row; rows labelled
// "input" and "output" become the scalars that continue their columns (input_rms, output_rms).
// Errors: no header, a ragged row, a cell that is no number.
Result read_csv(std::string_view text, const std::string& file);

}  // namespace sigstab
