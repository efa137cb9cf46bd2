#pragma once
// A change to a config's base: a case, one value of a sweep's key, or a flag; and the keys that
// such changes may not touch.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/format_spec.hpp"
#include "json/json.hpp"

namespace sigstab {

struct ConfigPatch {
  std::string name;                   // the case's name, or the key that is changed
  std::shared_ptr<const Json> patch;  // as written, without a case's name
  std::string prefix;                 // before a pointer into it: "my.json: /cases/1", "--set: "
};

struct SweepKey {
  std::string key;             // "norm.placement"
  std::vector<Scalar> values;  // scalars as they are, anything else as JSON text
  std::vector<ConfigPatch> patches;
};

// What a patch says of a key: a parent that is no object replaces it along with all others.
enum class Effect { none, sets, replaces_parent };
Effect effect_on(const Json& patch, std::string_view dotted_key);

// {"a": {"b": value}} for the key "a.b". Errors, at `where`: a key that lies deeper than any.
Json nested_patch(std::string_view dotted_key, Json value, const std::string& where);

// The keys that are about a file and no part of the experiment.
std::span<const std::string_view> file_keys();
// What describes one file, and is not handed on to those that change it.
std::span<const std::string_view> keys_of_one_file();
// What a case, a sweep or a resolved case cannot hold: both of these, and what is of all cases.
std::vector<std::string_view> base_only_keys();

}  // namespace sigstab
