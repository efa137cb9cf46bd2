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
#include <utility>
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

  bool is_argument() const { return !name.starts_with('-'); }
  bool takes_value() const { return !std::holds_alternative<bool*>(target); }
  // A flag that may be given again, or an argument that takes many.
  bool is_repeatable() const { return std::holds_alternative<std::vector<std::string>*>(target); }
};

struct Command {
  std::string_view name, help;
  std::vector<Option> options;
  std::function<ExitCode()> run;
  std::string details = "";  // what its help says after the options
};

// A command whose options are kept in an `Options`: `options_of` describes them, `run` reads them.
template <class Options>
Command make_command(std::string_view name, std::string_view help,
                     std::vector<Option> (*options_of)(Options&), ExitCode (*run)(const Options&),
                     std::string details = "") {
  const auto options = std::make_shared<Options>();
  return {name, help, options_of(*options), [options, run] { return run(*options); },
          std::move(details)};
}

}  // namespace sigstab
