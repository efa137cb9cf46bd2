#pragma once
// GitHub's markdown: tables, and text of unknown origin that stays text.

#include <string>
#include <string_view>

#include "report/result_tables.hpp"
#include "report/text_grid.hpp"

namespace sigstab {

// One line in which nothing is markup, of markdown or of HTML.
std::string escaped_markdown(std::string_view text);

std::string markdown_table(const TextGrid& grid);

// What follows the headline: tables under headings of that level ("###").
std::string markdown_tables(const ResultTables& tables, std::string_view level);

// A block of code, its fence longer than any run of backticks in the text.
std::string fenced(std::string_view text, std::string_view language);

}  // namespace sigstab
