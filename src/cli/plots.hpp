#pragma once
// Files that `run --plot` and `plot` draw: everything that can be wrong with one is told before
// anything runs.

#include <span>
#include <string>
#include <vector>

#include "base/named_table.hpp"
#include "cli/output_files.hpp"
#include "picture/gnuplot_script.hpp"
#include "run/plan.hpp"

namespace sigstab {

// Of the files that can be drawn.
Names picture_extensions();

struct PlotFile {
  std::string path;
  const PictureFormat* format;  // by extension
};

// Errors: as OutputFiles.
PlotFile open_plot(OutputFiles& files, const std::string& flag, const std::string& path);
// The files of --plot. Errors: as open_plot; no gnuplot; a plan without a picture, or several
// plans.
std::vector<PlotFile> open_plots(const std::vector<std::string>& paths, OutputFiles& files,
                                 std::span<const Plan> plans);
// Draws every file, whatever happens to the others. Errors: the first.
void write_plots(std::span<const PlotFile> plots, const Plan& plan, const Result& result);

}  // namespace sigstab
