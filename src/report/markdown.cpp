#include "report/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/markup.hpp"

namespace sigstab {
namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string escaped_markdown(std::string_view text) {
  constexpr std::string_view kMarkup = "\\|`*[]~";
  const std::string plain = readable(text);
  std::string escaped;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    // Within a word an underscore is plain, as in forward_rms.
    const bool within =
        i > 0 && i + 1 < plain.size() && is_word(plain[i - 1]) && is_word(plain[i + 1]);
    if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (kMarkup.find(c) != std::string_view::npos || (c == '_' && !within))
      escaped += {'\\', c};
    else
      escaped += c == '\n' || c == '\r' ? ' ' : c;
  }
  return escaped;
}

std::string markdown_table(const TextGrid& grid) {
  std::string text;
  for (std::size_t r = 0; r < grid.size(); ++r) {
    for (const std::string& cell : grid[r]) text += "| " + escaped_markdown(cell) + " ";
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < grid[r].size(); ++c) text += "|---:";
    text += "|\n";
  }
  return text;
}

std::string markdown_tables(const ResultTables& tables, std::string_view level) {
  std::string text;
  if (!tables.common.empty()) text += "\n" + escaped_markdown(tables.common) + "\n";
  for (const ResultTable& part : tables.parts) {
    if (!part.heading.empty()) {
      text += fmt::format("\n{} {}\n", level, escaped_markdown(part.heading));
    }
    if (!part.scalars.empty()) text += "\n" + escaped_markdown(part.scalars) + "\n";
    text += "\n" + markdown_table(part.grid);
    if (!part.verdicts.empty()) text += "\n";
    for (const std::string& verdict : part.verdicts) {
      text += "- " + escaped_markdown(verdict) + "\n";
    }
  }
  return text;
}

std::string fenced(std::string_view text, std::string_view language) {
  constexpr std::size_t kShortest = 3;
  std::size_t run = 0, longest = kShortest - 1;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  const std::string body = readable(text);
  return fmt::format("{}{}\n{}{}{}\n", fence, language, body, body.ends_with('\n') ? "" : "\n",
                     fence);
}

}  // namespace sigstab
