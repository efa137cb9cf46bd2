#pragma once
// Numbers as Python and NumPy print them: format specs such as ".3g", repr(), and str(array).
//
// The article's programs print with Python's mini-language; a spec is checked when it is read, so
// that formatting itself cannot fail. NaN prints without a sign.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace sigstab {

// What a config or a result can put into a line of text.
using Scalar = std::variant<std::int64_t, double, std::string, bool>;

// [[fill]align][sign][#][0][width][.precision][type], width and precision at most 200; the types
// are e E f F g G d s.
class FormatSpec {
 public:
  FormatSpec() = default;
  // Errors: Error (empty place) for a spec outside the grammar.
  explicit FormatSpec(std::string_view spec);

  // Whether Python would accept the spec for such a value; the text says why not, empty if it
  // would.
  std::string objection(const Scalar& value) const;
  std::string format(const Scalar& value) const;
  // The precision, or `fallback` without one.
  int precision_or(int fallback) const { return precision_ < 0 ? fallback : precision_; }
  const std::string& text() const { return text_; }

 private:
  std::string body(const Scalar& value) const;

  std::string text_;
  char fill_ = ' ', align_ = '\0';  // align: none given
  char sign_ = '\0';                // '+', '-' or ' '
  bool alternate_ = false, zero_ = false;
  int width_ = 0, precision_ = -1;
  char type_ = '\0';
};

// The shortest text that reads back as the same double, as Python's repr: 3.0, 1e-05, inf, nan.
std::string python_repr(double value);

// As NumPy's str(array) of float64 under set_printoptions(precision=precision, suppress=True),
// lines of at most 75 characters, more than 1000 elements summarised by the first and last three.
std::string numpy_array(std::span<const double> values, int precision);

}  // namespace sigstab
