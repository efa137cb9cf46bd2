#include "picture/gnuplot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/utf8.hpp"
#include "picture/picture_style.hpp"
#include "picture/picture_text.hpp"

namespace sigstab {
namespace {

constexpr PictureSheet kPixels = {800, 2, 17, 6.9, 23, 8.8, 250, 58, 14, 40, 30, 24};
constexpr PictureSheet kCharacters = {100, 1, 1, 1, 1, 1, 16, 9, 2, 3, 2, 1, true};
constexpr double kInch = 96;           // pixels; cairo's fonts are in points, 72 an inch
constexpr double kPoint = kInch / 72;  // pixels
constexpr int kPngScale = 2;           // for screens of twice the density

std::string svg_terminal(const PictureSheet& sheet, double height) {
  return fmt::format("svg size {:.0f},{:.0f} font 'sans-serif,12' background rgb '{}'", sheet.width,
                     height, kPaper.light);
}

std::string png_terminal(const PictureSheet& sheet, double height) {
  return fmt::format(
      "pngcairo size {0:.0f},{1:.0f} font 'sans,12' fontscale {2} linewidth {3} dashlength {3} "
      "pointscale {4} background rgb '{5}'",
      sheet.width * kPngScale, height * kPngScale, kPngScale / kPoint, kPngScale, 1.5 * kPngScale,
      kPaper.light);
}

std::string pdf_terminal(const PictureSheet& sheet, double height) {
  // Its fonts come out by half as large again as they are called.
  return fmt::format(
      "pdfcairo size {:.3f}in,{:.3f}in font 'sans,12' fontscale 0.5 linewidth 1 dashlength 1.5",
      sheet.width / kInch, height / kInch);
}

std::string text_terminal(const PictureSheet& sheet, double height) {
  return fmt::format("dumb size {:.0f},{:.0f} {}", sheet.width, height,
                     sheet.colours ? "ansi256" : "mono");
}

// Without the form feed before, spaces at the ends of lines and empty lines after.
std::string trimmed_lines(std::string drawn) {
  std::string text;
  for (std::size_t at = drawn.starts_with('\f') ? 1 : 0; at < drawn.size();) {
    const std::size_t end = std::min(drawn.find('\n', at), drawn.size());
    const std::string_view line = std::string_view(drawn).substr(at, end - at);
    text += line.substr(0, line.find_last_not_of(' ') + 1);
    text += '\n';
    at = end + 1;
  }
  return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
}

constexpr PictureFormat kFormats[] = {
    {"svg", ".svg", "scales, and follows light or dark pages", kPixels, svg_terminal, themed_svg},
    {"png", ".png", "pixels, 1600 wide", kPixels, png_terminal},
    {"pdf", ".pdf", "for print", kPixels, pdf_terminal},
    {"text", "", "letters, for a terminal", kCharacters, text_terminal, trimmed_lines},
};

// One picture of a script: where its parts stand, from the top of the sheet down.
class Layout {
 public:
  Layout(const Picture& picture, const PictureSheet& sheet, double top);

  double bottom() const { return bottom_; }
  // Of the inside of a panel.
  struct Box {
    double left, right, top, bottom;
  };
  Box box(std::size_t panel) const;

  std::vector<std::string> title, subtitle, caption;
  double title_top, subtitle_top, legend_top, caption_top;
  std::size_t legend_columns = 1;
  double legend_cell = 0;
  std::vector<std::string> legend;  // clipped

