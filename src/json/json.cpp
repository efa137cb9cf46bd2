#include "json/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace sigstab {
namespace {

// "~" and "/" are escaped in a JSON pointer.
std::string escaped(std::string_view key) {
  std::string text;
  for (char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

constexpr std::size_t kDeepest = 64;  // so that walking a value cannot exhaust the stack

// Follows the parser's events to notice a key that its object already has, and absurd nesting.
class DuplicateCheck {
 public:
  explicit DuplicateCheck(const std::string& file) : file_(file) {}

  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    switch (event) {
      case Event::object_start:
      case Event::array_start:
        open_element();
        if (levels_.size() == kDeepest) {
          throw Error(place(), fmt::format("nested deeper than {} levels", kDeepest),
                      "no config needs that");
        }
        levels_.push_back({event == Event::array_start, {}, "", 0});
        break;
      case Event::object_end:
      case Event::array_end:
        levels_.pop_back();
        break;
      case Event::key: {
        Level& level = levels_.back();
        level.key = parsed.get<std::string>();
        if (!level.keys.insert(level.key).second) {
          throw Error(place(), "duplicate key",
                      fmt::format("keep one of the two \"{}\"", level.key));
        }
        break;
      }
      case Event::value:
        open_element();
        break;
    }
    return true;
  }

  // Of the value that is being read and has caused no event yet.
  std::string coming_place() {
    open_element();
    return place();
  }

 private:
  struct Level {
    bool array;
    std::set<std::string> keys;
    std::string key;
    std::size_t count;
  };

  void open_element() {
    if (levels_.empty() || !levels_.back().array) return;
    levels_.back().key = std::to_string(levels_.back().count++);
  }

  std::string place() const {
    std::string text = file_ + ": ";
    for (const Level& level : levels_) text += "/" + escaped(level.key);
    return text;
  }

  const std::string& file_;
  std::vector<Level> levels_;
};

std::string shortened(const std::string& text, std::size_t longest) {
  if (text.size() <= longest) return text;
  return std::string(first_bytes(text, longest)) + "...";
}

// nlohmann's "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while
// parsing value - unexpected end of input; expected ..." without its preamble.
std::string plain_reason(std::string_view what) {
  const auto start = what.find(": ");
  return shortened(std::string(start == std::string_view::npos ? what : what.substr(start + 2)),
                   200);
}

std::string line_and_column(std::string_view text, std::size_t byte) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
  return fmt::format("{}:{}", line, column);
}

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw Error(file, "the file is empty", "write a JSON object, such as {\"depth\": 50}");
  }
  DuplicateCheck check(file);
  try {
    return Json::parse(text, std::ref(check));
  } catch (const Json::parse_error& e) {
    throw Error(fmt::format("{}:{}", file, line_and_column(text, e.byte)), plain_reason(e.what()),
                "the file must be one JSON value: check quotes, commas and brackets there");
  } catch (const Json::out_of_range& e) {
    const std::string what = e.what();  // "... number overflow parsing '1e999'"
    throw Error(check.coming_place(),
                shortened("number out of range" + what.substr(what.rfind(" '")), 80),
                "a number must fit in a double");
  }
}

Place Place::child(std::string_view key) const {
  Place place = *this;
  place.path_.emplace_back(key);
  return place;
}

Place Place::at(std::string_view keys, char separator) const {
  Place place = *this;
  while (!keys.empty()) {
    if (keys.front() == separator) keys.remove_prefix(1);
    const std::size_t end = std::min(keys.find(separator), keys.size());
    place.path_.emplace_back(keys.substr(0, end));
    keys.remove_prefix(end);
  }
  return place;
}

std::string Place::text() const {
  // The whole value has no pointer: "my.json: " is then "my.json".
  const auto at = [](std::string text, std::span<const std::string> path) {
    for (const std::string& key : path) text += "/" + escaped(key);
    return text.ends_with(": ") ? text.substr(0, text.size() - 2) : text;
  };
  for (const JsonSource& source : sources_) {
    const Json* value = source.value;
    std::size_t depth = 0;
    for (; depth < path_.size(); ++depth) {
      if (value->is_object() && value->contains(path_[depth])) {
        value = &(*value)[path_[depth]];
      } else if (value->is_array() && path_[depth].size() < 8 &&
                 path_[depth].find_first_not_of("0123456789") == std::string::npos &&
                 std::stoul(path_[depth]) < value->size()) {
        value = &(*value)[std::stoul(path_[depth])];
      } else {
        break;
      }
    }
    // A string stands for the object whose naming field it is; the place is then the string.
    const bool short_form = depth > 0 && value->is_string() && depth + 1 == path_.size();
    if (depth == path_.size() || short_form) {
      return at(source.prefix, std::span(path_).first(depth));
    }
  }
  return at(sources_.back().prefix, path_);
}

std::string indented(const std::string& json) {
  return Json::parse(json).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string shown(const Json& value) {
  const std::string text =
      shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace), 60);
  return fmt::format("{} ({})", text, value.type_name());
}

Json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Scalar scalar_from(const Json& value) {
  const bool wide = value.is_number_unsigned() && value.get<std::uint64_t>() >> 63 != 0;
  if (value.is_number_integer()) return wide ? Scalar(value.dump()) : value.get<std::int64_t>();
  if (value.is_number()) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    const double real = value.get<double>();
    const bool integral = std::fabs(real) < kExact && real == std::trunc(real);
    return integral ? Scalar(static_cast<std::int64_t>(real)) : Scalar(real);
  }
  if (value.is_boolean()) return value.get<bool>();
  return value.is_string() ? value.get<std::string>() : nlohmann::json(value).dump();
}

}  // namespace sigstab
