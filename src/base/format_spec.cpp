#include "base/format_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"

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
  if (spec.size() >= 2 && is_align(spec[1])) {
    if (spec[0] == '{' || spec[0] == '}') refuse("a brace cannot fill");
    if ((spec[0] & 0x80) != 0) refuse("the fill must be one ASCII character");
    at = 2;
  } else if (!spec.empty() && is_align(spec[0])) {
    at = 1;
  }
  if (at > 0 && spec[at - 1] == '=') refuse("the align \"=\" is not supported");
  if (at < spec.size() && (spec[at] == '+' || spec[at] == '-' || spec[at] == ' ')) ++at;
  if (at < spec.size() && spec[at] == '#') ++at;
  if (at < spec.size() && spec[at] == '0') ++at;
  read_count(spec, at, "width");
  if (at < spec.size() && spec[at] == '.') {
    ++at;
    precision_ = read_count(spec, at, "precision");
    if (precision_ < 0) refuse("a precision must follow the point");
  }
  if (at < spec.size() && std::string_view("eEfFgGds").find(spec[at]) != std::string_view::npos) {
    type_ = spec[at++];
  }
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
  const bool numeric_flags = text_.find_first_of("+#") != std::string::npos;
  if (type_ == 'd' || real_type || numeric_flags) return no("text");
  return "";
}

std::string FormatSpec::format(const Scalar& value) const {
  SIGSTAB_ASSERT(objection(value).empty());
  const std::string pattern = "{:" + text_ + "}";
  if (const auto* real = std::get_if<double>(&value)) {
    const double clean = without_nan_sign(*real);
    if (type_ != '\0') return fmt::format(fmt::runtime(pattern), clean);
    // Python pads repr() on the left, as numbers are.
    const bool aligned = text_.find_first_of("<>^") != std::string::npos;
    const std::string text = python_repr(clean);
    return fmt::format(fmt::runtime(aligned ? pattern : "{:>" + text_ + "}"), text);
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    const bool as_real = type_ != '\0' && type_ != 'd';
    return as_real ? fmt::format(fmt::runtime(pattern), static_cast<double>(*integer))
                   : fmt::format(fmt::runtime(pattern), *integer);
  }
  if (const auto* flag = std::get_if<bool>(&value)) {
    return fmt::format(fmt::runtime(pattern), *flag ? "true" : "false");
  }
  return fmt::format(fmt::runtime(pattern), std::get<std::string>(value));
}

std::string python_repr(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  const bool integral = text.find_first_of(".en") == std::string::npos;  // also not inf
  return integral ? text + ".0" : text;
}

namespace {

std::string fixed(double value, int precision, bool exponent) {
  return exponent ? fmt::format("{:#.{}e}", value, precision)
                  : fmt::format("{:#.{}f}", value, precision);
}

// How many decimals are left when the trailing zeros of at most `precision` are cut.
int decimals_needed(double value, int precision, bool exponent) {
  std::string text = fixed(value, precision, exponent);
  text.erase(std::min(text.find('e'), text.size()));
  int decimals = precision;
  for (; decimals > 0 && text.back() == '0'; --decimals) text.pop_back();
  return decimals;
}

// NumPy lines the points up: cuts trailing zeros and pads with blanks on both sides of the point;
// with exponents every mantissa keeps as many decimals as the longest needs.
std::vector<std::string> aligned_cells(std::span<const double> values, int precision) {
  double largest = 0;
  for (double v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
  }
  const bool exponent = largest >= 1e8;
  int most_decimals = 0;
  for (double v : values) {
    if (std::isfinite(v)) {
      most_decimals = std::max(most_decimals, decimals_needed(v, precision, exponent));
    }
  }
  std::vector<std::string> cells;
  std::size_t left = 0, right = 0;
  const auto split = [](const std::string& cell) { return std::min(cell.find('.'), cell.size()); };
  for (double v : values) {
    if (!std::isfinite(v)) {
      cells.push_back(fmt::format("{}", without_nan_sign(v)));
      continue;
    }
    const int decimals = exponent ? most_decimals : decimals_needed(v, precision, exponent);
    cells.push_back(fixed(v, decimals, exponent));
    const std::size_t point = split(cells.back());
    left = std::max(left, point);
    right = std::max(right, cells.back().size() - point);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::string& cell = cells[i];
    if (std::isfinite(values[i])) {
      const std::size_t point = split(cell);
      cell.insert(0, left - point, ' ');
      cell.append(right - (cell.size() - left), ' ');
    } else if (cell.size() < left + right) {
      cell.insert(0, left + right - cell.size(), ' ');
    }
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
  std::string text = "[";
  std::size_t line = 0;  // where the current line starts
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool last = i + 1 == cells.size();
    const std::size_t needed = cells[i].size() + (last ? 1 : 0);
    if (i > 0 && text.size() - line + 1 + needed > kLineWidth) {
      text += "\n";
      line = text.size();
    }
    if (i > 0) text += " ";
    text += cells[i];
  }
  return text + "]";
}

}  // namespace sigstab
