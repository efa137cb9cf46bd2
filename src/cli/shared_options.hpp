#pragma once
// Options that several commands take, each described once.

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "config/config.hpp"
#include "config/read_config.hpp"
#include "run/run.hpp"

namespace sigstab {

// What changes a config.
struct ChangeOptions {
  std::vector<std::string> set;
  std::optional<std::string> seed, seeds, layers;

  // Errors: a range of seeds that is none, --seed and --seeds together.
  Overrides overrides() const;
};
Option set_option(ChangeOptions& changes);
Option seed_option(ChangeOptions& changes);
Option seeds_option(ChangeOptions& changes, std::string help = "use seeds a..b");
Option layers_option(ChangeOptions& changes);

// What a run may use.
struct LimitOptions {
  std::string threads, memory;  // as typed; empty: what the machine offers

  // Errors: a number of threads or an amount of memory that is none.
  Limits limits() const;
};
Option threads_option(LimitOptions& limits);
Option memory_option(LimitOptions& limits);

Option configs_option(std::vector<std::string>& names, bool required = true);
Option format_option(std::string& format, Names choices);

}  // namespace sigstab
