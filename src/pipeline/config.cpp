#include "pipeline/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/markup.hpp"
#include "pipeline/config_cases.hpp"
#include "pipeline/report_spec.hpp"

namespace sigstab {
namespace {

Names kind_names() {
  Names names;
  for (const Kind* kind : all_kinds()) {
    names.push_back(kind->name);
    names.helps.push_back(kind->help);
  }
  return names;
}

constexpr Field kCommonFields[] = {
    {"name", FieldType::text, "\"\"", "the experiment's name; default the file's"},
    {"title", FieldType::text, "\"\"", "what it shows, in a line"},
    {"source", FieldType::text, "\"\"", "where it comes from"},
    {"about", FieldType::text, "\"\"", "what to look for, and what to try"},
    {"extends", FieldType::text, "\"\"",
     "a config that this one changes: a file, relative to this one, or a canned name"},
    {"$schema", FieldType::text, "\"\"", "a JSON schema, for editors; it changes nothing"},
    {"experiment", FieldType::name, "\"depth\"", "the kind of experiment", 0, 0, kind_names},
    {"cases", FieldType::any, "", "named changes to the base, each run on its own", 0, 0, nullptr,
     nullptr, nullptr,
     R"({"type": "array", "minItems": 1, "items": {"type": "object", "required": ["name"]}})"},
    {"sweep", FieldType::any, "", "keys and the values to try: every combination is run", 0, 0,
     nullptr, nullptr, nullptr,
     R"({"type": "object", "additionalProperties": {"type": "array", "minItems": 1}})"},
    {"seeds", FieldType::any, "", "a list of seeds, or {\"from\", \"count\"}; replaces random.seed",
     0, 0, nullptr, nullptr, nullptr,
     R"({"anyOf": [{"type": "array", "minItems": 1}, {"type": "object", "properties":
     {"from": {}, "count": {"type": "integer"}}, "additionalProperties": false}]})"},
    {"expect", FieldType::any, "", "figures that `check` compares with", 0, 0, nullptr, nullptr,
     nullptr, R"({"type": "array", "items": {"type": "object", "required": ["id"]}})"},
};
// The tables of one kind, with room for the keys named after its rows.
struct KindTables {
  std::vector<Field> fields;
  ObjectTable all;
};

constexpr const char* kRowsFlag = "--layers: ";

// A flag's value: JSON if it is any, else the text itself.
Json parse_value(const std::string& text, const std::string& flag) {
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) return text;
  return value.is_structured() ? parse_json(text, flag) : value;
}

// What a patch says of a key: a parent that is no object replaces it along with all others.
enum class Effect { none, sets, replaces_parent };
Effect effect_on(const Json& patch, std::string_view dotted_key) {
  const std::size_t dot = dotted_key.find('.');
  const auto found = patch.find(dotted_key.substr(0, dot));
  if (found == patch.end()) return Effect::none;
  if (dot == std::string_view::npos) return Effect::sets;
  if (!found->is_object()) return Effect::replaces_parent;
  return effect_on(*found, dotted_key.substr(dot + 1));
}

// Not merged into one: a later string replaces what an earlier flag put into its object.
std::vector<ConfigPatch> set_flags(const Overrides& overrides) {
  std::vector<ConfigPatch> flags;
  for (const std::string& text : overrides.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error("--set", fmt::format("expected key=value, got \"{}\"", text),
                  "write --set depth=100, or --set norm.placement=post");
    }
    const std::string key = text.substr(0, equals), where = "--set " + key;
    if (std::ranges::find(file_keys(), key) != file_keys().end()) {
      throw Error(where, "it is a file's own key", "write it into the file");
    }
    flags.push_back({key,
                     std::make_shared<const Json>(
                         nested_patch(key, parse_value(text.substr(equals + 1), where), where)),
                     "--set: "});
  }
  return flags;
}

ConfigPatch rows_flag(const std::vector<std::string>& texts, const std::string& rows_key) {
  Json rows = Json::array();
  for (const std::string& text : texts) rows.push_back(parse_value(text, "--layers"));
  if (rows == Json::array({"all"})) rows = "all";
  const std::string key = "report." + rows_key;
  return {key, std::make_shared<const Json>(nested_patch(key, std::move(rows), "")), kRowsFlag};
}

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

