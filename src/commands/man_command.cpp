// sigstab man: the reference of all commands, as a man page or as docs/commands.md, read from the
// descriptions that the command line itself reads.

#include <fmt/format.h>

#include "build_facts.hpp"
#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "commands/commands.hpp"
#include "report/markdown.hpp"

namespace sigstab {
namespace {

// "-o, --output FILE", "config"
std::string flag_text(const Option& option) {
  std::string text(option.name);
  if (option.letter != 0) text = fmt::format("-{}, {}", option.letter, text);
  if (!option.is_argument() && option.takes_value()) text += fmt::format(" {}", option.value);
  return text;
}

// "run [OPTION]... CONFIG..."
std::string synopsis(const Command& command) {
  std::string text(command.name), arguments;
  bool flags = false;
  for (const Option& option : command.options) {
    flags = flags || !option.is_argument();
    if (!option.is_argument()) continue;
    const std::string one = fmt::format("{}{}", option.value, option.is_repeatable() ? "..." : "");
    arguments += option.required ? " " + one : fmt::format(" [{}]", one);
  }
  return text + (flags ? " [OPTION]..." : "") + arguments;
}

// What it does, and its choices where the text does not list them.
std::string help_text(const Option& option) {
  const std::string choices = joined(option.choices);
  std::string text = option.help;
  if (!choices.empty() && text.find(choices) == std::string::npos) text += ": " + choices;
  return text;
}

// --- roff ---------------------------------------------------------------------------------------

// Text that roff sets as it stands: no line begins with a control character, a dash is a dash.
std::string roff(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    const bool starts_line = escaped.empty() || escaped.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if (c == '\'')
      escaped += "\\(aq";
    else if (c == '`')
      escaped += "\\(ga";
    else if (c == '^')
      escaped += "\\(ha";
    else if (c == '~')
      escaped += "\\(ti";
    else
      escaped += c;
  }
  return escaped;
}

std::string roff_item(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(term), roff(text));
}

// Lines as they stand.
std::string roff_lines(std::string_view text) {
  return fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text));
}

constexpr std::string_view kExamples[][2] = {
    {"fifty ReLU layers under Xavier's and He's weights:", "sigstab run relu-depth"},
    {"a config with one key changed, over a hundred seeds, as a file that can be continued:",
     "sigstab run my.json --set width=1024 --seeds 0..99 -o my.jsonl"},
    {"what it does at its depth, and what would mend it:", "sigstab advise my.json"},
    {"two results, value by value:", "sigstab diff a.json b.json"},
};

std::string man_page() {
  std::string text = fmt::format(
      ".TH SIGSTAB 1 \"\" \"sigstab {}\" \"User Commands\"\n.SH NAME\nsigstab \\- {}\n.SH "
      "SYNOPSIS\n"
      "\\fBsigstab\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n"
      ".SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      roff(build::kVersion), "signal and gradient sizes in deep networks, layer by layer",
      roff(kDescription));
  for (const Command& command : all_commands()) {
    text += fmt::format(".SS \"sigstab {}\"\n{}.\n", roff(synopsis(command)), roff(command.help));
    for (const Option& option : command.options) {
      text += roff_item(option.is_argument() ? option.value : flag_text(option), help_text(option));
    }
    if (!command.details.empty()) text += roff_lines(command.details);
  }
  text += ".SH OPTIONS\n" + roff_item("--version", kVersionHelp) +
          roff_item("--help", "of the program, or of a command") + ".SH EXIT STATUS\n" +
          roff(kExitCodes.substr(kExitCodes.find(": ") + 2)) + "\n.SH EXAMPLES\n";
  for (const auto& [what, command] : kExamples) text += roff_item(what, command);
  return text;
}

// --- markdown -----------------------------------------------------------------------------------

std::string commands_page() {
  std::string text = fmt::format(
      "# Commands\n\nWritten by `sigstab man --format markdown`; `sigstab COMMAND --help` and the "
      "man page say the same.\n\n{}\n",
      kExitCodes);
  for (const Command& command : all_commands()) {
    text += fmt::format("\n## {}\n\n```text\nsigstab {}\n```\n\n{}.\n", command.name,
                        synopsis(command), escaped_markdown(command.help));
    if (!command.options.empty()) text += "\n| option | what it does |\n|---|---|\n";
    for (const Option& option : command.options) {
      const std::string name(option.is_argument() ? option.value : flag_text(option));
      text += fmt::format("| `{}` | {} |\n", name, escaped_markdown(help_text(option)));
    }
    if (!command.details.empty()) text += fmt::format("\n```text\n{}\n```\n", command.details);
  }
  return text;
}

// --- the command --------------------------------------------------------------------------------

struct Format {
  std::string_view name;
  std::string (*write)();
};
constexpr Format kFormats[] = {{"roff", man_page}, {"markdown", commands_page}};

struct ManOptions {
  std::string format = "roff";
};

std::vector<Option> options_of(ManOptions& options) {
  return {{.name = "--format",
           .help = joined(row_names(kFormats)),
           .target = &options.format,
           .value = "FORMAT",
           .choices = row_names(kFormats)}};
}

ExitCode man(const ManOptions& options) {
  print(find_row(kFormats, options.format)->write());
  return ExitCode::ok;
}

}  // namespace

Command man_command() {
  return make_command("man", "print the reference of all commands, a man page", options_of, man,
                      "sigstab man | man -l -");
}

}  // namespace sigstab
