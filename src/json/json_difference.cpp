#include "json/json_difference.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace sigstab {

std::optional<JsonDifference> first_difference(const Json& kept, const Json& now,
                                               const std::string& pointer) {
  if (kept.type() == now.type() && kept.is_object()) {
    for (const auto& [key, value] : now.items()) {
      const std::string place = pointer + "/" + key;
      if (!kept.contains(key)) return JsonDifference{place, "missing", shown(value)};
      if (auto found = first_difference(kept[key], value, place)) return found;
    }
    for (const auto& [key, value] : kept.items()) {
      if (!now.contains(key)) return JsonDifference{pointer + "/" + key, shown(value), "missing"};
    }
    return std::nullopt;
  }
  if (kept.is_array() && now.is_array() && kept.size() == now.size()) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (auto found = first_difference(kept[i], now[i], fmt::format("{}/{}", pointer, i))) {
        return found;
      }
    }
    return std::nullopt;
  }
  if (kept == now) return std::nullopt;
  return JsonDifference{pointer, shown(kept), shown(now)};
}

}  // namespace sigstab
