#pragma once
// A config file and those that it extends, each by the next: read and put in order, not yet merged.
//
// "extends" names another config, whose keys the file changes as a JSON merge patch. What describes
// one file alone is not handed on: its names, its texts and its expected figures.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "json/field.hpp"
#include "json/json.hpp"

namespace sigstab {

struct NamedText {
  std::string file;  // a path, or the canned name
  std::string text;
};

// Finds the config that the file `from` calls `name`.
// Errors: there is none, or it cannot be read.
using ConfigLoader = std::function<NamedText(const std::string& name, const std::string& from)>;

struct ConfigFile {
  std::string file;
  std::shared_ptr<const Json> keys;  // as written; of an extended file, what it hands on
};

// The file itself, then what it extends; never empty.
using ConfigChain = std::vector<ConfigFile>;

// Errors: malformed text, no object; a file that extends itself, more than 16 files; a config that
// cannot be found, at the "extends" that names it.
ConfigChain read_chain(const NamedText& first, const ConfigLoader& load);

// What `file` says, with the paths of files in it as they are seen from the folder of `first`.
Json keys_beside(const ConfigFile& first, const ConfigFile& file, const ObjectTable& table);
// The folder of a file; empty where it is the current one.
std::string folder_of(const std::string& file);

// A canned config by its name. Errors: there is none.
NamedText load_canned(const std::string& name, const std::string& from);

}  // namespace sigstab