 private:
  const PictureSheet& sheet_;
  std::size_t columns_;
  double panels_top_, bottom_;
};

constexpr double kLegendSample = 5;  // letters for the line and the mark before a label

// What lines and bands are, in words that fit how they are drawn.
std::string key_text(const Picture& picture, const PictureSheet& sheet) {
  bool theory = false, draws = false, seeds = false;
  for (const PicturePanel& panel : picture.panels) {
    for (const PictureCurve& curve : panel.curves) theory = theory || curve.theory;
    for (const PictureBand& band : panel.bands) (band.theory ? draws : seeds) = true;
  }
  std::vector<std::string> parts;
  if (!picture.drawn.empty()) {
    parts.push_back((sheet.characters ? "letters: " : "line: ") + picture.drawn);
  }
  if (seeds && !sheet.characters) parts.back() += ", band: their 5th to 95th percentile";
  if (theory) parts.emplace_back(sheet.characters ? "dots: theory" : "dashed: theory");
  if (draws && !sheet.characters) {
    parts.emplace_back(seeds ? "dotted: 95% of draws" : "band: 95% of draws");
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

Layout::Layout(const Picture& picture, const PictureSheet& sheet, double top) : sheet_(sheet) {
  constexpr std::size_t kTitleLines = 2, kNoteLines = 3, kLabelLetters = 60;
  const auto letters = [&](double of) {
    return static_cast<std::size_t>((sheet.width - 4 * sheet.letter) / of);
  };
  title = wrapped_text(picture.title, letters(sheet.title_letter), kTitleLines);
  subtitle = wrapped_text(picture.subtitle, letters(sheet.letter), kTitleLines);
  std::vector<std::string> notes = {key_text(picture, sheet)};
  notes.insert(notes.end(), picture.notes.begin(), picture.notes.end());
  for (const std::string& note : notes) {
    for (std::string& line : wrapped_text(note, letters(sheet.letter), kNoteLines)) {
      caption.push_back(std::move(line));
    }
  }
  std::size_t longest = 0;
  for (const std::string& label : picture.legend) {
    legend.push_back(clipped_text(label, std::min(kLabelLetters, letters(sheet.letter) - 8)));
    longest = std::max(longest, characters(legend.back()));
  }
  legend_cell = (static_cast<double>(longest) + kLegendSample + 2) * sheet.letter;
  legend_columns = std::max<std::size_t>(
      1, static_cast<std::size_t>((sheet.width - sheet.letter) / legend_cell));
  const auto rows_of = [](std::size_t count, std::size_t columns) {
    return static_cast<double>((count + columns - 1) / columns);
  };
  const auto lines = [&](const std::vector<std::string>& texts, double height) {
    return static_cast<double>(texts.size()) * height;
  };
  title_top = top + sheet.gap / 3;
  subtitle_top = title_top + lines(title, sheet.title_line);
  legend_top = subtitle_top + lines(subtitle, sheet.line) + (sheet.characters ? 0 : 5);
  panels_top_ = legend_top + rows_of(legend.size(), legend_columns) * sheet.line;
  columns_ = std::min(picture.panels.size(), static_cast<std::size_t>(sheet.columns));
  caption_top = panels_top_ + rows_of(picture.panels.size(), columns_) *
                                  (1.5 * sheet.line + sheet.panel + sheet.foot);
  bottom_ = caption_top + lines(caption, sheet.line) + sheet.gap / 3;
}

Layout::Box Layout::box(std::size_t panel) const {
  const double cell = sheet_.width / static_cast<double>(columns_);
  const double row = static_cast<double>(panel / columns_);
  const double left = cell * static_cast<double>(panel % columns_);
  const double top =
      panels_top_ + row * (1.5 * sheet_.line + sheet_.panel + sheet_.foot) + 1.5 * sheet_.line;
  return {left + sheet_.left, left + cell - sheet_.right, top, top + sheet_.panel};
}

// --- the script ---------------------------------------------------------------------------------

constexpr std::size_t kMostPoints = 600;  // of a curve; more cannot be seen

// What gnuplot reads of a curve: an empty line is a gap.
struct CurveLines {
  std::string points, marks;
  bool empty() const { return points.find_first_not_of('\n') == std::string::npos; }
};

// Marks of curves that lie on one another stand beside one another.
CurveLines lines_of(const PictureCurve& curve, std::size_t styles) {
  constexpr std::size_t kAllMarked = 16, kMarks = 7;
  const std::vector<PicturePoint>& points = curve.points;
  const auto is_gap = [&](std::size_t i) { return i >= points.size() || std::isnan(points[i].y); };
  const std::size_t stride = 1 + points.size() / kMostPoints;
  const std::size_t step = points.size() <= kAllMarked ? 1 : points.size() / kMarks;
  const std::size_t first =
      curve.theory || styles == 0 ? 0 : step * curve.style / styles;  // below step
  CurveLines lines;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_gap(i)) {
      lines.points += "\n";
      continue;
    }
    const std::string line = fmt::format("{:.6g} {:.6g}\n", points[i].x, points[i].y);
    const bool alone = is_gap(i - 1) && is_gap(i + 1);
    if (i % stride == 0 || is_gap(i + 1)) lines.points += line;
    if (alone || i % step == first) lines.marks += line;
  }
  return lines;
}

// gnuplot draws mark n with the nth letter.
int letter_mark(std::size_t style) { return static_cast<int>(style) + 1; }

class Script {
 public:
  Script(const PictureFormat& format, double height) : sheet_(format.sheet), height_(height) {
    text_ = fmt::format(
        "set encoding utf8\nset terminal {} noenhanced\nset multiplot\nunset key\n"
        "set tics nomirror out scale 0.4\n",
        format.terminal(sheet_, height));
    if (sheet_.characters) {
      text_ += "set border 3\n";
    } else {
      text_ += fmt::format("set border 3 lw 1 lc rgb '{}'\n", kPale.light);
      text_ += fmt::format("set grid ytics lt 1 lw 1 lc rgb '{}'\n", kRule.light);
    }
  }

