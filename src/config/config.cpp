#include "config/config.hpp"
#include "config/config_patch.hpp"

#include <algorithm>
#include <utility>

namespace sigstab {

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

}  // namespace sigstab
