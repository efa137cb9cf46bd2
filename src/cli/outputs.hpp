#pragma once
// Where the reports of a run go.

#include <memory>
#include <string>
#include <vector>

#include "cli/files.hpp"
#include "cli/output_files.hpp"
#include "report/formats.hpp"
#include "run/resume.hpp"

namespace sigstab {

// A file, written when all is done, or stdout, written at once. Formats of a line a case are
// written case by case: stdout, a pipe or a device in the order of the result, a file as soon as a
// case is there, and in the order of the result once the experiment is done.
struct Output {
  std::string path;  // empty: stdout
  const ReportFormat* format;
  std::string text = "";
  std::unique_ptr<LineFile> lines = nullptr;  // of a file of lines, once it is open
  LineOrder order = {};                       // of the experiment that runs, in it
  bool streams = false;                       // a pipe or device: what is written stays as it is

  bool by_case() const { return format->line != nullptr; }
  bool is_line_file() const { return by_case() && !path.empty(); }
  // Takes lines in any order, to be put in order at the end.
  bool is_reordered() const { return is_line_file() && !streams; }
  void add(const Result& result, const ReportOf& report_of, bool first);
  // An experiment begins, of which a file of lines may have a part.
  void begin(const LineOrder& kept);
  void add_line(const Result& frame, std::size_t index, const CaseResult& one);
  // What there is of the experiment, in order.
  void end(const Result& result);
};

// Stdout in the format of that name, and a file for each path. An empty format is `table`, or no
// stdout where there are paths.
// Errors: what cannot be written, or cannot hold these plans.
std::vector<Output> open_outputs(const std::string& format, const std::vector<std::string>& paths,
                                 OutputFiles& files, const std::vector<Plan>& plans);

// Writes every file, whatever happens to the others. A text that cannot be written goes to stdout,
// so that no result is lost; then the first error is thrown.
void save(const std::vector<Output>& outputs);

}  // namespace sigstab
