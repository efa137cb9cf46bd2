#include "cli/plots.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/error.hpp"
#include "cli/files.hpp"
#include "cli/gnuplot.hpp"
#include "picture/pictures_of.hpp"

namespace sigstab {

Names picture_extensions() { return extensions_of(picture_format_table()); }

PlotFile open_plot(OutputFiles& files, const std::string& flag, const std::string& path) {
  return {path,
          files.claim_by_extension(picture_format_table(), flag, path, "none of a picture's")};
}

std::vector<PlotFile> open_plots(const std::vector<std::string>& paths, OutputFiles& files,
                                 std::span<const Plan> plans) {
  std::vector<PlotFile> plots;
  for (const std::string& path : paths) {
    if (plans.size() > 1) {
      throw Error("--plot " + path,
                  fmt::format("a picture shows one experiment, and {} are asked for", plans.size()),
                  "run them one by one");
    }
    plots.push_back(open_plot(files, "--plot", path));
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
