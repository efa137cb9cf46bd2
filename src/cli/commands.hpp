#pragma once
// The commands: plain functions of plain options. cli.cpp alone knows how they are spelled.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "pipeline/config.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/result.hpp"
#include "pipeline/run.hpp"

namespace sigstab {

struct RunOptions {
  std::vector<std::string> names;
  std::string format;                // empty: table, or nothing when there are outputs
  std::vector<std::string> outputs;  // -o, format by extension
  Overrides overrides;
  bool dry_run = false, resume = false;
  std::string threads, memory;  // as typed; empty: what the machine offers
};
ExitCode run_command(const RunOptions& options);

struct TheoryOptions {
  std::vector<std::string> names;
  std::string format = "table";
  Overrides overrides;
};
ExitCode theory_command(const TheoryOptions& options);

struct CheckOptions {
  std::vector<std::string> names;  // none: every canned experiment of the article
  std::string junit;               // a file for the verdicts as XML; empty: none
  bool theory = false;             // against theory in place of the expected figures
  std::vector<std::string> seeds;  // for that; empty: the config's own, or 0 to 19
  std::string threads, memory;     // as for run
};
ExitCode check_command(const CheckOptions& options);

struct AdviseOptions {
  std::string name;
  std::vector<std::string> set;
  std::string threads, memory;
};
ExitCode advise_command(const AdviseOptions& options);

struct DiffOptions {
  std::string a, b;
  double rtol = 0, atol = 0, log = 0, z = 0;
  std::vector<std::string> tolerances;  // "COLUMN=RULE:SIZE"
  bool nan_differs = false, any_config = false;
  std::string junit;
};
ExitCode diff_command(const DiffOptions& options);
ExitCode list_command(const std::string& what);
ExitCode show_command(const std::string& name);
// The JSON schema of configs.
ExitCode schema_command();
ExitCode validate_command(const std::vector<std::string>& files);

struct GainsOptions {
  std::vector<std::string> activations;  // name, or name:parameter=value,...; empty: all
  double size = 1;                       // mean square
  std::int64_t depth = 50;
  bool edge = false;
  std::vector<double> weights, biases;  // variances: sw2 and sb2
  std::optional<double> layer_gain;
  std::string format = "table", only;  // only: one of gains_tables(); empty: by the other options
};
ExitCode gains_command(const GainsOptions& options);
// The tables that it can print.
std::vector<std::string> gains_tables();

std::string version_text();
// What `list` can list.
std::vector<std::string> list_topics();

// --- shared by commands -------------------------------------------------------------------------

struct NamedText {
  std::string file;  // a path, or the canned name
  std::string text;
};
// A canned name wins unless the argument has a "/" or ends in .json.
// Errors: neither a canned name nor a readable file.
NamedText load_config(const std::string& name);

Provenance this_build(const Limits& limits);

// What a run may use. Errors: a number of threads or an amount of memory that is none.
Limits read_limits(const std::string& threads, const std::string& memory);

}  // namespace sigstab
