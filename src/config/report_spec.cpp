#include "config/report_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace sigstab {
namespace {

Names statistic_names() { return row_names(statistic_table()); }

std::vector<std::int64_t> read_rows(const Json& given, const Place& place, std::int64_t rows) {
  std::vector<std::int64_t> chosen;
  if (given == "all") {
    for (std::int64_t row = 1; row <= rows; ++row) chosen.push_back(row);
    return chosen;
  }
  const std::string form =
      fmt::format("write numbers in [1, {}], \"last\", or \"all\" alone", rows);
  if (!given.is_array() || given.empty()) {
    throw Error(place.text(), "expected a list of rows, got " + shown(given), form);
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Json& entry = given[i];
    const bool last = entry == "last";
    const bool in_range = entry.is_number_integer() && entry.get<double>() >= 1 &&
                          entry.get<double>() <= static_cast<double>(rows);
    if (!last && !in_range) {
      throw Error(place.child(i).text(), fmt::format("expected a row, got {}", shown(entry)), form);
    }
    chosen.push_back(last ? rows : entry.get<std::int64_t>());
  }
  std::ranges::sort(chosen);
  const auto repeated = std::ranges::unique(chosen);
  chosen.erase(repeated.begin(), repeated.end());
  return chosen;
}

std::vector<std::string> read_columns(const Json& given, const Place& place,
                                      const ReportCase& about) {
  const CaseResult& shape = about.shape;
  if (!given.is_array() || given.empty()) {
    throw Error(place.text(), "expected a list of column names, got " + shown(given),
                "write [\"forward_rms\"]");
  }
  Names known;
  for (const Column& column : shape.columns) known.push_back(column.name);
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string name = given[i].is_string() ? given[i].get<std::string>() : "";
    if (std::ranges::find(known, name) == known.end()) {
      const std::string why = about.why_no_column(name);
      if (!why.empty()) {
        throw Error(place.child(i).text(), fmt::format("this case has no \"{}\"", name), why);
      }
      throw Error(place.child(i).text(), fmt::format("unknown column {}", sigstab::shown(given[i])),
                  name_hint(name, known));
    }
    if (std::ranges::find(columns, name) != columns.end()) {
      throw Error(place.child(i).text(), fmt::format("\"{}\" is listed twice", name),
                  "list it once");
    }
    columns.push_back(name);
  }
  return columns;
}

LineTemplate read_line(const ObjectReader& report, const CaseResult& shape, std::int64_t rows) {
  try {
    LineTemplate line = LineTemplate::parse(report.text("line"));
    line.check(shape, rows);
    return line;
  } catch (const Error& e) {
    if (!e.where().empty()) throw;
    report.refuse("line", e.message(), e.hint());
  }
}

PivotSpec read_pivot(const ObjectReader& pivot, std::string_view row_name,
                     const ReportCase& about) {
  Names keys(about.sweep_keys.begin(), about.sweep_keys.end());
  keys.insert(keys.end(), {"case", "seed"});
  const auto key = [&](std::string_view name) {
    if (!pivot.has(name)) {
      pivot.refuse(name, "a pivot table has rows and columns", "name a key of the sweep, or case");
    }
    const std::string value = pivot.text(name);
    if (std::ranges::find(keys, value) == keys.end()) {
      pivot.refuse(name, fmt::format("\"{}\" does not vary", value), name_hint(value, keys));
    }
    return value;
  };
  PivotSpec spec;
  spec.rows = key("rows");
  spec.columns = key("columns");
  if (spec.rows == spec.columns) {
    pivot.refuse("columns", fmt::format("\"{}\" is the rows already", spec.rows),
                 "name another key");
  }
  // Whatever else varied would be averaged unseen.
  for (const std::string_view other : keys) {
    const bool varies = other == "case" ? about.cases : other != "seed";
    if (!varies || other == spec.rows || other == spec.columns) continue;
    pivot.refuse("", fmt::format("\"{}\" varies as well, and a table has two keys", other),
                 "sweep less, or make it the rows or the columns");
  }
  spec.value = pivot.has("value") ? pivot.text("value") : about.default_columns.front();
  const Column* column = about.shape.column(spec.value);
  if (column == nullptr && about.shape.scalar(spec.value) == nullptr) {
    Names known;
    for (const Column& c : about.shape.columns) known.push_back(c.name);
    for (const NamedScalar& s : about.shape.scalars) known.push_back(s.name);
    pivot.refuse("value", fmt::format("unknown column or scalar \"{}\"", spec.value),
                 name_hint(spec.value, known));
  }
  if (column != nullptr) {
    const Json last = "last";
    const Json row = pivot.has(row_name) ? *pivot.raw(row_name) : last;
    spec.last = row == last;
    const bool in_range = row.is_number_integer() && row.get<double>() >= 1 &&
                          row.get<double>() <= static_cast<double>(about.rows);
    if (!spec.last && !in_range) {
      pivot.refuse(row_name, fmt::format("expected a {}, got {}", row_name, shown(row)),
                   fmt::format("write a number in [1, {}], or \"last\"", about.rows));
    }
    spec.row = spec.last ? about.rows : row.get<std::int64_t>();
  } else if (pivot.has(row_name)) {
    pivot.refuse(row_name, fmt::format("\"{}\" has no rows", spec.value), "remove it");
  }
  const bool is_size = about.shape.is_size(spec.value);
  spec.statistic = find_row(statistic_table(), pivot.has("statistic") ? pivot.name("statistic")
                                               : is_size              ? "geometric_mean"
                                                                      : "mean");
  try {
    spec.format = FormatSpec(pivot.text("format"));
    if (const std::string why = spec.format.objection(0.5); !why.empty()) throw Error("", why);
  } catch (const Error& e) {
    pivot.refuse("format", e.message(), e.hint());
  }
  return spec;
}

}  // namespace

