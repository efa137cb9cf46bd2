#include "cli/illustrator.hpp"

#include <cstdio>
#include <vector>

#include "base/named_table.hpp"
#include "cli/gnuplot.hpp"
#include "picture/pictures_of.hpp"

namespace sigstab {
namespace {

std::vector<Picture> pictures_if_any(const Plan& plan, const Result& result) {
  try {
    check_pictures(plan);
    return pictures_of(plan, result);
  } catch (const Error&) {  // nothing that a curve could go through
    return {};
  }
}

// What stands in a picture, for those who do not see it.
std::string words_of(const Picture& picture) {
  std::string words = picture.title;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) words += (words.empty() ? "" : "; ") + text;
  };
  add(picture.subtitle);
  for (const PicturePanel& panel : picture.panels) add(panel.title);
  for (const std::string& entry : picture.legend) add(entry);
  for (const std::string& note : picture.notes) add(note);
  return words;
}

}  // namespace

Illustrator::Illustrator(bool wanted) : wanted_(wanted) {
  if (!wanted_) return;
  try {
    check_gnuplot();
  } catch (const Error& error) {
    give_up(error);
  }
}

void Illustrator::give_up(const Error& error) {
  failure_ = error.message();
  std::fprintf(stderr, "sigstab: the report has no pictures: %s\n", error.message().c_str());
  if (!error.hint().empty()) std::fprintf(stderr, "hint: %s\n", error.hint().c_str());
}

void Illustrator::illustrate(const Plan& plan, const Result& result, Chapter& chapter) {
  if (!wanted_) return;
  if (const std::optional<Error> error = too_many_pictures(plan)) {
    chapter.notes.push_back("Without pictures: " + error->message() + ".");
    return;
  }
  const std::vector<Picture> pictures = pictures_if_any(plan, result);
  try {
    for (const Picture& picture : pictures) {
      if (!failure_.empty()) break;
      const PictureFormat& svg = *find_row(picture_format_table(), "svg");
      chapter.pictures.push_back({draw(picture, svg), words_of(picture)});
    }
  } catch (const Error& error) {
    give_up(error);
  }
  if (!pictures.empty() && !failure_.empty()) {
    chapter.notes.push_back("Without its pictures: " + failure_ + ".");
  }
}

}  // namespace sigstab
