#pragma once
// A config file as its author meant it: parsed, short forms expanded, flags applied, nothing
// resolved.
//
// Keys common to every kind of experiment stand here; what a kind adds is read when the plan
// resolves each case.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config_chain.hpp"
#include "config/config_patch.hpp"
#include "config/key_table.hpp"
#include "json/json.hpp"
#include "kinds/kind.hpp"
#include "random/seed.hpp"

namespace sigstab {

struct Config {
  std::string file;
  std::string name, title, source, about;
  const Kind* kind = nullptr;
  std::shared_ptr<const KeyTable> keys;  // all that there are
  ConfigChain files;                     // as written: the file, then what it extends
  std::vector<ConfigPatch> flags;        // what the command line changes; a later one is stronger
  std::shared_ptr<const Json> base;      // all together, short forms expanded
  std::vector<ConfigPatch> cases;        // one without a name if the file lists none
  std::vector<SweepKey> sweep;
  std::optional<std::vector<Seed>> seeds;
  std::string seeds_place;  // "my.json: /seeds", or the flag
  bool seeds_flag = false;  // --seed or --seeds, not the file
  // As a result holds it, in which flags are no longer to be seen: of its report, what does not fit
  // falls back to the defaults.
  bool of_result = false;

  // Whether the command line changes what the file describes: its figures are then no longer
  // expected, and of its report what does not fit falls back to the defaults.
  bool changed() const { return !flags.empty() || seeds_flag; }
  // Whether it changes that key, one below it or one above it.
  bool changes(std::string_view key) const;
  // Whether what stands at that key is meant for this very experiment: not inherited from another
  // file or from a run, nor written before the command line changed the rest.
  bool means(std::string_view key) const;
  // Whether what `expect` holds is about what will run.
  bool expects_figures() const;
  // Whether it asks for rows, by --layers.
  bool changes_rows() const;

  // Where the values of a resolved case came from: the patches (strongest first), flags, the file,
  // what it extends.
  Place place(std::vector<JsonSource> patches = {}) const;
};

// What a change by --layers stands under in errors.
inline constexpr const char* kRowsFlag = "--layers: ";

}  // namespace sigstab
