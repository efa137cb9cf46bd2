// sigstab completion: scripts by which shells complete commands, flags and values, written from the
// descriptions that the command line itself reads.

#include <fmt/format.h>

#include <set>

#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "commands/commands.hpp"
#include "config/canned.hpp"
#include "config/schema.hpp"
#include "net/activation.hpp"

namespace sigstab {
namespace {

// --- what can be typed
// ----------------------------------------------------------------------------

std::vector<std::string> texts(const Names& names) { return {names.begin(), names.end()}; }

// "width=", "init.kind=": of every kind.
std::vector<std::string> keys() {
  std::set<std::string> known;
  for (const Kind* kind : all_kinds()) {
    for (const KeyHelp& key : keys_of(*kind)) known.insert(key.key + "=");
  }
  return {known.begin(), known.end()};
}

// Words that an option's value may be, by what it is called.
struct ValueKind {
  std::string_view name;
  bool is_file;  // or a path
  std::vector<std::string> (*words)();
};
constexpr ValueKind kValueKinds[] = {
    {"FILE", true, [] { return std::vector<std::string>(); }},
    {"MODEL", true, [] { return std::vector<std::string>(); }},
    {"CONFIG", true, [] { return texts(row_names(canned_configs())); }},
    {"ACTIVATION", false, [] { return texts(row_names(activation_table())); }},
    {"KEY=VALUE", false, keys},
};

struct Values {
  bool files = false;
  std::vector<std::string> words;
};

Values values_of(const Option& option) {
  if (!option.choices.empty()) return {false, texts(option.choices)};
  const ValueKind* kind = find_row(kValueKinds, option.value);
  return kind == nullptr ? Values() : Values{kind->is_file, kind->words()};
}

// Of an argument: its first option without dashes takes all that are typed.
Values arguments_of(const Command& command) {
  for (const Option& option : command.options) {
    if (option.is_argument()) return values_of(option);
  }
  return {};
}

std::vector<std::string> flags_of(const Command& command) {
  std::vector<std::string> flags;
  for (const Option& option : command.options) {
    if (!option.is_argument()) flags.emplace_back(option.name);
  }
  flags.emplace_back("--help");
  return flags;
}

std::string spaced(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// `text` with a backslash before each of these characters.
std::string escaped(std::string_view text, std::string_view characters) {
  std::string result;
  for (char c : text) {
    if (characters.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// --- bash
// -----------------------------------------------------------------------------------------

constexpr std::string_view kBashStart =
    R"(# bash completion of sigstab, written by: sigstab completion bash
_sigstab() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= words= files= key= i
  # bash takes --flag=value apart into three words, and key=value, whose values are not known here.
  if [[ $current == = ]]; then
    key=$previous current=
  elif [[ $previous == = ]]; then
    key=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if [[ -n $key ]]; then
    previous=$key COMPREPLY=()
    [[ $key == -* ]] || return 0
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  case "$command $previous" in
)";
constexpr std::string_view kBashEnd = R"(  esac
  COMPREPLY=()
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    local paths
    mapfile -t paths < <(compgen -f -- "$current")
    COMPREPLY+=("${paths[@]}")
  fi
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _sigstab sigstab
)";

std::string bash_values(const Values& values) {
  return fmt::format("words='{}'{}", spaced(values.words), values.files ? " files=1" : "");
}

std::string bash_script() {
  std::string script(kBashStart), rest;
  for (const Command& command : all_commands()) {
    for (const Option& option : command.options) {
      if (option.is_argument() || !option.takes_value()) continue;
      std::string patterns = fmt::format("'{} {}'", command.name, option.name);
      if (option.letter != 0) patterns += fmt::format(" | '{} -{}'", command.name, option.letter);
      script += fmt::format("    {}) {} ;;\n", patterns, bash_values(values_of(option)));
    }
    rest += fmt::format(
        "    '{} '*)\n      {}\n      [[ $current != -* ]] || {{ words='{}'; files=; }}\n      "
        ";;\n",
        command.name, bash_values(arguments_of(command)), spaced(flags_of(command)));
  }
  rest += fmt::format("    ' '*) words='{} --version --help' ;;\n",
                      spaced(texts(row_names(all_commands()))));
  return script + rest + std::string(kBashEnd);
}

// --- zsh
// ------------------------------------------------------------------------------------------

constexpr std::string_view kZshEnd = R"(
# Loaded by the completion system, or read from a file.
if [[ $funcstack[1] == _sigstab ]]; then
  _sigstab "$@"
else
  compdef _sigstab sigstab
fi
)";

std::string zsh_action(const Option& option) {
  const Values values = values_of(option);
  std::string words;
  for (const std::string& word : values.words) words += (words.empty() ? "" : " ") + word;
  if (words.empty()) return values.files ? "_files" : " ";
  if (values.files)
    return fmt::format("{{_alternative \"names:name:({})\" \"files:file:_files\"}}", words);
  return words.ends_with('=') ? fmt::format("{{compadd -S \"\" -- {}}}", words)
                              : fmt::format("({})", words);
}

// One specification of _arguments, in single quotes.
std::string zsh_spec(const Option& option) {
  const auto plain = [](std::string_view text) {
    std::string quoted;
    for (char c : escaped(text, ":[]\\")) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted;
  };
  if (option.is_argument()) {
    return fmt::format("'{}:{}:{}'", option.is_repeatable() ? "*" : "", plain(option.value),
                       zsh_action(option));
  }
  const std::string many = option.is_repeatable() ? "*" : "";
  const std::string value =
      option.takes_value() ? fmt::format(":{}:{}", plain(option.value), zsh_action(option)) : "";
  const std::string equals = option.takes_value() ? "=" : "";
  const std::string tail = fmt::format("[{}]{}", plain(option.help), value);
  if (option.letter == 0) return fmt::format("'{}{}{}{}'", many, option.name, equals, tail);
  return fmt::format("'{}'{{-{}+,{}{}}}'{}'", many, option.letter, option.name, equals, tail);
}

std::string zsh_script() {
  std::string script =
      "#compdef sigstab\n# zsh completion of sigstab, written by: sigstab completion zsh\n"
      "_sigstab() {\n  local context state state_descr line\n  typeset -A opt_args\n"
      "  local -a commands\n  commands=(\n";
  for (const Command& command : all_commands()) {
    script += fmt::format("    '{}:{}'\n", command.name, escaped(command.help, "\\:'"));
  }
  script += fmt::format(
      "  )\n  _arguments -C '--version[{}]' '--help[help]' '1:command:->command' "
      "'*::argument:->rest' "
      "&& return\n  case $state in\n    command) _describe command commands ;;\n    rest)\n"
      "      case $words[1] in\n",
      kVersionHelp);
  for (const Command& command : all_commands()) {
    script += fmt::format("        {})\n          _arguments '--help[help]'", command.name);
    for (const Option& option : command.options) script += " \\\n            " + zsh_spec(option);
    script += "\n          ;;\n";
  }
  return script + "      esac\n      ;;\n  esac\n}\n" + std::string(kZshEnd);
}

// --- fish
// -----------------------------------------------------------------------------------------

std::string fish_quoted(std::string_view text) { return "'" + escaped(text, "\\'") + "'"; }

std::string fish_script() {
  std::string script =
      "# fish completion of sigstab, written by: sigstab completion fish\n"
      "complete -c sigstab -f\n"
      "complete -c sigstab -n __fish_use_subcommand -l version -d " +
      fish_quoted(kVersionHelp) + "\ncomplete -c sigstab -l help -d help\n";
  for (const Command& command : all_commands()) {
    script += fmt::format("complete -c sigstab -n __fish_use_subcommand -a {} -d {}\n",
                          command.name, fish_quoted(command.help));
    const std::string start =
        fmt::format("complete -c sigstab -n '__fish_seen_subcommand_from {}'", command.name);
    for (const Option& option : command.options) {
      const Values values = values_of(option);
      std::string line = start;
      if (option.letter != 0) line += fmt::format(" -s {}", option.letter);
      if (!option.is_argument()) line += fmt::format(" -l {}", option.name.substr(2));
      if (!option.is_argument() && option.takes_value()) line += values.files ? " -r" : " -x";
      if (values.files) line += " -F";
      if (!values.words.empty()) line += " -a " + fish_quoted(spaced(values.words));
      script += line + " -d " + fish_quoted(option.help) + "\n";
    }
  }
  return script;
}

// --- the command
// ----------------------------------------------------------------------------------

struct Shell {
  std::string_view name, install;
  std::string (*script)();
};
constexpr Shell kShells[] = {
    {"bash", "add to ~/.bashrc:  source <(sigstab completion bash)", bash_script},
    {"zsh", "add to ~/.zshrc, after compinit:  source <(sigstab completion zsh)", zsh_script},
    {"fish", "once:  sigstab completion fish > ~/.config/fish/completions/sigstab.fish",
     fish_script},
};

struct CompletionOptions {
  std::string shell;
};

std::vector<Option> options_of(CompletionOptions& options) {
  return {{.name = "shell",
           .help = joined(row_names(kShells)),
           .target = &options.shell,
           .value = "SHELL",
           .choices = row_names(kShells),
           .required = true}};
}

std::string install_text() {
  std::string text;
  for (const Shell& shell : kShells) {
    text += fmt::format("{}{:4}  {}", text.empty() ? "" : "\n", shell.name, shell.install);
  }
  return text;
}

ExitCode completion(const CompletionOptions& options) {
  print(find_row(kShells, options.shell)->script());
  return ExitCode::ok;
}

}  // namespace

Command completion_command() {
  return make_command("completion", "print a script by which a shell completes commands",
                      options_of, completion, install_text());
}

}  // namespace sigstab
