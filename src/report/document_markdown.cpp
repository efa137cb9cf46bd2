#include <fmt/format.h>

#include <algorithm>

#include "base/markup.hpp"
#include "report/document.hpp"
#include "report/markdown.hpp"

namespace sigstab {
namespace {

// Whether a line begins as a heading, a list or a rule would.
bool begins_with_mark(std::string_view line) {
  if (line.find_first_of("#-+=") == 0) return true;
  const std::size_t end = line.find_first_not_of("0123456789");
  return end != 0 && end < line.size() && (line[end] == '.' || line[end] == ')');
}

std::string paragraph(const std::string& text) {
  if (text.empty()) return "";
  std::string line = escaped_markdown(text);
  line.erase(0, line.find_first_not_of(' '));
  if (begins_with_mark(line)) line = fmt::format("&#{};{}", int{line[0]}, line.substr(1));
  return "\n" + line + "\n";
}

// The empty lines let what is inside be read as markdown.
std::string folded(std::string_view summary, const std::string& text) {
  return fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n",
                     escaped_markup(summary), text);
}

std::string comparison_text(const Comparison& comparison, std::string_view level) {
  std::string text = fmt::format("\n{} {}\n", level, comparison.heading);
  text += paragraph(comparison.summary);
  if (comparison.grid.empty()) return text;
  if (!comparison.missed.empty()) {
    TextGrid missed = {comparison.grid.front()};
    for (const std::size_t row : comparison.missed) missed.push_back(comparison.grid[row]);
    text += "\n" + markdown_table(missed);
  }
  return text + folded("all of them", markdown_table(comparison.grid));
}

std::string chapter_text(const Chapter& chapter, std::string_view level, std::string_view below) {
  std::string text = fmt::format("{} {}\n", level, escaped_markdown(chapter.tables.headline));
  text += paragraph(chapter.about);
  if (!chapter.source.empty()) text += paragraph("From: " + chapter.source);
  for (const std::string& note : chapter.notes) {
    text += fmt::format("\n> **Note:** {}\n", escaped_markdown(note));
  }
  text += markdown_tables(chapter.tables, below);
  for (const Comparison& comparison : chapter.comparisons) {
    text += comparison_text(comparison, below);
  }
  text += fmt::format("\n{} Run it again\n", below) + paragraph(chapter.rerun);
  std::string commands;
  for (const std::string& command : chapter.commands) commands += command + "\n";
  text += "\n" + fenced(commands, "sh");
  // One is enough where a comment holds 65,536 characters.
  const Listing& config = chapter.configs.front();
  text += folded(config.heading, fenced(config.text, config.language));
  std::string how;
  for (const auto& row : chapter.provenance) {
    how += fmt::format("{}{} {}", how.empty() ? "" : "; ", row[0], row[1]);
  }
  return text + paragraph(how);
}

}  // namespace

std::string markdown_document(std::span<const Chapter> chapters) {
  if (chapters.size() == 1) return chapter_text(chapters.front(), "##", "###");
  std::string text = fmt::format("## {}\n", document_title(chapters));
  text += paragraph(document_totals(chapters)) + "\n";
  for (const Chapter& chapter : chapters) {
    text += fmt::format("- {}{}\n", escaped_markdown(chapter.tables.headline),
                        chapter.totals.empty() ? "" : "; " + chapter.totals.checked_text());
  }
  for (const Chapter& chapter : chapters) text += "\n" + chapter_text(chapter, "###", "####");
  return text;
}

}  // namespace sigstab
