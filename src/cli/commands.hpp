#pragma once
// The commands: plain functions of plain options. cli.cpp alone knows how they are spelled.

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
  bool dry_run = false;
  std::string threads, memory;  // as typed; empty: what the machine offers
};
ExitCode run_command(const RunOptions& options);

struct TheoryOptions {
  std::vector<std::string> names;
  std::string format = "table";
  Overrides overrides;
};
ExitCode theory_command(const TheoryOptions& options);

// No names: every canned experiment of the article.
ExitCode check_command(const std::vector<std::string>& names);

ExitCode diff_command(const std::string& a, const std::string& b, double rtol, double atol);
ExitCode list_command(const std::string& what);
ExitCode show_command(const std::string& name);
ExitCode validate_command(const std::vector<std::string>& files);
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
