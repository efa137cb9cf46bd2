#pragma once
// JSON text to values, strictly: duplicate keys and malformed text are errors with line and column.
//
// Only forward-declared here: nlohmann's header costs seconds per file, so few .cpp files include
// it.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/format_spec.hpp"

namespace sigstab {

// Keeps the order of keys: a sweep's first key runs slowest.
using Json = nlohmann::ordered_json;

// Errors: malformed text (file:line:column), a duplicate key (file: pointer), text after the value.
Json parse_json(std::string_view text, const std::string& file);

// One source of a config's values, as its author wrote it: the file itself, a case's patch, a flag.
struct JsonSource {
  std::string prefix;  // what comes before the pointer: "my.json: ", "my.json: /cases/1", "--set "
  const Json* value;
};

// Where a value of a merged config came from. Sources are listed strongest first.
class Place {
 public:
  // `folder` is where files lie that the config names.
  explicit Place(std::vector<JsonSource> sources, std::string folder = "")
      : sources_(std::move(sources)), folder_(std::move(folder)) {}

  Place child(std::string_view key) const;
  Place child(std::size_t index) const { return child(std::to_string(index)); }
  // Below it by several keys: "norm.eps" between dots, "/norm/eps" between slashes.
  Place at(std::string_view keys, char separator) const;
  // The strongest source that holds this place, with the pointer into it.
  std::string text() const;
  const std::string& folder() const { return folder_; }

 private:
  std::vector<JsonSource> sources_;
  std::string folder_;
  std::vector<std::string> path_;
};

// JSON text over several lines, two spaces a level.
std::string indented(const std::string& json);

// `"64" (string)`, `3.7 (number)`: how errors show a value, shortened to one line.
std::string shown(const Json& value);

// A number; "nan", "inf" or "-inf" where JSON has none.
Json number_json(double value);

// Integers, reals, booleans and strings as they are; anything else, and what no int64 holds, as its
// JSON text.
Scalar scalar_from(const Json& value);

}  // namespace sigstab