// What the file says twice, or a flag or an extending file in vain, would do nothing.
void check_all_matters(const Config& config, const ObjectTable& table) {
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

// Seeds run every case with each seed, so no case can have its own.
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

void apply_seed_flag(const Overrides& overrides, Config& config) {
  if (overrides.seeds.empty()) return;
  if (!config.kind->draws) {
    throw Error("--seed", fmt::format("{} draws nothing", config.kind->name), "remove the flag");
  }
  for (const ConfigPatch& flag : config.flags) {
    if (effect_on(*flag.patch, "random.seed") != Effect::sets) continue;
    throw Error("--seed", "--set random.seed is given as well", "keep one of the two");
  }
  config.seeds.emplace();
  for (const std::string& text : overrides.seeds) {
    const auto seed = Seed::parse(text);
    if (!seed) {
      throw Error("--seed", fmt::format("expected a non-negative integer, got \"{}\"", text));
    }
    config.seeds->push_back(*seed);
  }
  config.seeds_place = "--seed";
  config.seeds_flag = true;
}

// Without folder and .json; a canned name may have dots. JSON could not hold a name's stray bytes.
std::string name_of_file(const std::string& file) {
  const std::filesystem::path name = std::filesystem::path(file).filename();
  return readable(name.extension() == ".json" ? name.stem().string() : name.string());
}

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

// The kind decides which keys there are, so it is read before anything else.
const Kind& chosen_kind(const Config& config) {
  Json merged = Json::object();
  for (auto file = config.files.rbegin(); file != config.files.rend(); ++file) {
    merged.merge_patch(*file->keys);
  }
  for (const ConfigPatch& flag : config.flags) merged.merge_patch(*flag.patch);
  const Json chosen = merged.value("experiment", Json("depth"));
  for (const Kind* kind : all_kinds()) {
    if (chosen == std::string(kind->name)) return *kind;
  }
  throw Error(config.place().child("experiment").text(),
              "unknown kind of experiment " + shown(chosen),
              name_hint(chosen.is_string() ? chosen.get<std::string>() : "", kind_names()));
}

// Files and flags over one another. A list or grid of an extended file is replaced, never mixed.
Json merged(const Config& config, const ObjectTable& table) {
  Json base = Json::object();
  for (auto file = config.files.rbegin(); file != config.files.rend(); ++file) {
    for (const Field& field : table.fields) {
      const std::string key(field.name);
      if (field.type == FieldType::any && file->keys->contains(key)) base.erase(key);
    }
    apply_patch(base, *file->keys, table);
  }
  for (const std::string& key : file_keys()) base.erase(key);
  for (const ConfigPatch& flag : config.flags) apply_patch(base, *flag.patch, table);
  return base;
}

}  // namespace

const ObjectTable& config_table(const Kind& kind) {
  static std::map<const Kind*, KindTables> tables;
  KindTables& t = tables[&kind];
  if (!t.fields.empty()) return t.all;
  t.fields.assign(std::begin(kCommonFields), std::end(kCommonFields));
  t.fields.insert(t.fields.end(), kind.fields.begin(), kind.fields.end());
  t.fields.push_back({"report", FieldType::object, "", "what text reports show", 0, 0, nullptr,
                      &report_table(kind.row_name)});
  t.all = {"", t.fields};
  return t.all;
}

bool Config::changes(std::string_view key) const {
  return std::ranges::any_of(flags, [&](const ConfigPatch& flag) {
    const std::string_view changed_key = flag.name;
    const auto within = [](std::string_view inner, std::string_view outer) {
      return inner.starts_with(outer) && inner.substr(outer.size()).starts_with('.');
    };
    return changed_key == key || within(changed_key, key) || within(key, changed_key);
  });
}

bool Config::means(std::string_view key) const {
  if (of_result) return false;
  if (changed()) return changes(key);
  return files.size() == 1 || effect_on(*files.front().keys, key) != Effect::none;
}

bool Config::expects_figures() const { return !changed() || changes("expect"); }

bool Config::changes_rows() const {
  return std::ranges::any_of(flags,
                             [](const ConfigPatch& flag) { return flag.prefix == kRowsFlag; });
}

Place Config::place(std::vector<JsonSource> patches) const {
  for (auto flag = flags.rbegin(); flag != flags.rend(); ++flag) {
    patches.push_back({flag->prefix, flag->patch.get()});
  }
  for (const ConfigFile& one : files) patches.push_back({one.file + ": ", one.keys.get()});
  // What none of them holds is missing in the file itself.
  patches.push_back({file + ": ", files.front().keys.get()});
  return Place(std::move(patches));
}

Config read_config(std::string_view text, const std::string& file, const Overrides& overrides) {
  return read_config(read_chain({file, std::string(text)}, load_canned), overrides);
}

Config read_config(const ConfigChain& files, const Overrides& overrides) {
  Config config;
  config.file = files.front().file;
  config.files = files;
  config.flags = set_flags(overrides);
  config.kind = &chosen_kind(config);
  if (!overrides.rows.empty()) {
    config.flags.push_back(rows_flag(overrides.rows, plural(config.kind->row_name)));
  }
  const ObjectTable& table = config_table(*config.kind);
  config.base = std::make_shared<const Json>(merged(config, table));

  const ObjectReader top(*config.base, table, config.place());
  config.name = top.has("name") ? top.text("name") : name_of_file(config.file);
  config.title = top.text("title");
  config.source = top.text("source");
  config.about = top.text("about");
  config.cases = read_cases(top, config.file);
  config.sweep = read_sweep(top);
  config.seeds = read_seeds(top);
  config.seeds_place = top.place_of("seeds").text();
  if (config.seeds && !config.kind->draws) {
    top.refuse("seeds", fmt::format("{} draws nothing", config.kind->name), "remove it");
  }
  if (config.seeds && overrides.seeds.empty() &&
      effect_on(*config.base, "random.seed") == Effect::sets) {
    top.refuse("seeds", "random.seed is given as well", "keep one of the two");
  }
  apply_seed_flag(overrides, config);
  if (config.seeds) check_no_other_seed(config);
  check_all_matters(config, table);
  return config;
}

Config read_result_config(std::string_view text, const std::string& file) {
  Config config = read_config(text, file, {});
  config.of_result = true;
  return config;
}

std::string resolved_text(const Config& config) {
  Json resolved = *config.base;
  fill_defaults(resolved, config_table(*config.kind));
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