ReportKeys::ReportKeys(std::string_view row_name) : rows_key_(plural(row_name)) {
  pivot_fields_ = {
      {.name = "rows",
       .type = FieldType::text,
       .help = "the key whose values are rows: of the sweep, case or seed"},
      {.name = "columns", .type = FieldType::text, .help = "the key whose values are columns"},
      {.name = "value",
       .type = FieldType::text,
       .help = "the column or scalar to show; default the first column"},
      {.name = row_name,
       .type = FieldType::any,
       .help = "which row of a column; default the last",
       .shape = R"({"anyOf": [{"type": "integer", "minimum": 1}, {"const": "last"}]})"},
      {.name = "statistic",
       .type = FieldType::name,
       .help = "over seeds; default geometric_mean of sizes, else mean",
       .allowed = statistic_names},
      {.name = "format",
       .type = FieldType::text,
       .fallback = "\"#.4g\"",
       .help = "how a value is printed, as in Python"}};
  pivot_ = {"", pivot_fields_};
  fields_ = {{.name = rows_key_,
              .type = FieldType::any,
              .help = "which rows to show: numbers from 1, \"last\", or \"all\"",
              .shape = R"({"anyOf": [{"const": "all"}, {"type": "array", "items":
       {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "last"}]}}]})"},
             {.name = "columns",
              .type = FieldType::any,
              .help = "which columns to show",
              .shape = R"({"type": "array", "minItems": 1, "items": {"type": "string"}})"},
             {.name = "line",
              .type = FieldType::text,
              .help = "one line of text a case, for --format article"},
             {.name = "statistics",
              .type = FieldType::names,
              .help = "what to show of several seeds",
              .allowed = statistic_names},
             {.name = "each_seed",
              .type = FieldType::boolean,
              .fallback = "false",
              .help = "a table for each seed instead of statistics"},
             {.name = "pivot",
              .type = FieldType::object,
              .help = "one value of every case, in a table of two keys",
              .table = &pivot_}};
  table_ = {"", fields_};
}

ReportSpec read_report(const ObjectReader& report, std::string_view row_name,
                       const ReportCase& about,
                       const std::function<bool(const std::string&)>& strict) {
  const auto read_part = [&](const std::string& key, const auto& read) {
    if (!report.has(key)) return;
    try {
      read();
    } catch (const Error&) {
      if (strict(key)) throw;
    }
  };
  const std::string rows_key = plural(row_name);
  ReportSpec spec;
  spec.columns = about.default_columns;
  read_part(rows_key, [&] {
    spec.rows = read_rows(*report.raw(rows_key), report.place_of(rows_key), about.rows);
  });
  read_part("columns", [&] {
    spec.columns = read_columns(*report.raw("columns"), report.place_of("columns"), about);
  });
  read_part("line", [&] { spec.line = read_line(report, about.shape, about.rows); });
  read_part("pivot", [&] { spec.pivot = read_pivot(report.object("pivot"), row_name, about); });
  // Layers that the command line asks for are shown; a table of one value has none.
  if (about.rows_flag) spec.pivot.reset();
  if (spec.pivot && spec.pivot->row > 0 && !report.has("columns")) {
    spec.columns = {spec.pivot->value};  // in csv
  }
  spec.each_seed = report.boolean("each_seed");
  if (report.has("statistics")) {
    for (const std::string& name : report.names("statistics")) {
      spec.statistics.push_back(find_row(statistic_table(), name));
    }
  }
  if (spec.each_seed && report.has("statistics")) {
    report.refuse("statistics", "each_seed shows the seeds themselves", "remove one of the two");
  }
  return spec;
}

}  // namespace sigstab
