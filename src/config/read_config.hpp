#pragma once
// From the texts of config files and the flags of the command line to a Config.

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"

namespace sigstab {

// What the command line changes.
struct Overrides {
  std::vector<std::string> set;    // "a.b=value"
  std::vector<std::string> seeds;  // decimal; empty: as the config says
  std::vector<std::string> rows;   // of --layers: numbers, "last" or "all"
  bool empty() const { return set.empty() && seeds.empty() && rows.empty(); }
};

// Errors: anything malformed, unknown or out of range, with its place.
Config read_config(const ConfigChain& files, const Overrides& overrides);
// The same of a text that extends canned configs at most.
Config read_config(std::string_view text, const std::string& file, const Overrides& overrides);

// The config that a result holds: that of the plan which ran.
Config read_result_config(std::string_view text, const std::string& file);

}  // namespace sigstab
