#include "cli/load_config.hpp"

#include <filesystem>

#include "base/named_table.hpp"
#include "cli/files.hpp"
#include "config/canned.hpp"

namespace sigstab {
namespace {

namespace fs = std::filesystem;

bool is_path(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json");
}

// "../base.json" said by "mine/my.json" is "base.json".
std::string beside(const std::string& from, const std::string& name) {
  const fs::path joined = fs::path(from).parent_path() / name, plain = joined.lexically_normal();
  std::error_code failed;
  // Beyond a link to a folder ".." is not what the text says.
  const bool same = fs::equivalent(joined, plain, failed) ||
                    (!fs::exists(joined, failed) && !fs::exists(plain, failed));
  return (same ? plain : joined).string();
}

// The config called `name`, which as a file is at `path`.
NamedText find_config(const std::string& name, const std::string& path) {
  if (is_canned(name)) return load_canned(name, "");
  std::error_code ignored;
  if (!is_path(name) && !fs::exists(path, ignored)) {
    throw Error("", "no experiment and no file is named \"" + name + "\"",
                name_hint(name, row_names(canned_configs())));
  }
  return {path, read_file(path)};
}

}  // namespace

bool is_canned(const std::string& name) {
  return !is_path(name) && find_row(canned_configs(), name) != nullptr;
}

NamedText load_text(const std::string& name) { return find_config(name, name); }

ConfigChain load_config(const std::string& name) { return config_chain(load_text(name)); }

ConfigChain config_chain(const NamedText& text) {
  return read_chain(text, [](const std::string& next, const std::string& from) {
    return find_config(next, beside(from, next));
  });
}

std::vector<std::string> article_names() {
  std::vector<std::string> names;
  for (const CannedConfig& canned : canned_configs()) {
    if (canned.folder == "article") names.emplace_back(canned.name);
  }
  return names;
}

}  // namespace sigstab
