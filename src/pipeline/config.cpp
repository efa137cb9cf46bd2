#include "pipeline/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/markup.hpp"
#include "pipeline/config_cases.hpp"
#include "pipeline/config_checks.hpp"
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
  if (value.is_discarded()) {
    if (readable(text) != text) throw Error(flag, "it is not printable UTF-8", "write plain text");
    return text;
  }
  return value.is_structured() ? parse_json(text, flag) : value;
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

// Takes back what fill_defaults added to a whole config: a default that is written out says
// nothing, and beside some cases' own keys it may not stand.
void erase_defaults(Json& config) {
  for (const Kind* kind : all_kinds()) {
    if (!config.is_object() || text_of(config, "experiment") != kind->name) continue;
    Json defaults = Json::object();
    fill_defaults(defaults, config_table(*kind));
    defaults.erase("experiment");
    for (const auto& [key, value] : defaults.items()) {
      if (config.value(key, Json()) == value) config.erase(key);
    }
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
    apply_patch(base, keys_beside(config.files.front(), *file, table), table);
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
  return Place(std::move(patches), folder_of(file));
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
  Json value = parse_json(text, file);
  erase_defaults(value);
  Config config = read_config(value.dump(), file, {});
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
