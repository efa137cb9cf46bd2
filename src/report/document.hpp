#pragma once
// Reports of experiments as documents: one row of one table a format.

#include <span>
#include <string>
#include <string_view>

#include "report/chapter.hpp"

namespace sigstab {

struct DocumentFormat {
  std::string_view name, extension, help;
  bool pictures;  // shows them
  std::string (*render)(std::span<const Chapter> chapters);
};
std::span<const DocumentFormat> document_formats();

// For pull requests. What is long is folded.
std::string markdown_document(std::span<const Chapter> chapters);

// One page that needs nothing else: no network, no script, styles and pictures inside.
std::string html_document(std::span<const Chapter> chapters);

// --- shared by the formats ----------------------------------------------------------------------

// The headline of the only chapter, or how many there are.
std::string document_title(std::span<const Chapter> chapters);
// What became of all figures, or nothing where none is expected.
std::string document_totals(std::span<const Chapter> chapters);

}  // namespace sigstab
