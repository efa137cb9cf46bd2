#include "config/config_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "config/config_patch.hpp"
#include "json/object_reader.hpp"

namespace sigstab {
namespace {

// Every single key that a patch sets, dotted, short forms expanded.
void add_keys_of(const Json& patch, const ObjectTable& table, const std::string& prefix,
                 std::vector<std::string>& keys) {
  for (const auto& [key, value] : patch.items()) {
    const Field* field = find_row(table.fields, key);
    const bool nested = field != nullptr && field->type == FieldType::object && value.is_object();
    if (nested) {
      add_keys_of(value, *field->table, prefix + key + ".", keys);
    } else {
      keys.push_back(prefix + key);
    }
  }
}

// A source of keys, and what stands over it although it was written before.
struct LaterSource {
  const Json& patch;
  bool under_cases, under_sweep;
  std::function<std::string(const std::string& key)> place_of;
};

// Throws if the cases or the sweep set a key that a later source changes: that would do nothing.
void check_not_in_vain(const Config& config, const ObjectTable& table, const LaterSource& later) {
  const auto all_set = [](const std::vector<ConfigPatch>& patches, const std::string& key) {
    return std::ranges::all_of(
        patches, [&](const ConfigPatch& p) { return effect_on(*p.patch, key) != Effect::none; });
  };
  Json patch = later.patch;
  expand_short_forms(patch, table);
  std::vector<std::string> keys;
  add_keys_of(patch, table, "", keys);
  for (const std::string& key : keys) {
    const auto swept = std::ranges::find_if(
        config.sweep, [&](const SweepKey& one) { return all_set(one.patches, key); });
    if (later.under_sweep && swept != config.sweep.end()) {
      throw Error(later.place_of(key), "the sweep sets this key",
                  "change \"sweep\" itself, or set another key");
    }
    if (later.under_cases && all_set(config.cases, key)) {
      throw Error(later.place_of(key), "every case sets this key",
                  "change \"cases\" itself, or set another key");
    }
  }
}

}  // namespace

void check_all_matters(const Config& config) {
  const ObjectTable& table = config.keys->table();
  for (const ConfigPatch& flag : config.flags) {
    check_not_in_vain(config, table, {*flag.patch, true, true, [&](const std::string&) {
                                        return flag.prefix + flag.name;
                                      }});
  }
  bool under_cases = true, under_sweep = true;
  for (const ConfigFile& one : config.files) {
    // What a file lists itself changes its keys by intent.
    under_cases = under_cases && !one.keys->contains("cases");
    under_sweep = under_sweep && !one.keys->contains("sweep");
    check_not_in_vain(config, table,
                      {*one.keys, under_cases, under_sweep, [&](const std::string& key) {
                         return Place({{one.file + ": ", one.keys.get()}}).at(key, '.').text();
                       }});
  }
  for (const ConfigPatch& one : config.cases) {
    for (const SweepKey& key : config.sweep) {
      if (effect_on(*one.patch, key.key) != Effect::sets) continue;
      throw Error(one.prefix, fmt::format("the sweep sets \"{}\" as well", key.key),
                  "keep one of the two");
    }
  }
}

void check_no_other_seed(const Config& config) {
  const auto refuse_if_set = [&](const ConfigPatch& patch) {
    if (effect_on(*patch.patch, "random.seed") != Effect::sets) return;
    throw Error(config.seeds_place, "random.seed is given as well", "keep one of the two");
  };
  for (const ConfigPatch& one : config.cases) refuse_if_set(one);
  for (const SweepKey& key : config.sweep) {
    for (const ConfigPatch& value : key.patches) refuse_if_set(value);
  }
}

}  // namespace sigstab
