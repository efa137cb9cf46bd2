#include "cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/named_table.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "random/seed.hpp"

namespace sigstab {
namespace {

constexpr const char* kDescription =
    "Signal and gradient sizes in deep networks, measured layer by layer.\n"
    "A config is a JSON file or the name of an experiment that comes with sigstab (sigstab list).";
constexpr const char* kFooter =
    "Exit codes: 0 done, 1 check or diff found a difference, 2 could not run, 130 interrupted.";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// "0..99" -> every seed between, both included.
std::vector<std::string> seed_range(const std::string& text) {
  constexpr std::uint64_t kMostSeeds = 1'000'000;
  const std::size_t dots = text.find("..");
  const auto from = Seed::parse(text.substr(0, dots));
  const auto to = dots == std::string::npos ? from : Seed::parse(text.substr(dots + 2));
  if (!from || !to || !from->as_uint64() || !to->as_uint64() ||
      *from->as_uint64() > *to->as_uint64() ||
      *to->as_uint64() - *from->as_uint64() >= kMostSeeds) {
    throw Error(
        "--seeds",
        fmt::format("expected a..b with a <= b, at most {} seeds, got \"{}\"", kMostSeeds, text),
        "write --seeds 0..99");
  }
  std::vector<std::string> seeds;
  for (std::uint64_t seed = *from->as_uint64();; ++seed) {
    seeds.push_back(std::to_string(seed));
    if (seed == *to->as_uint64()) return seeds;
  }
}

Names views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

void check_command_name(const CLI::App& app, const std::string& given) {
  if (given.empty() || given.front() == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, given) != names.end()) return;
  throw Error("", fmt::format("unknown command \"{}\"", given), name_hint(given, views(names)));
}

// What CLI11 could not read, with the nearest flag where one is unknown.
[[noreturn]] void refuse_usage(const CLI::App& app, const std::vector<std::string>& arguments,
                               const std::string& reason) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  for (const std::string& argument : arguments) {
    const std::string flag = argument.substr(0, argument.find('='));
    if (!flag.starts_with("--") || flag == "--") continue;
    if (std::ranges::find(flags, flag) != flags.end()) continue;
    throw Error("", fmt::format("unknown flag \"{}\"", flag), name_hint(flag, views(flags)));
  }
  const std::string name = chosen.empty() ? "" : command.get_name() + " ";
  throw Error(chosen.empty() ? "" : command.get_name(), reason,
              fmt::format("see sigstab {}--help", name));
}

const CLI::App* add_gains(CLI::App& app, GainsOptions& options) {
  CLI::App* gains = app.add_subcommand("gains", "gains of activations, and what they do");
  gains->add_option("activation", options.activations,
                    "sigstab list activations, or name:parameter=value (all)");
  gains->add_option("--size", options.size, "mean square of the input and to be kept (1)");
  gains->add_option("--depth", options.depth, "layers to look through (50)");
  gains->add_flag("--edge", options.edge, "variances on the edge of chaos");
  gains->add_option("--weights", options.weights, "fixed points for these variances times fan_in")
      ->delimiter(',');
  gains->add_option("--biases", options.biases, "variances of biases, for --edge and --weights")
      ->delimiter(',');
  gains->add_option("--layer-gain", options.layer_gain,
                    "where number formats end if sizes are multiplied by this");
  gains->add_option("--only", options.only, fmt::format("{}", fmt::join(gains_tables(), ", ")));
  gains->add_option("--format", options.format, "table (default), json, csv, markdown");
  return gains;
}

// The options of `theory`; --layers is split once all is parsed.
CLI::App* add_theory(CLI::App& app, TheoryOptions& theory, std::string& rows) {
  CLI::App* command = app.add_subcommand("theory", "predict sizes without drawing a weight");
  command->add_option("config", theory.names, "canned names or JSON files")->required();
  command->add_option("--format", theory.format, "table (default), json");
  command->add_option("--set", theory.overrides.set, "change a key: --set width=4096")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command->add_option("--layers", rows, "layers to show: 1,2,10,last or all");
  return command;
}

}  // namespace

