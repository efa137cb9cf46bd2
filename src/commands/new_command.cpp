// sigstab new: a config to start from, out of an example, of flags, or of a few questions.
//
// Every answer is a change like --set, and the parser itself reads it at once.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/named_table.hpp"
#include "cli/files.hpp"
#include "cli/load_config.hpp"
#include "cli/shared_options.hpp"
#include "commands/commands.hpp"
#include "config/config_text.hpp"
#include "config/read_config.hpp"
#include "run/plan.hpp"

namespace sigstab {
namespace {

struct NewOptions {
  std::string from, output, schema;
  ChangeOptions changes;  // the keys to set
  bool ask = false, force = false;
};

std::vector<Option> options_of(NewOptions& options) {
  return {
      {.name = "--from",
       .help = "start from this config",
       .target = &options.from,
       .value = "CONFIG"},
      set_option(options.changes),
      {.name = "--ask",
       .help = "ask for the keys, one line of standard input an answer; on a terminal without "
               "other flags it does so anyway",
       .target = &options.ask},
      {.name = "--output",
       .help = "write this file (standard output)",
       .target = &options.output,
       .value = "FILE",
       .letter = 'o'},
      {.name = "--force", .help = "replace the file if it is there", .target = &options.force},
      {.name = "--schema",
       .help = "name this JSON schema as \"$schema\", for editors",
       .target = &options.schema,
       .value = "FILE"},
  };
}

// What is asked, in this order: a norm's placement depends on the residual.
constexpr std::string_view kAsked[] = {"layer", "width",    "depth", "activation",
                                       "init",  "residual", "norm",  "norm.placement"};

// A key as it is set, and its row: of an object with a short form, of the key that names it.
struct Asked {
  std::string key;
  const Field* field;
};

// Nothing where the kind of experiment has no such key.
std::optional<Asked> asked_of(std::string_view key, const ObjectTable& table) {
  const std::size_t dot = key.find('.');
  const std::string first(key.substr(0, dot));
  const Field* field = find_row(table.fields, first);
  if (field == nullptr) return std::nullopt;
  if (field->type != FieldType::object) return Asked{first, field};
  const auto rest = asked_of(
      dot == std::string_view::npos ? field->table->naming : key.substr(dot + 1), *field->table);
  if (!rest) return std::nullopt;
  return Asked{first + "." + rest->key, rest->field};
}

// Without quotes; empty where the default depends on other keys.
std::string default_text(const Field& field) {
  if (field.fallback.empty()) return "";
  const Json value = Json::parse(field.fallback);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

class Questions {
 public:
  // `given`: what the flags set already, which is not asked. Answers are read as part of `file`.
  Questions(std::string file, Overrides given)
      : file_(std::move(file)),
        overrides_(std::move(given)),
        terminal_(::isatty(STDIN_FILENO) != 0) {}

  // All of it as changes. Errors: a wrong answer that cannot be asked for again, a missing one.
  Overrides ask_all() {
    for (std::string_view name : kAsked) {
      if (const auto asked = to_ask(name)) ask(name, *asked);
    }
    return overrides_;
  }

 private:
  Config config() const { return read_config(config_chain({file_, "{}"}), overrides_); }

  std::optional<Asked> to_ask(std::string_view name) const {
    const Config so_far = config();
    const ObjectTable& table = so_far.keys->table();
    const std::optional<Asked> asked = asked_of(name, table);
    if (!asked || so_far.changes(asked->key)) return std::nullopt;
    if (name != "norm.placement") return asked;
    const std::string none = default_text(*asked_of("norm", table)->field);
    const Json norm = so_far.base->value("norm", Json::object());
    return norm.value("kind", none) == none ? std::nullopt : asked;
  }

  void ask(std::string_view name, const Asked& asked) {
    for (;;) {
      print_question(name, *asked.field);
      std::string answer = read_answer(name);
      if (answer == "?") {
        std::fprintf(stderr, "%s\n", choices_text(*asked.field).c_str());
        continue;
      }
      if (answer.empty()) answer = default_text(*asked.field);
      if (answer.empty()) return;  // the default that other keys give
      const bool whole = answer.front() == '{';
      overrides_.set.push_back(fmt::format("{}={}", whole ? std::string(name) : asked.key, answer));
      try {
        make_plan(config());
        return;
      } catch (const Error& e) {
        overrides_.set.pop_back();
        const Error error(std::string(name), e.message(), e.hint());
        if (!terminal_) throw error;
        print_error(error);
      }
    }
  }

  static std::string choices_text(const Field& field) {
    if (field.allowed != nullptr) return joined(field.allowed());
    return fmt::format("a number in [{:.0f}, {:.0f}]", field.low, field.high);
  }

  static void print_question(std::string_view key, const Field& field) {
    constexpr std::size_t kFew = 4;
    const bool few = field.allowed == nullptr || field.allowed().size() <= kFew;
    const std::string fallback = default_text(field);
    std::fprintf(stderr, "%s",
                 fmt::format("{}: {} ({}){} ", key, field.help,
                             few ? choices_text(field) : "? lists the names",
                             fallback.empty() ? "" : " [" + fallback + "]")
                     .c_str());
  }

  std::string read_answer(std::string_view key) const {
    std::string line;
    if (!std::getline(std::cin, line)) {
      std::fprintf(stderr, "\n");
      throw Error("--ask", fmt::format("the input ended before \"{}\" was answered", key),
                  "an empty line takes the default");
    }
    if (!terminal_) std::fprintf(stderr, "\n");
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
  }

  std::string file_;
  Overrides overrides_;
  bool terminal_;
};

void check_output(const NewOptions& options) {
  if (options.output.empty()) return;
  if (!options.output.ends_with(".json")) {
    throw Error("-o " + options.output, "a config's name ends in .json",
                "write -o " + options.output + ".json");
  }
  std::error_code ignored;
  const auto there = std::filesystem::symlink_status(options.output, ignored);
  if (std::filesystem::exists(there) && !options.force) {
    throw Error("-o " + options.output, "it is there already",
                "name another file, or replace it with --force");
  }
  check_writable(options.output);
}

// The key of the report that is wrong by itself, as rows are that are gone; empty if none is.
std::string wrong_report_key(const Json& file, const Config& config) {
  constexpr std::string_view kReport = ": /report/";
  ConfigChain files = config.files;
  files.front().keys = std::make_shared<const Json>(file);
  try {
    make_plan(read_config(files, {}));
  } catch (const Error& e) {
    const std::size_t found = e.where().find(kReport);
    if (found == std::string::npos) return "";
    const std::string key = e.where().substr(found + kReport.size());
    return key.substr(0, key.find('/'));
  }
  return "";
}

// What it asks for beside them stays.
void fit_report(Json& file, const Config& config) {
  while (file.contains("report")) {
    const std::string wrong = wrong_report_key(file, config);
    if (wrong.empty() || file["report"].erase(wrong) == 0) return;
    if (file["report"].empty()) file.erase("report");
  }
}

// The config's own file with what the command line changes written into it, in short forms. What
// described the unchanged file is left out: names, texts, expected figures, and what its report
// says of rows that are gone. A file that nothing changes keeps all of it.
Json changed_file(const Config& config) {
  Json file = *config.files.front().keys;
  if (config.flags.empty()) return file;
  const ObjectTable& table = config.keys->table();
  for (std::string_view key : keys_of_one_file()) file.erase(key);
  expand_short_forms(file, table);
  for (const ConfigPatch& flag : config.flags) apply_patch(file, *flag.patch, table);
  shorten_forms(file, table);
  fit_report(file, config);
  return file;
}

// The text that the flags and answers describe.
std::string draft(const NewOptions& options, const std::string& file) {
  const Overrides given = options.changes.overrides();
  const bool asked = options.ask || (options.from.empty() && given.empty());
  if (!asked) {
    const NamedText start = options.from.empty() ? NamedText{file, "{}"} : load_text(options.from);
    const Config config = read_config(config_chain(start), given);
    make_plan(config);
    if (given.empty() && options.schema.empty()) return start.text;
    return laid_out(changed_file(config));
  }
  if (!options.from.empty()) {
    throw Error("--ask", "questions start from nothing, and --from names an example",
                "keep one of the two");
  }
  const bool terminal = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
  if (!options.ask && !terminal) {
    throw Error(
        "new", "nothing says what to start from",
        "name an example with --from gpt2-small, keys with --set depth=100, or let it --ask");
  }
  const Overrides answers = Questions(file, given).ask_all();
  return laid_out(changed_file(read_config(config_chain({file, "{}"}), answers)));
}

std::string with_schema(const std::string& text, const std::string& schema) {
  if (schema.empty()) return text;
  Json object = {{"$schema", schema}};
  object.update(Json::parse(text));
  object["$schema"] = schema;
  return laid_out(object);
}

ExitCode start(const NewOptions& options) {
  check_output(options);
  const std::string file = options.output.empty() ? "new.json" : options.output;
  const std::string text = with_schema(draft(options, file), options.schema);
  make_plan(read_config(config_chain({file, text}), {}));  // where it will stand
  if (options.output.empty()) {
    print(text);
    std::fprintf(stderr, "next: keep it with -o my.json, then: sigstab run my.json\n");
  } else {
    write_file(options.output, text);
    std::fprintf(stderr, "next: sigstab run %s\n", options.output.c_str());
  }
  return ExitCode::ok;
}

}  // namespace

Command new_command() {
  return make_command("new", "start a config from an example or from a few questions", options_of,
                      start);
}

}  // namespace sigstab