  void add(const Picture& picture, const Layout& layout);
  std::string text() && { return std::move(text_) + "unset multiplot\n"; }

 private:
  double across(double x) const { return x / sheet_.width; }
  double up(double y) const { return 1 - y / height_; }

  void add_label(const std::string& text, double x, double y, const char* side,
                 const PictureColour& colour, int size);
  void add_lines(const std::vector<std::string>& lines, double top, double height,
                 const PictureColour& colour, int size);
  void add_legend(const Layout& layout);
  void add_axis(const char* name, const PictureAxis& axis);
  void add_panel(const PicturePanel& panel, const Layout::Box& box, std::size_t styles);
  void add_band(const PictureBand& band, bool as_edges);
  void add_curve(const PictureCurve& curve, std::size_t styles);
  // A data block of these lines; gives its name.
  std::string data(const std::string& lines);
  void plot(const std::string& data, const std::string& how) {
    plots_.push_back(data + " " + how + " notitle");
  }

  const PictureSheet& sheet_;
  double height_;
  std::string text_;
  std::vector<std::string> plots_;  // of the panel at hand
  std::size_t blocks_ = 0;
};

void Script::add_label(const std::string& text, double x, double y, const char* side,
                       const PictureColour& colour, int size) {
  text_ += fmt::format("set label {} at screen {:.5f},{:.5f} {} noenhanced", gnuplot_string(text),
                       across(x), up(y), side);
  if (!sheet_.characters) text_ += fmt::format(" tc rgb '{}' font ',{}'", colour.light, size);
  text_ += "\n";
}

void Script::add_lines(const std::vector<std::string>& lines, double top, double height,
                       const PictureColour& colour, int size) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    add_label(lines[i], 2 * sheet_.letter, top + (static_cast<double>(i) + 0.5) * height, "left",
              colour, size);
  }
}

void Script::add_legend(const Layout& layout) {
  for (std::size_t i = 0; i < layout.legend.size(); ++i) {
    const double x =
        2 * sheet_.letter + static_cast<double>(i % layout.legend_columns) * layout.legend_cell;
    const double y =
        layout.legend_top + (static_cast<double>(i / layout.legend_columns) + 0.5) * sheet_.line;
    const double end = x + (kLegendSample - 1) * sheet_.letter;
    const std::string colour = fmt::format("lc rgb '{}'", curve_colour(i).light);
    if (!sheet_.characters) {
      text_ += fmt::format(
          "set arrow from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} nohead lw 2 {}\n", across(x),
          up(y), across(end), up(y), colour);
    }
    text_ += fmt::format("set label '' at screen {:.5f},{:.5f} point pt {} ps 0.5 {}\n",
                         across((x + end) / 2), up(y),
                         sheet_.characters ? letter_mark(i) : curve_mark(i), colour);
    add_label(layout.legend[i], end + sheet_.letter, y, "left", kInk, 12);
  }
}

void Script::add_axis(const char* name, const PictureAxis& axis) {
  text_ +=
      fmt::format("set {}range [{:.6g}:{:.6g}]\nset {}tics (", name, axis.low, axis.high, name);
  for (const PictureTick& tick : axis.ticks) {
    text_ += fmt::format("{}{} {:.6g}", &tick == axis.ticks.data() ? "" : ", ",
                         gnuplot_string(tick.text), tick.at);
  }
  if (sheet_.characters) {
    text_ += ")\n";
    return;
  }
  text_ +=
      fmt::format(") font ',11' tc rgb '{}'{}\n", kPale.light, *name == 'x' ? " offset 0,0.5" : "");
}

std::string Script::data(const std::string& lines) {
  const std::string name = fmt::format("$d{}", blocks_++);
  text_ += fmt::format("{} << EOD\n{}EOD\n", name, lines);
  return name;
}

