#include "config/config_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/named_table.hpp"
#include "config/canned.hpp"
#include "config/config_patch.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kLongestChain = 16;
constexpr const char* kExtends = "extends";

std::string chain_text(const ConfigChain& chain, const std::string& last) {
  std::string text;
  for (const ConfigFile& one : chain) text += one.file + " -> ";
  return text + last;
}

Json read_object(const NamedText& source) {
  Json object = parse_json(source.text, source.file);
  if (!object.is_object()) {
    throw Error(source.file, "expected a JSON object, got " + shown(object),
                "write {\"depth\": 50}");
  }
  if (object.contains("schema") && object.contains("cases") && object.contains("kind")) {
    throw Error(source.file, "it is a result that sigstab wrote, not a config",
                "results are for plot, report and diff");
  }
  for (std::string_view key : file_keys()) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_string() || found->is_null()) continue;
    throw Error(fmt::format("{}: /{}", source.file, key), "expected text, got " + shown(*found),
                "write it in quotes, or leave it out");
  }
  return object;
}

NamedText load_at(const std::string& name, const ConfigChain& chain, const ConfigLoader& load) {
  const std::string where = fmt::format("{}: /{}", chain.back().file, kExtends);
  NamedText next;
  try {
    next = load(name, chain.back().file);
  } catch (const Error& e) {
    const std::string message = e.where().empty() ? e.message() : e.where() + ": " + e.message();
    throw Error(
        where, message,
        e.hint().empty() ? "name a file, relative to this one, or a canned experiment" : e.hint());
  }
  if (std::ranges::find(chain, next.file, &ConfigFile::file) != chain.end()) {
    throw Error(where, "it extends itself: " + chain_text(chain, next.file),
                "let the first of them stand alone");
  }
  if (chain.size() == kLongestChain) {
    throw Error(where,
                fmt::format("a chain of more than {} files: {}", kLongestChain,
                            chain_text(chain, next.file)),
                "merge some of them");
  }
  return next;
}

namespace fs = std::filesystem;

fs::path moved(const fs::path& path, const fs::path& from, const fs::path& to) {
  const fs::path whole = (from / path).lexically_normal();
  if (whole.is_absolute() && !to.is_absolute()) return whole;
  return whole.lexically_relative(to.empty() ? "." : to);
}

void move_paths(Json& object, const ObjectTable& table, const fs::path& from, const fs::path& to) {
  if (!object.is_object()) return;
  for (const Field& field : table.fields) {
    const auto found = object.find(field.name);
    if (found == object.end()) continue;
    if (field.type == FieldType::object) move_paths(*found, *field.table, from, to);
    if (field.type == FieldType::path && found->is_string()) {
      *found = moved(found->get<std::string>(), from, to).string();
    }
  }
}

// Of a sweep's key, such as "init.file".
void move_values(const std::string& file, const std::string& key, Json& values,
                 const ObjectTable& table, const fs::path& from, const fs::path& to) {
  if (!values.is_array()) return;
  for (Json& value : values) {
    Json patch = nested_patch(key, value, fmt::format("{}: /sweep/{}", file, key));
    move_paths(patch, table, from, to);
    const Json* moved_value = &patch;
    for (std::size_t start = 0; start <= key.size();) {
      const std::size_t dot = std::min(key.find('.', start), key.size());
      moved_value = &moved_value->at(key.substr(start, dot - start));
      start = dot + 1;
    }
    value = Json(*moved_value);
  }
}

}  // namespace

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().string(); }

Json keys_beside(const ConfigFile& first, const ConfigFile& file, const ObjectTable& table) {
  Json keys = *file.keys;
  const fs::path from = folder_of(file.file),
                 to = fs::path(folder_of(first.file)).lexically_normal();
  if (from.lexically_normal() == to) return keys;
  move_paths(keys, table, from, to);
  if (const auto cases = keys.find("cases"); cases != keys.end() && cases->is_array()) {
    for (Json& one : *cases) move_paths(one, table, from, to);
  }
  if (const auto sweep = keys.find("sweep"); sweep != keys.end() && sweep->is_object()) {
    for (const auto& [key, values] : sweep->items())
      move_values(file.file, key, values, table, from, to);
  }
  return keys;
}

NamedText load_canned(const std::string& name, const std::string& /*from*/) {
  if (const CannedConfig* canned = find_row(canned_configs(), name)) {
    return {name, std::string(canned->text)};
  }
  throw Error("", "no experiment is named \"" + name + "\"",
              name_hint(name, row_names(canned_configs())));
}

ConfigChain read_chain(const NamedText& first, const ConfigLoader& load) {
  ConfigChain chain;
  NamedText source = first;
  for (;;) {
    Json keys = read_object(source);
    const auto extends = keys.find(kExtends);
    const bool named = extends != keys.end() && extends->is_string();
    const std::string next = named ? extends->get<std::string>() : "";
    if (!chain.empty()) {
      for (std::string_view key : file_keys()) keys.erase(key);
      for (std::string_view key : keys_of_one_file()) keys.erase(key);
    }
    chain.push_back({source.file, std::make_shared<const Json>(std::move(keys))});
    if (!named) return chain;
    source = load_at(next, chain, load);
  }
}

}  // namespace sigstab
