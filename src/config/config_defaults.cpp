#include "config/config_defaults.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sigstab {
namespace {

std::string text_of(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// What the base leaves wrong or open, because every case changes it, stays as it is.
void fill_defaults(Json& object, const ObjectTable& table) {
  if (!object.is_object()) return;
  for (const Field& field : table.fields) {
    const std::string key(field.name);
    if (!object.contains(key)) {
      if (field.fallback.empty() || field.fallback == "\"\"") continue;
      if (field.applies != nullptr && !field.applies(text_of(object, table.naming))) continue;
      object[key] = Json::parse(field.fallback);
    }
    if (field.type != FieldType::object) continue;
    Json& nested = object[key];
    if (nested.is_string()) nested = Json{{std::string(field.table->naming), nested}};
    // A matrix's own init is a change to the common one; defaults would overrule that.
    if (field.table != &table) fill_defaults(nested, *field.table);
  }
  if (table.parameters == nullptr) return;
  const std::string row = text_of(object, table.naming);
  const Names known = find_row(table.fields, table.naming)->allowed();
  if (std::ranges::find(known, row) == known.end()) return;
  for (const Parameter& p : table.parameters(row)) {
    if (!object.contains(p.name) && !p.required()) object[std::string(p.name)] = p.fallback;
  }
}

}  // namespace

void erase_defaults(Json& config) {
  for (const Kind* kind : all_kinds()) {
    if (!config.is_object() || text_of(config, "experiment") != kind->name) continue;
    Json defaults = Json::object();
    fill_defaults(defaults, KeyTable(*kind).table());
    defaults.erase("experiment");
    for (const auto& [key, value] : defaults.items()) {
      if (config.value(key, Json()) == value) config.erase(key);
    }
  }
}

std::string resolved_text(const Config& config) {
  Json resolved = *config.base;
  fill_defaults(resolved, config.keys->table());
  if (!config.expects_figures()) resolved.erase("expect");
  if (config.seeds) {
    if (resolved.contains("random")) resolved["random"].erase("seed");
    if (config.seeds_flag) {
      Json seeds = Json::array();
      for (const Seed& seed : *config.seeds) {
        seeds.push_back(seed.as_uint64() ? Json(*seed.as_uint64()) : Json(seed.text()));
      }
      resolved["seeds"] = seeds;
    }
  }
  resolved["name"] = config.name;
  return resolved.dump();
}

}  // namespace sigstab