void Script::add_band(const PictureBand& band, bool as_edges) {
  const std::size_t stride = 1 + band.ranges.size() / kMostPoints;
  std::string lines;
  for (std::size_t i = 0; i < band.ranges.size(); ++i) {
    if (i % stride != 0 && i + 1 != band.ranges.size()) continue;
    const PictureRange& r = band.ranges[i];
    lines += fmt::format("{:.6g} {:.6g} {:.6g}\n", r.x, r.low, r.high);
  }
  const std::string block = data(lines);
  const std::string colour = fmt::format("lc rgb '{}'", curve_colour(band.style).light);
  if (!as_edges) {
    return plot(block,
                "using 1:2:3 with filledcurves " + colour + " fs transparent solid 0.18 noborder");
  }
  for (const char* column : {"1:2", "1:3"}) {
    plot(block, fmt::format("using {} with lines lw 1.2 dt (1.5,3) {}", column, colour));
  }
}

void Script::add_curve(const PictureCurve& curve, std::size_t styles) {
  const CurveLines lines = lines_of(curve, styles);
  if (lines.empty()) return;
  const std::string colour = fmt::format("lc rgb '{}'", curve_colour(curve.style).light);
  const std::string block = data(lines.points);
  if (sheet_.characters) {
    return plot(block, curve.theory ? fmt::format("using 1:2 with dots {}", colour)
                                    : fmt::format("using 1:2 with points pt {} {}",
                                                  letter_mark(curve.style), colour));
  }
  if (curve.theory) return plot(block, "using 1:2 with lines lw 1.5 dt (7,4) " + colour);
  plot(block, "using 1:2 with lines lw 2 " + colour);
  if (lines.marks.empty()) return;
  plot(data(lines.marks),
       fmt::format("using 1:2 with points pt {} ps 0.5 {}", curve_mark(curve.style), colour));
}

void Script::add_panel(const PicturePanel& panel, const Layout::Box& box, std::size_t styles) {
  const double middle = (box.left + box.right) / 2;
  text_ += fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n",
                       across(box.left), across(box.right));
  text_ += fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n", up(box.top),
                       up(box.bottom));
  const std::size_t letters = static_cast<std::size_t>((box.right - box.left) / sheet_.letter);
  add_label(clipped_text(panel.title, letters), box.left, box.top - 0.75 * sheet_.line, "left",
            kInk, 13);
  add_label(clipped_text(panel.x.label, letters), middle, box.bottom + sheet_.name, "center", kPale,
            11);
  add_axis("x", panel.x);
  add_axis("y", panel.y);
  const bool seeds =
      std::ranges::any_of(panel.bands, [](const PictureBand& band) { return !band.theory; });
  for (const PictureBand& band : panel.bands) {
    if (!sheet_.characters) add_band(band, band.theory && seeds);
  }
  for (bool theory : {true, false}) {
    for (const PictureCurve& curve : panel.curves) {
      if (curve.theory == theory) add_curve(curve, styles);
    }
  }
  if (plots_.empty()) plots_.emplace_back("NaN notitle");
  text_ += fmt::format("plot {}\nunset label\nunset arrow\n", fmt::join(plots_, ", \\\n  "));
  plots_.clear();
}

void Script::add(const Picture& picture, const Layout& layout) {
  add_lines(layout.title, layout.title_top, sheet_.title_line, kInk, 15);
  add_lines(layout.subtitle, layout.subtitle_top, sheet_.line, kPale, 12);
  add_legend(layout);
  add_lines(layout.caption, layout.caption_top, sheet_.line, kPale, 11);
  for (std::size_t i = 0; i < picture.panels.size(); ++i) {
    add_panel(picture.panels[i], layout.box(i), picture.legend.size());
  }
}

}  // namespace

std::span<const PictureFormat> picture_format_table() { return kFormats; }

std::string gnuplot_script(std::span<const Picture> pictures, const PictureFormat& format) {
  std::vector<Layout> layouts;
  double height = 0;
  for (const Picture& picture : pictures) {
    layouts.emplace_back(picture, format.sheet, height);
    height = layouts.back().bottom() + format.sheet.gap;
  }
  height = std::ceil(height - format.sheet.gap);
  Script script(format, height);
  for (std::size_t i = 0; i < pictures.size(); ++i) script.add(pictures[i], layouts[i]);
  return std::move(script).text();
}

}  // namespace sigstab
