#include "config/config_patch.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace sigstab {
namespace {

constexpr std::string_view kFileKeys[] = {"$schema", "extends"};
constexpr std::string_view kOfOneFile[] = {"name", "title", "source", "about", "expect"};
constexpr std::string_view kOfAllCases[] = {"experiment", "cases", "sweep", "seeds"};

}  // namespace

std::span<const std::string_view> file_keys() { return kFileKeys; }
std::span<const std::string_view> keys_of_one_file() { return kOfOneFile; }

std::vector<std::string_view> base_only_keys() {
  std::vector<std::string_view> all(std::begin(kFileKeys), std::end(kFileKeys));
  all.insert(all.end(), std::begin(kOfOneFile), std::end(kOfOneFile));
  all.insert(all.end(), std::begin(kOfAllCases), std::end(kOfAllCases));
  return all;
}

Effect effect_on(const Json& patch, std::string_view dotted_key) {
  const std::size_t dot = dotted_key.find('.');
  const auto found = patch.find(dotted_key.substr(0, dot));
  if (found == patch.end()) return Effect::none;
  if (dot == std::string_view::npos) return Effect::sets;
  if (!found->is_object()) return Effect::replaces_parent;
  return effect_on(*found, dotted_key.substr(dot + 1));
}

// "a.b" and 1 -> {"a": {"b": 1}}
Json nested_patch(std::string_view dotted_key, Json value, const std::string& where) {
  constexpr std::ptrdiff_t kMostDots = 8;
  if (std::ranges::count(dotted_key, '.') > kMostDots) {
    throw Error(where, "no key lies that deep", "write keys such as norm.placement");
  }
  for (;;) {
    const std::size_t dot = dotted_key.rfind('.');
    const std::size_t start = dot == std::string_view::npos ? 0 : dot + 1;
    Json outer = Json::object();
    outer[std::string(dotted_key.substr(start))] = std::move(value);
    if (start == 0) return outer;
    value = std::move(outer);
    dotted_key = dotted_key.substr(0, dot);
  }
}

}  // namespace sigstab
