#pragma once
// Results to text: one row of one table a format. No numerics here, and no files.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/result_tables.hpp"
#include "result/result.hpp"

namespace sigstab {

struct ReportFormat {
  std::string_view name;
  std::string_view extension = "";  // of a file in this format; empty: none is known by one
  std::string_view help;
  bool holds_several = false;  // texts of several experiments may follow one another in one file
  bool spaced = false;         // by an empty line between them
  bool provenance = false;     // says how the result came about; asking costs loading the BLAS
  bool needs_line = false;     // prints the config's report.line, which every case must then have
  // Errors: Error (empty place) if the result has nothing to show in this format.
  std::string (*render)(const Result& result, const ReportOf& report_of);
  // One case of a result whose other parts are known; null for formats that need all cases.
  std::string (*line)(const Result& frame, const CaseResult& one, bool first) = nullptr;
  // Reads such a file back, a result for each experiment; null for formats that only people read.
  // Errors: a malformed or foreign text, another schema.
  std::vector<Result> (*read)(std::string_view text, const std::string& file) = nullptr;
};

std::span<const ReportFormat> format_table();

// Reads a result back by its file's extension, as json where that says nothing.
// Errors: as ReportFormat::read; a text without a case.
std::vector<Result> read_results(std::string_view text, const std::string& file);

std::string render_table(const Result& result, const ReportOf& report_of);
std::string render_markdown(const Result& result, const ReportOf& report_of);
std::string render_csv(const Result& result, const ReportOf& report_of);
std::string render_article(const Result& result, const ReportOf& report_of);

}  // namespace sigstab
