#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/markup.hpp"
#include "report/document.hpp"
#include "report/document_style.hpp"

namespace sigstab {
namespace {

// Nothing is loaded or run, whatever the page may hold.
constexpr const char* kPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

std::string element(std::string_view tag, std::string_view text, std::string_view attributes = "") {
  if (text.empty()) return "";
  return fmt::format("<{0}{1}>{2}</{0}>\n", tag, attributes, escaped_markup(text));
}

// h1 to h6; chapters of a page with several stand one level lower.
std::string heading(int level, std::string_view text) {
  return element(fmt::format("h{}", level), text);
}

// A box that scrolls sideways by itself, also from the keyboard.
std::string table_html(const TextGrid& grid, const std::string& name, std::string_view kind = "",
                       const std::vector<std::size_t>& missed = {}) {
  std::string text = fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n<table{}>\n<thead>",
      escaped_attribute(name), kind.empty() ? "" : fmt::format(" class=\"{}\"", kind));
  for (std::size_t r = 0; r < grid.size(); ++r) {
    const bool miss = std::ranges::find(missed, r) != missed.end();
    const bool pass = !kind.empty() && grid[r].front() == "pass";
    text += miss ? "<tr class=\"miss\">" : pass ? "<tr class=\"pass\">" : "<tr>";
    for (std::size_t c = 0; c < grid[r].size(); ++c) {
      const std::string cell = escaped_markup(grid[r][c]);
      if (r > 0 && c > 0) {
        // A box within takes the room that its words need, up to a limit, whatever the screen.
        text += kind.empty() ? "<td>" + cell + "</td>" : "<td><div>" + cell + "</div></td>";
      } else {
        text += fmt::format("<th scope=\"{}\">{}</th>", r == 0 ? "col" : "row", cell);
      }
    }
    text += "</tr>\n";
    if (r == 0) text += "</thead>\n<tbody>\n";
  }
  return text + "</tbody>\n</table>\n</div>\n";
}

std::string list_html(const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string text = "<ul class=\"verdicts\">\n";
  for (const std::string& item : items) text += element("li", item);
  return text + "</ul>\n";
}

std::string listing_html(const Listing& listing) {
  return fmt::format("<details>\n{}{}</details>\n", element("summary", listing.heading),
                     element("pre", listing.text));
}

// An image has ids, styles and scripts of its own that nothing outside meets. On a phone it scrolls
// in its box, so that its letters can be read.
std::string picture_html(const Illustration& picture) {
  std::string address = "data:image/svg+xml;charset=utf-8,";
  for (const char c : picture.svg) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte < 0x7F &&
                       std::string_view("\"#%&'<>").find(c) == std::string_view::npos;
    address += plain || c == ' ' ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return fmt::format(
      "<figure class=\"scroll\" tabindex=\"0\"><img src=\"{}\" alt=\"{}\"></figure>\n", address,
      escaped_attribute(picture.alternative));
}

std::string asked_html(const Chapter& chapter) {
  std::string text = element("p", chapter.about);
  text += element("p", chapter.tables.common, " class=\"model\"");
  if (!chapter.source.empty()) text += element("p", "From: " + chapter.source, " class=\"quiet\"");
  for (const std::string& note : chapter.notes) text += element("p", note, " class=\"note\"");
  return text;
}

std::string results_html(const Chapter& chapter, int level) {
  std::string text = heading(level, "What came out");
  for (const Illustration& picture : chapter.pictures) text += picture_html(picture);
  for (const ResultTable& part : chapter.tables.parts) {
    text += heading(level + 1, part.heading) + element("p", part.scalars, " class=\"scalars\"");
    const std::string& name = part.heading.empty() ? chapter.tables.headline : part.heading;
    text += table_html(part.grid, name) + list_html(part.verdicts);
  }
  return text;
}

std::string comparison_html(const Comparison& comparison, int level) {
  std::string text = heading(level, comparison.heading) + element("p", comparison.summary);
  if (comparison.grid.empty()) return text;
  return text + table_html(comparison.grid, comparison.heading, "words", comparison.missed);
}

std::string again_html(const Chapter& chapter, int level) {
  std::string commands;
  for (const std::string& command : chapter.commands) commands += command + "\n";
  std::string text = heading(level, "Run it again") + element("p", chapter.rerun);
  text += element("pre", commands);
  for (const Listing& config : chapter.configs) text += listing_html(config);
  text += "<dl>\n";
  for (const auto& row : chapter.provenance) text += element("dt", row[0]) + element("dd", row[1]);
  return text + "</dl>\n";
}

std::string chapter_html(const Chapter& chapter, int level) {
  std::string text = heading(level, chapter.tables.headline) + asked_html(chapter);
  text += results_html(chapter, level + 1);
  for (const Comparison& one : chapter.comparisons) text += comparison_html(one, level + 1);
  return text + again_html(chapter, level + 1);
}

std::string several_html(std::span<const Chapter> chapters) {
  std::string text = heading(1, document_title(chapters)) + element("p", document_totals(chapters));
  std::string body;
  text += "<nav aria-label=\"Contents\">\n<ol>\n";
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    text += fmt::format("<li><a href=\"#experiment-{}\">{}</a>", i + 1,
                        escaped_markup(chapters[i].tables.headline));
    if (!chapters[i].totals.empty()) {
      text += element("span", "; " + chapters[i].totals.checked_text(), " class=\"quiet\"");
    }
    text += "</li>\n";
    body += fmt::format("<section id=\"experiment-{}\">\n{}</section>\n", i + 1,
                        chapter_html(chapters[i], 2));
  }
  return text + "</ol>\n</nav>\n<div class=\"chapters\">\n" + body + "</div>\n";
}

}  // namespace

std::string html_document(std::span<const Chapter> chapters) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"sigstab\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      kPolicy, escaped_markup(document_title(chapters)), kDocumentStyle,
      chapters.size() == 1 ? chapter_html(chapters.front(), 1) : several_html(chapters));
}

}  // namespace sigstab
