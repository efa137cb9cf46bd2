#include "cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/build_info.hpp"
#include "cli/command_line.hpp"
#include "cli/files.hpp"

namespace sigstab {
namespace {

// How CLI11 spells an option's names: "-o,--output".
std::string spelling(const Option& option) {
  const std::string name(option.name);
  return option.letter == 0 ? name : fmt::format("-{},{}", option.letter, name);
}

struct Adder {
  CLI::App& app;
  const Option& option;

  void operator()(bool* target) const { app.add_flag(spelling(option), *target, option.help); }
  void operator()(std::vector<std::string>* target) const {
    CLI::Option* added = add(*target);
    if (!option.is_argument()) added->take_all()->expected(1)->allow_extra_args(false);
  }
  void operator()(std::vector<double>* target) const { add(*target)->delimiter(','); }
  template <class T>
  void operator()(T* target) const {
    add(*target);
  }
  template <class T>
  CLI::Option* add(T& target) const {
    CLI::Option* added = app.add_option(spelling(option), target, option.help)
                             ->type_name(std::string(option.value))
                             ->required(option.required);
    // A name that a script left empty is no wish for no file.
    if (option.value == "FILE") {
      added->check([](const std::string& name) { return name.empty() ? "no file is named" : ""; });
    }
    return added;
  }
};

// A choice that there is not. Flags left out have none.
void check_choices(const Command& command) {
  for (const Option& option : command.options) {
    const auto* given = std::get_if<std::string*>(&option.target);
    if (option.choices.empty() || given == nullptr || (*given)->empty()) continue;
    if (std::ranges::find(option.choices, **given) != option.choices.end()) continue;
    throw Error(std::string(option.is_argument() ? command.name : option.name),
                fmt::format("unknown name \"{}\"", **given), name_hint(**given, option.choices));
  }
}

void check_command_name(const std::vector<Command>& commands, const std::string& given) {
  if (given.empty() || given.front() == '-' || find_row(commands, given) != nullptr) return;
  throw Error("", fmt::format("unknown command \"{}\"", given),
              name_hint(given, row_names(commands)));
}

// What CLI11 could not read, with the nearest flag where one is unknown.
[[noreturn]] void refuse_usage(const Command* command, const std::vector<std::string>& arguments,
                               const std::string& reason) {
  Names flags = {"--help"};
  if (command == nullptr) flags.push_back("--version");
  for (const Option& option : command == nullptr ? std::vector<Option>{} : command->options) {
    if (!option.is_argument()) flags.push_back(option.name);
  }
  for (const std::string& argument : arguments) {
    const std::string flag = argument.substr(0, argument.find('='));
    if (!flag.starts_with("--") || flag == "--") continue;
    if (std::ranges::find(flags, flag) != flags.end()) continue;
    throw Error("", fmt::format("unknown flag \"{}\"", flag), name_hint(flag, flags));
  }
  const std::string name(command == nullptr ? "" : command->name);
  throw Error(name, reason,
              name.empty() ? "see sigstab --help" : fmt::format("see sigstab {} --help", name));
}

}  // namespace

ExitCode run_cli(int argc, char** argv, const std::vector<Command>& commands) {
  keep_command_line(argc, argv);
  CLI::App app(std::string(kDescription), "sigstab");
  app.footer(std::string(kExitCodes));
  app.require_subcommand(0, 1);
  bool version = false;
  app.add_flag("--version", version, std::string(kVersionHelp));
  const Command* chosen = nullptr;
  for (const Command& command : commands) {
    CLI::App* added = app.add_subcommand(std::string(command.name), std::string(command.help));
    added->footer(command.details);
    added->parse_complete_callback([&chosen, &command] { chosen = &command; });
    for (const Option& option : command.options) std::visit(Adder{*added, option}, option.target);
  }

  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty()) check_command_name(commands, arguments.front());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help
      print(app.help());
      return ExitCode::ok;
    }
    refuse_usage(arguments.empty() ? nullptr : find_row(commands, arguments.front()), arguments,
                 error.what());
  }
  if (version) {
    print(version_text());
    return ExitCode::ok;
  }
  if (chosen == nullptr) {
    print(app.help());
    return ExitCode::ok;
  }
  check_choices(*chosen);
  return chosen->run();
}

}  // namespace sigstab
