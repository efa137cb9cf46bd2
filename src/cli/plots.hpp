#pragma once
// Files that `run --plot` and `plot` draw: everything that can be wrong with one is told before
// anything runs.

#include <span>
#include <string>
#include <vector>

#include "base/named_table.hpp"
#include "picture/gnuplot_script.hpp"
#include "run/plan.hpp"

namespace sigstab {

// Of the files that can be drawn.
Names picture_extensions();

struct PlotFile {
  std::string path;
  const PictureFormat* format;  // by extension
};

// Errors, at `flag` and path: an unknown extension, an unwritable place, a file that is read.
PlotFile open_plot(const std::string& flag, const std::string& path,
                   const std::vector<std::string>& read);
// The files of --plot. Errors: as open_plot; a file named twice, here or in `outputs`; no gnuplot;
// a plan without a picture, or several plans.
std::vector<PlotFile> open_plots(const std::vector<std::string>& paths,
                                 const std::vector<std::string>& outputs,
                                 const std::vector<std::string>& read, std::span<const Plan> plans);
// Draws every file, whatever happens to the others. Errors: the first.
void write_plots(std::span<const PlotFile> plots, const Plan& plan, const Result& result);

}  // namespace sigstab
