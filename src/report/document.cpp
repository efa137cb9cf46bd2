#include "report/document.hpp"

#include <fmt/format.h>

namespace sigstab {
namespace {

constexpr DocumentFormat kFormats[] = {
    {"markdown", ".md", "for a pull request", false, markdown_document},
    {"html", ".html", "one page with everything in it", true, html_document},
};

}  // namespace

std::span<const DocumentFormat> document_formats() { return kFormats; }

std::string document_title(std::span<const Chapter> chapters) {
  if (chapters.size() == 1) return chapters.front().tables.headline;
  return fmt::format("{} experiments", chapters.size());
}

std::string document_totals(std::span<const Chapter> chapters) {
  FigureTotals totals;
  for (const Chapter& chapter : chapters) totals.add(chapter.totals);
  return totals.empty() ? "" : totals.text() + ".";
}

}  // namespace sigstab