ExitCode run_cli(int argc, char** argv) {
  keep_command_line(argc, argv);
  CLI::App app(kDescription, "sigstab");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  bool version = false;
  app.add_flag("--version", version, "version, compiler, BLAS and the kernels it runs");

  RunOptions run;
  std::string seed, seeds, rows;
  CLI::App* run_app = app.add_subcommand("run", "run experiments and report");
  run_app->add_option("config", run.names, "canned names or JSON files")->required();
  run_app->add_option("--format", run.format,
                      "table (default), article, csv, json, jsonl, markdown");
  run_app
      ->add_option("-o,--output", run.outputs, "write a file, format by extension; may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  run_app->add_option("--set", run.overrides.set, "change a key: --set norm.placement=post")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  CLI::Option* seed_option = run_app->add_option("--seed", seed, "use this seed");
  const CLI::Option* seeds_option =
      run_app->add_option("--seeds", seeds, "use seeds a..b")->excludes(seed_option);
  const CLI::Option* rows_option =
      run_app->add_option("--layers", rows, "layers to show: 1,2,10,last or all");
  run_app->add_option("--threads", run.threads, "threads to use (all cores)");
  run_app->add_option("--memory", run.memory, "memory to use, such as 2G (80% of what is free)");
  run_app->add_flag("--dry-run", run.dry_run, "print weights, memory and operations instead");

  run_app->add_flag("--resume", run.resume, "go on with the -o FILE.jsonl of an interrupted run");

  TheoryOptions theory;
  std::string theory_rows;
  const CLI::App* theory_app = add_theory(app, theory, theory_rows);

  CheckOptions check;
  std::vector<std::string> validate_names;
  CLI::App* check_app = app.add_subcommand("check", "compare with the figures that configs expect");
  check_app->add_option("config", check.names, "default: the whole article");
  check_app->add_flag("--theory", check.theory,
                      "compare sizes over seeds with what theory predicts, layer by layer");
  std::string check_seeds;
  const CLI::Option* check_seeds_option = check_app->add_option(
      "--seeds", check_seeds, "seeds a..b for --theory (the config's, or 0..19)");
  check_app->add_option("--junit", check.junit, "write the verdicts as JUnit XML as well");
  check_app->add_option("--threads", check.threads, "threads to use (all cores)");
  check_app->add_option("--memory", check.memory, "memory to use (80% of what is free)");

  AdviseOptions advise;
  CLI::App* advise_app = app.add_subcommand(
      "advise", "what a config will do at its depth, and the single change that would hold it");
  advise_app->add_option("config", advise.name, "canned name or JSON file")->required();
  advise_app->add_option("--set", advise.set, "change a key first: --set depth=100")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  advise_app->add_option("--threads", advise.threads, "threads to use (all cores)");
  advise_app->add_option("--memory", advise.memory, "memory to use (80% of what is free)");

  DiffOptions diff;
  CLI::App* diff_app = app.add_subcommand("diff", "compare two results (json, jsonl or csv)");
  diff_app->add_option("a", diff.a, "a result")->required();
  diff_app->add_option("b", diff.b, "another result")->required();
  diff_app->add_option("--rtol", diff.rtol, "relative tolerance (0)");
  diff_app->add_option("--atol", diff.atol, "absolute tolerance (0)");
  diff_app->add_option("--log", diff.log, "tolerance of ln a - ln b, of positive values (0)");
  diff_app
      ->add_option("--tol", diff.tolerances,
                   "of one column: gradient_rms=log:0.1, or rel: or abs:; may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  diff_app->add_option("--z", diff.z,
                       "compare means over seeds, at most so many standard errors apart");
  diff_app->add_flag("--nan-differs", diff.nan_differs, "nan is not equal to nan");
  diff_app->add_flag("--any-config", diff.any_config, "compare results of different configs too");
  diff_app->add_option("--junit", diff.junit, "write the differences as JUnit XML as well");

  std::string topic = "experiments", show_name;
  CLI::App* list_app = app.add_subcommand("list", "list what there is");
  list_app->add_option("what", topic, fmt::format("{}", fmt::join(list_topics(), ", ")));
  CLI::App* show_app = app.add_subcommand("show", "print a config, to copy");
  show_app->add_option("name", show_name, "canned name or JSON file")->required();
  const CLI::App* schema_app =
      app.add_subcommand("schema", "print the JSON schema of configs, for editors");
  CLI::App* validate_app = app.add_subcommand("validate", "check configs without running them");
  validate_app->add_option("file", validate_names, "canned names or JSON files")->required();

  GainsOptions gains;
  const CLI::App* gains_app = add_gains(app, gains);

  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty()) check_command_name(app, arguments.front());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help
      print(app.help());
      return ExitCode::ok;
    }
    refuse_usage(app, arguments, error.what());
  }

  if (version) {
    print(version_text());
    return ExitCode::ok;
  }
  if (run_app->parsed()) {
    if (seed_option->count() > 0) run.overrides.seeds = {seed};
    if (seeds_option->count() > 0) run.overrides.seeds = seed_range(seeds);
    if (rows_option->count() > 0) run.overrides.rows = split(rows, ',');
    return run_command(run);
  }
  if (theory_app->parsed()) {
    if (!theory_rows.empty()) theory.overrides.rows = split(theory_rows, ',');
    return theory_command(theory);
  }
  if (check_seeds_option->count() > 0) check.seeds = seed_range(check_seeds);
  if (check_app->parsed()) return check_command(check);
  if (advise_app->parsed()) return advise_command(advise);
  if (diff_app->parsed()) return diff_command(diff);
  if (gains_app->parsed()) return gains_command(gains);
  if (list_app->parsed()) return list_command(topic);
  if (show_app->parsed()) return show_command(show_name);
  if (schema_app->parsed()) return schema_command();
  if (validate_app->parsed()) return validate_command(validate_names);
  print(app.help());
  return ExitCode::ok;
}

}  // namespace sigstab
