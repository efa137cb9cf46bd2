#include "pipeline/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace sigstab {
namespace {

Names kind_names() {
  Names names;
  for (const Kind* kind : all_kinds()) names.push_back(kind->name);
  return names;
}

constexpr Field kCommonFields[] = {
    {"name", FieldType::text, "\"\"", "the experiment's name; default the file's"},
    {"title", FieldType::text, "\"\"", "what it shows, in a line"},
    {"source", FieldType::text, "\"\"", "where it comes from"},
    {"about", FieldType::text, "\"\"", "what to look for, and what to try"},
    {"experiment", FieldType::name, "\"depth\"", "the kind of experiment", 0, 0, kind_names},
    {"cases", FieldType::any, "", "named changes to the base, each run on its own"},
    {"sweep", FieldType::any, "", "keys and the values to try: every combination is run"},
    {"seeds", FieldType::any, "",
     "a list of seeds, or {\"from\", \"count\"}; replaces random.seed"},
    {"expect", FieldType::any, "", "figures that `check` compares with"},
};
// What a case or a sweep cannot change.
constexpr std::string_view kOnlyInBase[] = {"name",  "title", "source", "about", "experiment",
                                            "cases", "sweep", "seeds",  "expect"};

// The tables of one kind, with room for the keys named after its rows.
struct KindTables {
  std::string rows_key;
  std::vector<Field> report_fields;
  ObjectTable report;
  std::vector<Field> fields;
  ObjectTable all;
};

Json parse_value(std::string_view text) {
  Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(std::string(text)) : value;
}

Json nested_patch(std::string_view dotted_key, Json value) {
  const std::size_t dot = dotted_key.rfind('.');
  if (dot == std::string_view::npos) return Json{{std::string(dotted_key), std::move(value)}};
  return nested_patch(dotted_key.substr(0, dot),
                      Json{{std::string(dotted_key.substr(dot + 1)), std::move(value)}});
}

bool contains_key(const Json& object, std::string_view dotted_key) {
  const std::size_t dot = dotted_key.find('.');
  const auto found = object.is_object() ? object.find(dotted_key.substr(0, dot)) : object.end();
  if (!object.is_object() || found == object.end()) return false;
  if (dot == std::string_view::npos || found->is_string()) return true;
  return contains_key(*found, dotted_key.substr(dot + 1));
}

Json flags_patch(const Overrides& overrides, const std::string& rows_key) {
  Json patch = Json::object();
  for (const std::string& text : overrides.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error("--set", fmt::format("expected key=value, got \"{}\"", text),
                  "write --set depth=100, or --set norm.placement=post");
    }
    // Not merge_patch, which would drop a null: that restores a default once the flags are applied.
    patch.update(nested_patch(text.substr(0, equals), parse_value(text.substr(equals + 1))), true);
  }
  if (!overrides.rows.empty()) {
    Json rows = Json::array();
    for (const std::string& row : overrides.rows) rows.push_back(parse_value(row));
    if (rows.size() == 1 && rows[0] == "all") rows = "all";
    patch["report"][rows_key] = rows;
  }
  return patch;
}

void check_only_in_base(const Json& patch, const std::string& place) {
  for (std::string_view key : kOnlyInBase) {
    if (patch.contains(key)) {
      throw Error(fmt::format("{}/{}", place, key), fmt::format("a case cannot change \"{}\"", key),
                  "move it to the top of the file");
    }
  }
}

std::vector<ConfigPatch> read_cases(const ObjectReader& top, const ObjectTable& table,
                                    const std::string& file) {
  const Json* list = top.raw("cases");
  std::vector<ConfigPatch> cases;
  if (list == nullptr) {
    const auto nothing = std::make_shared<const Json>(Json::object());
    cases.push_back({"", nothing, nothing, file + ": "});
    return cases;
  }
  const Place place = top.place_of("cases");
  const std::string form = "write [{\"name\": \"a\", ...}, {\"name\": \"b\", ...}]";
  if (!list->is_array() || list->empty()) {
    throw Error(place.text(), "expected a list of named objects, got " + shown(*list), form);
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& raw = (*list)[i];
    const std::string where = place.child(i).text();
    if (!raw.is_object()) throw Error(where, "expected an object, got " + shown(raw), form);
    const auto name = raw.find("name");
    if (name == raw.end() || !name->is_string() || name->get<std::string>().empty()) {
      throw Error(where, "a case needs a name", "add \"name\": \"...\"");
    }
    const std::string text = name->get<std::string>();
    if (std::ranges::find(cases, text, &ConfigPatch::name) != cases.end()) {
      throw Error(where + "/name", fmt::format("there are two cases \"{}\"", text),
                  "give each its own name");
    }
    Json patch = raw;
    patch.erase("name");
    check_only_in_base(patch, where);
    expand_short_forms(patch, table);
    cases.push_back({text, std::make_shared<const Json>(raw),
                     std::make_shared<const Json>(std::move(patch)), where});
  }
  return cases;
}

