#include "base/format_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace sigstab {
namespace {

constexpr int kLargestCount = 200;  // of width and precision

bool is_align(char c) { return c == '<' || c == '>' || c == '^' || c == '='; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads digits at `at`; -1 without any.
int read_count(std::string_view spec, std::size_t& at, std::string_view what) {
  if (at >= spec.size() || !is_digit(spec[at])) return -1;
  int count = 0;
  for (; at < spec.size() && is_digit(spec[at]); ++at) {
    count = count * 10 + (spec[at] - '0');
    if (count > kLargestCount) {
      throw Error("", fmt::format("format spec \"{}\": {} is above {}", spec, what, kLargestCount),
                  "use a smaller number");
    }
  }
  return count;
}

double without_nan_sign(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

}  // namespace

FormatSpec::FormatSpec(std::string_view spec) : text_(spec) {
  const auto refuse = [&](std::string_view why) {
    throw Error("", fmt::format("format spec \"{}\": {}", spec, why),
                "use [[fill]align][sign][#][0][width][.precision][type], such as .3g or <20");
  };
  std::size_t at = 0;
  const bool own_fill = spec.size() >= 2 && is_align(spec[1]);
  if (own_fill) {
    if (spec[0] == '{' || spec[0] == '}') refuse("a brace cannot fill");
    if ((spec[0] & 0x80) != 0) refuse("the fill must be one ASCII character");
    fill_ = spec[0];
    at = 2;
  } else if (!spec.empty() && is_align(spec[0])) {
    at = 1;
  }
  if (at > 0) align_ = spec[at - 1];
  const auto take = [&](std::string_view any) {
    const bool found = at < spec.size() && any.find(spec[at]) != std::string_view::npos;
    return found ? spec[at++] : '\0';
  };
  sign_ = take("+- ");
  alternate_ = take("#") != '\0';
  zero_ = take("0") != '\0';
  if (zero_ && !own_fill) fill_ = '0';
  width_ = std::max(0, read_count(spec, at, "width"));
  if (take(".") != '\0') {
    precision_ = read_count(spec, at, "precision");
    if (precision_ < 0) refuse("a precision must follow the point");
  }
  type_ = take("eEfFgGds");
  if (at != spec.size()) refuse(fmt::format("cannot read \"{}\"", spec.substr(at)));
}

std::string FormatSpec::objection(const Scalar& value) const {
  const bool real = std::holds_alternative<double>(value);
  const bool integer = std::holds_alternative<std::int64_t>(value);
  const bool real_type =
      type_ != '\0' && std::string_view("eEfFgG").find(type_) != std::string_view::npos;
  const auto no = [&](std::string_view what) {
    return fmt::format("format spec \"{}\" does not fit {}", text_, what);
  };
  if (real) {
    if (type_ == 'd' || type_ == 's') return no("a real number");
    if (type_ == '\0' && precision_ >= 0) return no("a real number without a type (g, f or e)");
    return "";
  }
  if (integer) {
    if (type_ == 's' || (precision_ >= 0 && !real_type)) return no("an integer");
    return "";
  }
  const bool of_numbers = sign_ != '\0' || alternate_ || align_ == '=';
  if (type_ == 'd' || real_type || of_numbers) return no("text");
  return "";
}

namespace {

// repr(), which `#` gives a point before the exponent.
std::string repr_with_point(double value, bool alternate) {
  std::string text = python_repr(value);
  const std::size_t exponent = text.find('e');
  const bool bare = exponent != std::string::npos && text.find('.') == std::string::npos;
  return alternate && bare ? text.insert(exponent, ".") : text;
}

std::string typed_text(double value, int precision, char type, bool alternate) {
  if (precision < 0) precision = 6;
  const auto text = [&](char as, int digits) {
    const std::string pattern = fmt::format("{{:{}.{}{}}}", alternate ? "#" : "", digits, as);
    return fmt::format(fmt::runtime(pattern), value);
  };
  alternate = alternate && std::isfinite(value);
  if (!alternate || (type != 'g' && type != 'G')) return text(type, precision);
  // fmt 9 gives `#g` a zero too many, so it is put together from e and f.
  const int digits = std::max(1, precision);
  const std::string scientific = text(type == 'g' ? 'e' : 'E', digits - 1);
  const int exponent = std::stoi(scientific.substr(scientific.find_first_of("eE") + 1));
  return -4 <= exponent && exponent < digits ? text('f', digits - 1 - exponent) : scientific;
}

}  // namespace

// The value without sign flag and padding.
std::string FormatSpec::body(const Scalar& value) const {
  const auto real_text = [&](double real) {
    return type_ == '\0' ? repr_with_point(real, alternate_)
                         : typed_text(without_nan_sign(real), precision_, type_, alternate_);
  };
  if (const auto* real = std::get_if<double>(&value)) return real_text(*real);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    const bool as_real = type_ != '\0' && type_ != 'd';
    return as_real ? real_text(static_cast<double>(*integer)) : fmt::format("{}", *integer);
  }
  const auto* flag = std::get_if<bool>(&value);
  const std::string text = flag == nullptr ? std::get<std::string>(value)
                           : *flag         ? "true"
                                           : "false";
  if (precision_ < 0) return text;
  return std::string(first_characters(text, static_cast<std::size_t>(precision_)));
}

std::string FormatSpec::format(const Scalar& value) const {
  SIGSTAB_ASSERT(objection(value).empty());
  std::string text = body(value);
  const bool number =
      std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
  if (number && !text.starts_with('-') && (sign_ == '+' || sign_ == ' ')) text.insert(0, 1, sign_);
  const auto width = static_cast<std::size_t>(width_);
  const std::size_t length = characters(text);
  if (length >= width) return text;
  const std::size_t missing = width - length;
  switch (align_ != '\0' ? align_ : !number ? '<' : zero_ ? '=' : '>') {
    case '<':
      return text.append(missing, fill_);
    case '^':
      return text.insert(0, missing / 2, fill_).append(missing - missing / 2, fill_);
    case '=': {  // between sign and digits
      const bool has_sign = text[0] == '-' || text[0] == '+' || text[0] == ' ';
      return text.insert(has_sign ? 1 : 0, missing, fill_);
    }
    default:
      return text.insert(0, missing, fill_);
  }
}

std::string python_repr(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  const bool integral = text.find_first_of(".en") == std::string::npos;  // also not inf
  return integral ? text + ".0" : text;
}

namespace {

// A finite number around its point: "-1", "25", "e+10".
struct NumberParts {
  std::string whole, decimals, exponent;
};

NumberParts parts_of(double value, int precision, bool exponent) {
  const std::string text = exponent ? fmt::format("{:#.{}e}", value, precision)
                                    : fmt::format("{:#.{}f}", value, precision);
  const std::size_t point = text.find('.'), tail = std::min(text.find('e'), text.size());
  NumberParts parts{text.substr(0, point), text.substr(point + 1, tail - point - 1),
                    text.substr(tail)};
  parts.decimals.erase(parts.decimals.find_last_not_of('0') + 1);
  return parts;
}

// NumPy lines the points up: it cuts trailing zeros and pads with blanks on both sides of the
// point; with exponents every number has as many decimals and digits of the exponent as the
// longest. NaN and infinities are set to the right of that.
std::vector<std::string> aligned_cells(std::span<const double> values, int precision) {
  double largest = 0;
  bool negative_infinity = false, any_infinity = false, any_nan = false;
  for (double v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
    any_nan = any_nan || std::isnan(v);
    any_infinity = any_infinity || std::isinf(v);
    negative_infinity = negative_infinity || (std::isinf(v) && v < 0);
  }
  const bool exponent = largest >= 1e8;
  std::vector<NumberParts> numbers;
  std::size_t whole = 0, decimals = 0, tail = 0;
  for (double v : values) {
    numbers.push_back(std::isfinite(v) ? parts_of(v, precision, exponent) : NumberParts{});
    whole = std::max(whole, numbers.back().whole.size());
    decimals = std::max(decimals, numbers.back().decimals.size());
    tail = std::max(tail, numbers.back().exponent.size());
  }
  const std::size_t right = 1 + decimals + tail;  // from the point on
  const std::size_t odd = negative_infinity ? 4 : any_nan || any_infinity ? 3 : 0;
  if (odd > whole + right) whole = odd - right;
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      cells.push_back(fmt::format("{:>{}}", python_repr(values[i]), whole + right));
      continue;
    }
    NumberParts& n = numbers[i];
    if (exponent) {
      n.decimals.resize(decimals, '0');
      n.exponent.insert(2, tail - n.exponent.size(), '0');
    }
    cells.push_back(
        fmt::format("{:>{}}.{:<{}}{}", n.whole, whole, n.decimals, decimals, n.exponent));
  }
  return cells;
}

}  // namespace

std::string numpy_array(std::span<const double> values, int precision) {
  constexpr std::size_t kSummarised = 1000, kEdge = 3, kLineWidth = 75;
  std::vector<double> shown(values.begin(), values.end());
  const bool summary = values.size() > kSummarised;
  if (summary) {
    shown.assign(values.begin(), values.begin() + kEdge);
    shown.insert(shown.end(), values.end() - kEdge, values.end());
  }
  std::vector<std::string> cells = aligned_cells(shown, precision);
  if (summary) cells.insert(cells.begin() + kEdge, "...");
  // A line is broken before a word that would pass the limit, which leaves room for "]".
  std::string text, line = "[";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (line.size() > 1 && line.size() + cells[i].size() > kLineWidth - 1) {
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
      line = " ";
    }
    line += cells[i];
    if (i + 1 < cells.size()) line += " ";
  }
  return text + line + "]";
}

}  // namespace sigstab
