#include "config/read_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/markup.hpp"
#include "config/config_cases.hpp"
#include "config/config_checks.hpp"
#include "config/config_defaults.hpp"

namespace sigstab {
namespace {

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
  for (std::string_view key : file_keys()) base.erase(key);
  for (const ConfigPatch& flag : config.flags) apply_patch(base, *flag.patch, table);
  return base;
}

}  // namespace

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
  config.keys = std::make_shared<const KeyTable>(*config.kind);
  const ObjectTable& table = config.keys->table();
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
  check_all_matters(config);
  return config;
}

Config read_result_config(std::string_view text, const std::string& file) {
  Json value = parse_json(text, file);
  erase_defaults(value);
  Config config = read_config(value.dump(), file, {});
  config.of_result = true;
  return config;
}

}  // namespace sigstab