std::vector<SweepKey> read_sweep(const ObjectReader& top, const ObjectTable& table) {
  const Json* object = top.raw("sweep");
  std::vector<SweepKey> sweep;
  if (object == nullptr) return sweep;
  const Place place = top.place_of("sweep");
  const std::string form = "write {\"depth\": [6, 12, 24]}";
  if (!object->is_object() || object->empty()) {
    throw Error(place.text(), "expected an object of lists, got " + shown(*object), form);
  }
  for (const auto& [key, values] : object->items()) {
    const Place at = place.child(key);
    if (!values.is_array() || values.empty()) {
      throw Error(at.text(), "expected a list of values, got " + shown(values), form);
    }
    SweepKey swept{key, {}, {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Json& value = values[i];
      const std::string where = at.child(i).text();
      if (std::ranges::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i),
                            value) != values.begin() + static_cast<std::ptrdiff_t>(i)) {
        throw Error(where, shown(value) + " is listed twice", "list it once");
      }
      Json raw = nested_patch(key, value);
      Json patch = raw;
      check_only_in_base(patch, where);
      expand_short_forms(patch, table);
      swept.values.push_back(scalar_from(value));
      swept.patches.push_back({value.dump(), std::make_shared<const Json>(std::move(raw)),
                               std::make_shared<const Json>(std::move(patch)), where + ": "});
    }
    sweep.push_back(std::move(swept));
  }
  return sweep;
}

constexpr std::size_t kMostSeeds = 1'000'000;

std::optional<std::vector<Seed>> read_seeds(const ObjectReader& top) {
  const Json* given = top.raw("seeds");
  if (given == nullptr) return std::nullopt;
  const Place place = top.place_of("seeds");
  std::vector<Seed> seeds;
  if (given->is_object()) {
    static constexpr Field kFields[] = {
        {"from", FieldType::integer, "0", "the first seed", 0, 9007199254740992.0},
        {"count", FieldType::integer, "", "how many", 1, static_cast<double>(kMostSeeds)}};
    static constexpr ObjectTable kTable = {"", kFields};
    const ObjectReader range(*given, kTable, place);
    const std::int64_t from = range.integer("from"), count = range.integer("count");
    for (std::int64_t i = 0; i < count; ++i)
      seeds.emplace_back(static_cast<std::uint64_t>(from + i));
    return seeds;
  }
  if (!given->is_array() || given->empty()) {
    throw Error(place.text(), "expected a list of seeds, got " + shown(*given),
                "write [0, 1, 2] or {\"from\": 0, \"count\": 100}");
  }
  for (std::size_t i = 0; i < given->size(); ++i) {
    const Seed seed = read_seed((*given)[i], place.child(i));
    if (std::ranges::find(seeds, seed) != seeds.end()) {
      throw Error(place.child(i).text(), fmt::format("seed {} is listed twice", seed.text()),
                  "list it once");
    }
    seeds.push_back(seed);
  }
  return seeds;
}

// A flag on a key that every case or the sweep sets would do nothing.
void check_flags_matter(const Config& config, const Overrides& overrides) {
  for (const std::string& text : overrides.set) {
    const std::string key = text.substr(0, text.find('='));
    const bool swept = std::ranges::find(config.sweep, key, &SweepKey::key) != config.sweep.end();
    const bool in_every_case = std::ranges::all_of(
        config.cases, [&](const ConfigPatch& c) { return contains_key(*c.patch, key); });
    if (swept || in_every_case) {
      throw Error("--set " + key, swept ? "the sweep sets this key" : "every case sets this key",
                  "change the file, or set another key");
    }
  }
}

void apply_seed_flag(const Overrides& overrides, Config& config) {
  if (overrides.seeds.empty()) return;
  if (!config.kind->draws) {
    throw Error("--seed", fmt::format("{} draws nothing", config.kind->name), "remove the flag");
  }
  config.seeds.emplace();
  for (const std::string& text : overrides.seeds) {
    const auto seed = Seed::parse(text);
    if (!seed) {
      throw Error("--seed", fmt::format("expected a non-negative integer, got \"{}\"", text));
    }
    config.seeds->push_back(*seed);
  }
}

