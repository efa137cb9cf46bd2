#pragma once
// Results to text: one row of one table a format. No numerics here, and no files.

#include <span>
#include <string>
#include <string_view>

#include "report/result_tables.hpp"
#include "result/result.hpp"

namespace sigstab {

struct ReportFormat {
  std::string_view name, extension, help;
  bool holds_several;  // texts of several experiments may follow one another in one file
  bool provenance;     // says how the result came about; asking costs loading the BLAS
  // Errors: Error (empty place) if the result has nothing to show in this format.
  std::string (*render)(const Result& result, const ReportOf& report_of);
  // One case of a result whose other parts are known; null for formats that need all cases.
  std::string (*line)(const Result& frame, const CaseResult& one, bool first) = nullptr;
};

std::span<const ReportFormat> format_table();

std::string render_table(const Result& result, const ReportOf& report_of);
std::string render_markdown(const Result& result, const ReportOf& report_of);
std::string render_csv(const Result& result, const ReportOf& report_of);
std::string render_article(const Result& result, const ReportOf& report_of);

}  // namespace sigstab
