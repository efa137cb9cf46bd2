// sigstab plot: a result file as a picture.

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/named_table.hpp"
#include "cli/files.hpp"
#include "cli/gnuplot.hpp"
#include "cli/plots.hpp"
#include "commands/commands.hpp"
#include "config/read_config.hpp"
#include "picture/pictures_of.hpp"
#include "report/formats.hpp"
#include "result/result_json.hpp"
#include "run/restore.hpp"

namespace sigstab {
namespace {

struct PlotOptions {
  std::string result;  // a json or jsonl file
  std::string output;  // format by extension; empty or "-": text to stdout
};

std::vector<Option> options_of(PlotOptions& options) {
  return {{.name = "result",
           .help = "a result, json or jsonl",
           .target = &options.result,
           .value = "FILE",
           .required = true},
          {.name = "--output",
           .help = fmt::format("the picture: {}; without it, letters on the terminal",
                               joined(picture_extensions())),
           .target = &options.output,
           .value = "FILE",
           .letter = 'o'}};
}

Result read_one_result(const std::string& file) {
  std::vector<Result> results = read_results(read_file(file), file);
  if (results.size() > 1) {
    throw Error(file,
                fmt::format("it holds {} experiments, and a picture shows one", results.size()),
                "run them one by one");
  }
  if (results.front().config == "{}") {
    throw Error(file, "it holds no config, which says what its columns are",
                "plot a json or jsonl result: sigstab run ... -o result.json");
  }
  return std::move(results.front());
}

// As wide as the terminal; coloured there, unless NO_COLOR is set.
PictureFormat text_format() {
  constexpr double kNarrowest = 60, kWidest = 200, kTwoPanels = 90;
  PictureFormat format = *find_row(picture_format_table(), "text");
  winsize size{};
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    format.sheet.width = std::clamp(static_cast<double>(size.ws_col), kNarrowest, kWidest);
  }
  if (format.sheet.width < kTwoPanels) format.sheet.columns = 1;
  const char* no_color = std::getenv("NO_COLOR");
  format.sheet.colours = terminal && (no_color == nullptr || *no_color == '\0');
  return format;
}

ExitCode draw_result(const PlotOptions& options) {
  const bool shown = options.output.empty() || options.output == "-";
  OutputFiles files({options.result});
  const PictureFormat format =
      shown ? text_format() : *open_plot(files, "-o", options.output).format;
  Result read = read_one_result(options.result);
  const Plan plan = make_plan(read_result_config(read.config, options.result + ": config"));
  const Result result = restored(std::move(read), plan, options.result);
  const std::string drawn = draw(pictures_of(plan, result), format);
  if (shown)
    print_as_is(drawn);
  else
    write_file(options.output, drawn);
  return ExitCode::ok;
}

}  // namespace

Command plot_command() {
  return make_command("plot", "draw a result by gnuplot", options_of, draw_result);
}

}  // namespace sigstab
