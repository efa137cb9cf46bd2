#pragma once
// A config file as its author meant it: parsed, short forms expanded, flags applied, nothing
// resolved.
//
// Keys common to every kind of experiment are read here; what a kind adds is read when the plan
// resolves each case.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/config_chain.hpp"
#include "pipeline/field.hpp"
#include "pipeline/json.hpp"
#include "pipeline/kind.hpp"
#include "random/seed.hpp"

namespace sigstab {

// What the command line changes.
struct Overrides {
  std::vector<std::string> set;    // "a.b=value"
  std::vector<std::string> seeds;  // decimal; empty: as the config says
  std::vector<std::string> rows;   // of --layers: numbers, "last" or "all"
  bool empty() const { return set.empty() && seeds.empty() && rows.empty(); }
};

// A change to the base: a case, one value of a sweep's key, or a flag.
struct ConfigPatch {
  std::string name;                   // the case's name, or the key that is changed
  std::shared_ptr<const Json> patch;  // as written, without a case's name
  std::string prefix;                 // before a pointer into it: "my.json: /cases/1", "--set: "
};

struct SweepKey {
  std::string key;             // "norm.placement"
  std::vector<Scalar> values;  // scalars as they are, anything else as JSON text
  std::vector<ConfigPatch> patches;
};

struct Config {
  std::string file;
  std::string name, title, source, about;
  const Kind* kind = nullptr;
  ConfigChain files;                 // as written: the file, then what it extends
  std::vector<ConfigPatch> flags;    // what the command line changes; a later one is stronger
  std::shared_ptr<const Json> base;  // all together, short forms expanded
  std::vector<ConfigPatch> cases;    // one without a name if the file lists none
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
  // --layers
  bool changes_rows() const;

  // Where the values of a resolved case came from: the patches (strongest first), flags, the file,
  // what it extends.
  Place place(std::vector<JsonSource> patches = {}) const;
};

// The table of all keys of a kind: the common ones, then its own.
const ObjectTable& config_table(const Kind& kind);

// Errors: anything malformed, unknown or out of range, with its place.
Config read_config(const ConfigChain& files, const Overrides& overrides);
// The same of a text that extends canned configs at most.
Config read_config(std::string_view text, const std::string& file, const Overrides& overrides);

// The config that a result holds: that of the plan which ran.
Config read_result_config(std::string_view text, const std::string& file);

// The base with every default of the table filled in, as JSON text; without figures that are no
// longer expected.
std::string resolved_text(const Config& config);

}  // namespace sigstab
