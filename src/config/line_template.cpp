#include "config/line_template.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"
#include "base/named_table.hpp"

namespace sigstab {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
  throw Error("", message, hint);
}

// The index of "column[17]" or "column[last]"; 0 stands for the last row.
std::int64_t parse_row(std::string_view text) {
  if (text == "last") return 0;
  std::int64_t row = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), row);
  if (failed != std::errc() || end != text.data() + text.size() || row < 1) {
    refuse(fmt::format("\"[{}]\" is no row", text), "write a whole number from 1, or last");
  }
  return row;
}

// Three digits unless the spec names another count: `{column:.5}`.
int array_precision(const FormatSpec& spec) { return spec.precision_or(3); }

}  // namespace

LineTemplate LineTemplate::parse(std::string_view text) {
  LineTemplate result;
  Piece piece;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool doubled = i + 1 < text.size() && text[i + 1] == c;
    if (c != '{' && c != '}') {
      piece.literal += c;
      continue;
    }
    if (doubled) {
      piece.literal += c;
      ++i;
      continue;
    }
    if (c == '}') refuse("a \"}\" without its \"{\"", "write }} for a brace");
    const std::size_t end = text.find('}', i);
    if (end == std::string_view::npos) refuse("a \"{\" without its \"}\"", "write {{ for a brace");
    std::string_view inside = text.substr(i + 1, end - i - 1);
    const std::size_t colon = inside.find(':');
    if (colon != std::string_view::npos) piece.spec = FormatSpec(inside.substr(colon + 1));
    std::string_view reference = inside.substr(0, colon);
    if (const std::size_t bracket = reference.find('['); bracket != std::string_view::npos) {
      if (!reference.ends_with(']')) {
        refuse(fmt::format("\"{{{}}}\" lacks a \"]\"", inside), "write {column[row]}");
      }
      piece.target = Piece::cell;
      piece.row = parse_row(reference.substr(bracket + 1, reference.size() - bracket - 2));
      reference = reference.substr(0, bracket);
    }
    if (reference.empty()) refuse("an empty placeholder", "name a value: {key} or {column[row]}");
    piece.name = reference;
    result.pieces_.push_back(std::move(piece));
    piece = {};
    i = end;
  }
  result.pieces_.push_back(std::move(piece));
  return result;
}

void LineTemplate::check(const CaseResult& shape, std::int64_t rows) const {
  Names columns, scalars;
  for (const Column& column : shape.columns) columns.push_back(column.name);
  for (const NamedScalar& entry : shape.scalars) scalars.push_back(entry.name);
  for (const NamedScalar& entry : shape.facts) scalars.push_back(entry.name);
  for (const Piece& piece : pieces_) {
    if (piece.name.empty()) continue;
    const Scalar* scalar = piece.target == Piece::cell ? nullptr : shape.scalar(piece.name);
    if (scalar != nullptr) {
      const std::string objection = piece.spec.objection(*scalar);
      if (!objection.empty()) refuse(fmt::format("{{{}}}: {}", piece.name, objection), "");
      continue;
    }
    if (shape.column(piece.name) == nullptr) {
      Names known = columns;
      if (piece.target != Piece::cell) known.insert(known.end(), scalars.begin(), scalars.end());
      refuse(fmt::format("unknown value \"{}\"", piece.name), name_hint(piece.name, known));
    }
    if (piece.target == Piece::cell) {
      if (piece.row > rows) {
        refuse(fmt::format("{{{}[{}]}}: there are {} rows", piece.name, piece.row, rows),
               fmt::format("use a number in [1, {}], or last", rows));
      }
      const std::string objection = piece.spec.objection(0.5);
      if (!objection.empty()) refuse(fmt::format("{{{}[]}}: {}", piece.name, objection), "");
    } else if (const std::string& spec = piece.spec.text();
               !spec.empty() && spec != fmt::format(".{}", piece.spec.precision_or(0))) {
      refuse(fmt::format("{{{}}} is a whole column and takes only a precision, got \"{}\"",
                         piece.name, spec),
             fmt::format("write {{{}:.3}}, or {{{}[1]:{}}} for one value", piece.name, piece.name,
                         spec));
    }
  }
}

std::string LineTemplate::value_text(const Piece& piece, const CaseResult& result) const {
  if (piece.target == Piece::scalar_or_column) {
    if (const Scalar* scalar = result.scalar(piece.name)) return piece.spec.format(*scalar);
  }
  const Column* column = result.column(piece.name);
  SIGSTAB_ASSERT(column != nullptr &&
                 piece.row <= static_cast<std::int64_t>(column->values.size()));
  if (piece.target == Piece::scalar_or_column) {
    return numpy_array(column->values, array_precision(piece.spec));
  }
  return piece.spec.format(piece.row == 0
                               ? column->values.back()
                               : column->values[static_cast<std::size_t>(piece.row - 1)]);
}

std::string LineTemplate::render(const CaseResult& result) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    text += piece.literal;
    if (!piece.name.empty()) text += value_text(piece, result);
  }
  return text;
}

std::vector<std::string> LineTemplate::names() const {
  std::vector<std::string> names;
  for (const Piece& piece : pieces_) {
    if (!piece.name.empty()) names.push_back(piece.name);
  }
  return names;
}

}  // namespace sigstab