void fill_defaults(Json& object, const ObjectTable& table) {
  for (const Field& field : table.fields) {
    const std::string key(field.name);
    if (!object.contains(key)) {
      if (field.fallback.empty() || field.fallback == "\"\"") continue;
      object[key] = Json::parse(field.fallback);
    }
    if (field.type != FieldType::object) continue;
    Json& nested = object[key];
    if (nested.is_string()) nested = Json{{std::string(field.table->naming), nested}};
    // A matrix's own init is a change to the common one; defaults would overrule that.
    if (field.table != &table) fill_defaults(nested, *field.table);
  }
  if (table.parameters == nullptr || !object.contains(table.naming)) return;
  for (const Parameter& p :
       table.parameters(object[std::string(table.naming)].get<std::string>())) {
    if (!object.contains(p.name) && !p.required()) object[std::string(p.name)] = p.fallback;
  }
}

}  // namespace

const ObjectTable& config_table(const Kind& kind) {
  static std::map<const Kind*, KindTables> tables;
  KindTables& t = tables[&kind];
  if (!t.fields.empty()) return t.all;
  t.rows_key = plural(kind.row_name);
  t.report_fields = {
      {t.rows_key, FieldType::any, "", "which rows to show: numbers from 1, \"last\", or \"all\""},
      {"columns", FieldType::any, "", "which columns to show"},
      {"line", FieldType::text, "", "one line of text a case, for --format article"}};
  t.report = {"", t.report_fields};
  t.fields.assign(std::begin(kCommonFields), std::end(kCommonFields));
  t.fields.insert(t.fields.end(), kind.fields.begin(), kind.fields.end());
  t.fields.push_back(
      {"report", FieldType::object, "", "what text reports show", 0, 0, nullptr, &t.report});
  t.all = {"", t.fields};
  return t.all;
}

Place Config::place(std::vector<JsonSource> patches) const {
  patches.push_back({"--set: ", flags.get()});
  patches.push_back({file + ": ", raw.get()});
  return Place(std::move(patches));
}

Config read_config(std::string_view text, const std::string& file, const Overrides& overrides) {
  Config config;
  config.file = file;
  Json root = parse_json(text, file);
  if (!root.is_object()) {
    throw Error(file, "expected a JSON object, got " + shown(root), "write {\"depth\": 50}");
  }
  config.raw = std::make_shared<const Json>(root);

  // The kind decides which keys there are, so it is read before anything else.
  Json chosen = root.value("experiment", Json("depth"));
  for (const std::string& flag : overrides.set) {
    if (flag.starts_with("experiment=")) chosen = parse_value(flag.substr(11));
  }
  config.kind = nullptr;
  for (const Kind* kind : all_kinds()) {
    if (chosen == std::string(kind->name)) config.kind = kind;
  }
  if (config.kind == nullptr) {
    throw Error(file + ": /experiment", "unknown kind of experiment " + shown(chosen),
                name_hint(chosen.is_string() ? chosen.get<std::string>() : "", kind_names()));
  }

  const ObjectTable& table = config_table(*config.kind);
  Json flags = flags_patch(overrides, plural(config.kind->row_name));
  config.flags = std::make_shared<const Json>(flags);
  expand_short_forms(root, table);
  expand_short_forms(flags, table);
  Json base = Json::object();
  base.merge_patch(root);
  base.merge_patch(flags);
  config.base = std::make_shared<const Json>(std::move(base));

  const ObjectReader top(*config.base, table, config.place());
  config.name = top.has("name") ? top.text("name") : std::filesystem::path(file).stem().string();
  config.title = top.text("title");
  config.source = top.text("source");
  config.about = top.text("about");
  config.cases = read_cases(top, table, file);
  config.sweep = read_sweep(top, table);
  config.seeds = read_seeds(top);
  if (config.seeds && !config.kind->draws) {
    top.refuse("seeds", fmt::format("{} draws nothing", config.kind->name), "remove it");
  }
  if (config.seeds && overrides.seeds.empty() && contains_key(*config.base, "random.seed") &&
      (*config.base)["random"].is_object()) {
    top.refuse("seeds", "random.seed is given as well", "keep one of the two");
  }
  apply_seed_flag(overrides, config);
  check_flags_matter(config, overrides);
  return config;
}

std::string resolved_text(const Config& config) {
  Json resolved = *config.base;
  fill_defaults(resolved, config_table(*config.kind));
  if (config.seeds) {
    if (resolved.contains("random")) resolved["random"].erase("seed");
    Json seeds = Json::array();
    for (const Seed& seed : *config.seeds) {
      seeds.push_back(seed.as_uint64() ? Json(*seed.as_uint64()) : Json(seed.text()));
    }
    resolved["seeds"] = seeds;
  }
  resolved["name"] = config.name;
  return resolved.dump();
}

}  // namespace sigstab
