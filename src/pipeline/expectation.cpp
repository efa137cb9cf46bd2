#include "pipeline/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "pipeline/object_reader.hpp"

namespace sigstab {
namespace {

Names statistic_names() { return row_names(statistic_table()); }

// The keys of one entry; `row_key` is "layer" or what the kind calls a row.
std::vector<Field> entry_fields(const std::string& row_key) {
  return {
      {"id", FieldType::text, "", "the figure's name"},
      {"source", FieldType::text, "\"\"", "where the figure stands"},
      {"case", FieldType::text, "\"\"", "the case; needed where there are several"},
      {"point", FieldType::any, "", "the grid point, as {\"depth\": 6}"},
      {"seed", FieldType::any, "", "the seed; needed where there are several"},
      {"statistic", FieldType::name, "", "of the values over all seeds", 0, 0, statistic_names},
      {row_key, FieldType::any, "", "a row number from 1, or \"last\"; without it a scalar"},
      {"column", FieldType::text, "", "the column, or the scalar"},
      {"printed", FieldType::text, "", "our value printed with `format` must give this"},
      {"format", FieldType::text, "\".3g\"", "a Python format spec"},
      {"near", FieldType::number, "", "the value must lie within `rel` of this"},
      {"rel", FieldType::number, "", "relative tolerance of `near`", 0, kHuge},
      {"within_z", FieldType::number, "",
       "instead of rel: within so many standard deviations of our mean over seeds", 0, kHuge},
      {"line", FieldType::text, "", "the case's line of text must be this"},
  };
}

std::vector<NamedScalar> read_point(const Json& given, const Place& place) {
  std::vector<NamedScalar> point;
  if (!given.is_object()) {
    throw Error(place.text(), "expected an object, got " + shown(given), "write {\"depth\": 6}");
  }
  for (const auto& [key, value] : given.items()) point.push_back({key, scalar_from(value)});
  return point;
}

// 1 and 1.0 are one number.
bool same_value(const Scalar& a, const Scalar& b) {
  const auto* integer = std::get_if<std::int64_t>(&a);
  const auto* real = std::get_if<double>(&b);
  if (integer == nullptr && real == nullptr) {
    integer = std::get_if<std::int64_t>(&b);
    real = std::get_if<double>(&a);
  }
  if (integer != nullptr && real != nullptr) return static_cast<double>(*integer) == *real;
  return a == b;
}

bool same_point(const std::vector<NamedScalar>& a, const std::vector<NamedScalar>& b) {
  return a.size() == b.size() && std::ranges::all_of(a, [&](const NamedScalar& x) {
           return std::ranges::any_of(b, [&](const NamedScalar& y) {
             return x.name == y.name && same_value(x.value, y.value);
           });
         });
}

// The one case that the entry's case, point and seed pick out; fills in the seed.
const ComingCase& addressed(const ObjectReader& entry, Expectation& e,
                            const std::vector<ComingCase>& cases) {
  const ComingCase* found = nullptr;
  std::size_t matches = 0;
  for (const ComingCase& one : cases) {
    if (entry.has("case") && one.shape.name != e.case_name) continue;
    if (entry.has("point") && !same_point(one.shape.point, e.point)) continue;
    const std::size_t seeds = e.over_seeds ? 1
                              : entry.has("seed")
                                  ? static_cast<std::size_t>(std::ranges::count(one.seeds, e.seed))
                                  : one.seeds.size();
    matches += seeds;
    if (seeds > 0) found = &one;
  }
  if (matches == 1) {
    if (!entry.has("seed") && !e.over_seeds) e.seed = found->seeds.front();
    if (entry.has("within_z") && found->seeds.size() < 2) {
      entry.refuse("within_z", "one seed has no spread", "give the config several seeds");
    }
    return *found;
  }
  Names names;
  for (const ComingCase& one : cases) {
    if (names.empty() || names.back() != one.shape.name) names.push_back(one.shape.name);
  }
  const bool unnamed = names == Names{""};
  const std::string hint =
      unnamed ? "the config has no cases; name a point where it sweeps, a seed where it has several"
              : fmt::format("cases: {}; name one, and a point or seed where there are several",
                            joined(names));
  entry.refuse("",
               matches == 0 ? "no result has this case, point and seed"
                            : fmt::format("{} results have this case, point and seed", matches),
               hint);
}

void read_value_address(const ObjectReader& entry, const std::string& row_key,
                        const CaseResult& shape, std::int64_t rows, Expectation& e) {
  e.column = entry.text("column");
  if (const Json* row = entry.raw(row_key)) {
    const bool last = *row == "last";
    const bool in_range = row->is_number_integer() && row->get<double>() >= 1 &&
                          row->get<double>() <= static_cast<double>(rows);
    if (!last && !in_range) {
      entry.refuse(row_key, fmt::format("expected a row in [1, {}], got {}", rows, shown(*row)),
                   "or write \"last\"");
    }
    e.row = last ? rows : row->get<std::int64_t>();
  }
  Names known;
  for (const Column& column : shape.columns) known.push_back(column.name);
  const bool is_column = shape.column(e.column) != nullptr;
  if (e.row == 0) {
    for (const NamedScalar& scalar : shape.scalars) known.push_back(scalar.name);
    e.whole_column = is_column;
    if (is_column || shape.scalar(e.column) != nullptr) return;
  } else if (is_column) {
    return;
  }
  entry.refuse("column", fmt::format("unknown value \"{}\"", e.column), name_hint(e.column, known));
}

// What is asked of all seeds together cannot name one.
void read_over_seeds(const ObjectReader& entry, Expectation& e) {
  if (entry.has("statistic")) {
    e.statistic = find_row(statistic_table(), entry.name("statistic"));
    if (entry.has("line")) entry.refuse("statistic", "a line has no statistic", "remove it");
  }
  if (entry.has("within_z")) {
    if (e.statistic != nullptr) {
      entry.refuse("within_z", "it compares with the mean over seeds itself", "remove statistic");
    }
    if (!entry.has("near") || entry.has("rel")) {
      entry.refuse("within_z", "it goes with near and without rel",
                   "\"near\": 0.214, \"within_z\": 3");
    }
    e.within_z = entry.number("within_z");
  }
  e.over_seeds = e.statistic != nullptr || e.within_z.has_value();
  if (e.over_seeds && entry.has("seed")) {
    entry.refuse("seed", "this is asked of all seeds together", "remove it");
  }
}

void read_rule(const ObjectReader& entry, const CaseResult& shape, Expectation& e) {
  const int rules = int(entry.has("printed")) + int(entry.has("near")) + int(entry.has("line"));
  if (rules != 1) {
    entry.refuse("", "expected exactly one of printed, near and line",
                 "\"printed\": \"0.804\", or \"near\": 0.8, \"rel\": 0.1");
  }
  if (entry.has("printed")) e.printed = entry.text("printed");
  if (entry.has("line")) e.line = entry.text("line");
  if (entry.has("near")) {
    e.near = entry.number("near");
    if (!e.within_z) e.rel = entry.number("rel");
  } else if (entry.has("rel")) {
    entry.refuse("rel", "only `near` has a tolerance", "remove it");
  }
  if (entry.has("format") && !e.printed) {
    entry.refuse("format", "only `printed` has a format", "remove it");
  }
  if (e.line) return;
  const Scalar* scalar = e.row == 0 && !e.whole_column ? shape.scalar(e.column) : nullptr;
  const Scalar value = scalar == nullptr ? Scalar(0.5) : *scalar;
  if (e.over_seeds && (e.whole_column || !std::holds_alternative<double>(value))) {
    entry.refuse("column", fmt::format("\"{}\" is not one real number a seed", e.column),
                 "name a row of a column, or a measured scalar");
  }
  if (e.near && (e.whole_column || !std::holds_alternative<double>(value))) {
    entry.refuse("near", fmt::format("\"{}\" is not one real number", e.column),
                 "name a row of a column, or use \"printed\"");
  }
  try {
    e.format = FormatSpec(entry.text("format"));
    const std::string objection = e.format.objection(value);
    if (e.printed && !e.whole_column && !objection.empty()) {
      throw Error("", objection, "give a \"format\" that fits, such as \"\" for text");
    }
  } catch (const Error& error) {
    entry.refuse("format", error.message(), error.hint());
  }
}

}  // namespace

std::vector<Expectation> read_expectations(const Json& list, const Place& place,
                                           const std::string& row_name,
                                           const std::vector<ComingCase>& cases) {
  if (!list.is_array()) {
    throw Error(place.text(), "expected a list of figures, got " + shown(list));
  }
  const std::vector<Field> fields = entry_fields(row_name);
  const ObjectTable table{"", fields};
  std::vector<Expectation> expectations;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const ObjectReader entry(list[i], table, place.child(i));
    Expectation e;
    e.id = entry.text("id");
    e.source = entry.text("source");
    e.case_name = entry.text("case");
    if (const Json* point = entry.raw("point"))
      e.point = read_point(*point, entry.place_of("point"));
    if (const Json* seed = entry.raw("seed"))
      e.seed = read_seed(*seed, entry.place_of("seed")).text();
    read_over_seeds(entry, e);
    const auto& [shape, rows, seeds] = addressed(entry, e, cases);
    e.case_name = shape.name;
    e.point = shape.point;
    if (!entry.has("line")) read_value_address(entry, row_name, shape, rows, e);
    read_rule(entry, shape, e);
    expectations.push_back(std::move(e));
  }
  return expectations;
}

}  // namespace sigstab
