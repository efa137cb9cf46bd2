#include "cli/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "cli/extension.hpp"
#include "cli/files.hpp"
#include "cli/gnuplot.hpp"
#include "picture/pictures_of.hpp"

namespace sigstab {
namespace {

const PictureFormat& format_of(const std::string& path, const std::string& where) {
  if (const auto* format = find_by_extension(picture_format_table(), path)) return *format;
  throw Error(where, "the format follows from the extension, and this one is none of a picture's",
              "known: " + joined(picture_extensions()));
}

}  // namespace

Names picture_extensions() { return extensions_of(picture_format_table()); }

PlotFile open_plot(const std::string& flag, const std::string& path,
                   const std::vector<std::string>& read) {
  const PlotFile plot{path, &format_of(path, flag + " " + path)};
  check_not_read(flag, path, read);
  check_writable(path);
  return plot;
}

std::vector<PlotFile> open_plots(const std::vector<std::string>& paths,
                                 const std::vector<std::string>& outputs,
                                 const std::vector<std::string>& read,
                                 std::span<const Plan> plans) {
  std::vector<PlotFile> plots;
  for (const std::string& path : paths) {
    const std::string where = "--plot " + path;
    if (std::ranges::find(outputs, path) != outputs.end() ||
        std::ranges::find(plots, path, &PlotFile::path) != plots.end()) {
      throw Error(where, "the file is named twice", "name each once");
    }
    if (plans.size() > 1) {
      throw Error(where,
                  fmt::format("a picture shows one experiment, and {} are asked for", plans.size()),
                  "run them one by one");
    }
    plots.push_back(open_plot("--plot", path, read));
  }
  if (plots.empty()) return plots;
  check_gnuplot();
  check_pictures(plans.front());
  return plots;
}

void write_plots(std::span<const PlotFile> plots, const Plan& plan, const Result& result) {
  if (plots.empty() || result.cases.empty()) return;
  const std::vector<Picture> pictures = pictures_of(plan, result);
  std::optional<Error> first;
  for (const PlotFile& plot : plots) {
    try {
      write_file(plot.path, draw(pictures, *plot.format));
    } catch (const Error& error) {
      if (!first) first = error;
    }
  }
  if (first) throw *first;
}

}  // namespace sigstab
