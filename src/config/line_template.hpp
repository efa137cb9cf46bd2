#pragma once
// One line of text a case, with values filled in: what the article's programs print.
//
//   {name:18} forward L1: {forward_rms[1]:.3g}   {layernorm:.3}
// {key} is a scalar of the result, {column[row]} one value (rows from 1, or `last`), {column} the
// whole column as NumPy prints an array, its spec a precision. {{ and }} are braces. Everything is
// checked when the template is read.

#include <string>
#include <string_view>
#include <vector>

#include "base/format_spec.hpp"
#include "result/result.hpp"

namespace sigstab {

class LineTemplate {
 public:
  // Errors: Error (empty place) for unmatched braces or a malformed placeholder.
  static LineTemplate parse(std::string_view text);

  // Checks every name, row and spec against a result of the coming shape.
  // Errors: Error (empty place) that names the placeholder.
  void check(const CaseResult& shape, std::int64_t rows) const;
  std::string render(const CaseResult& result) const;
  // The columns and scalars that it shows.
  std::vector<std::string> names() const;

 private:
  struct Piece {
    std::string literal;  // printed first
    std::string name;     // empty: nothing follows the literal
    enum Target { scalar_or_column, cell } target = scalar_or_column;
    std::int64_t row = 0;  // of a cell; 0 is the last
    FormatSpec spec;
  };
  std::string value_text(const Piece& piece, const CaseResult& result) const;

  std::vector<Piece> pieces_;
};

}  // namespace sigstab
