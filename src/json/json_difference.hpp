#pragma once
// Where two JSON values differ first.

#include <optional>
#include <string>

#include "json/json.hpp"

namespace sigstab {

struct JsonDifference {
  std::string pointer, kept, now;  // the values as errors show them; "missing" without one
};

// In the order of `now`; `pointer` is where both stand.
std::optional<JsonDifference> first_difference(const Json& kept, const Json& now,
                                               const std::string& pointer);

}  // namespace sigstab
