#pragma once
// What a command is: a name, its options, and what runs it.
//
// Each command describes itself in its own file. The command line, help, shell completion, the man
// page and docs/commands.md read the description; cli.cpp alone hands it to CLI11.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/named_table.hpp"

namespace sigstab {

struct Option {
  // A flag without a value; one value; a value that may be missing; values, of a flag that may be
  // repeated or of an argument that takes many; numbers, separated by commas.
  using Target =
      std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*,
                   double*, std::optional<double>*, std::int64_t*, std::vector<double>*>;

  std::string_view name;  // "--output"; an argument, which is told by its place, has no dashes
  std::string help;
  Target target;
  // What the value is called: FILE is a path, CONFIG a canned name or a path.
  std::string_view value = "";
  Names choices{};  // the values there are; empty: any
  bool required = false;
  char letter = 0;  // the short flag: 'o' for -o
};

struct Command {
  std::string_view name, help;
  std::vector<Option> options;
  std::function<ExitCode()> run;
};

// A command whose options are kept in an `Options`: `options_of` describes them, `run` reads them.
template <class Options>
Command make_command(std::string_view name, std::string_view help,
                     std::vector<Option> (*options_of)(Options&), ExitCode (*run)(const Options&)) {
  const auto options = std::make_shared<Options>();
  return {name, help, options_of(*options), [options, run] { return run(*options); }};
}

}  // namespace sigstab
