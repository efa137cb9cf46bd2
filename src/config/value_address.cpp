#include "config/value_address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace sigstab {
namespace {

Names statistic_names() { return row_names(statistic_table()); }

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
const ComingCase& find_case(const ObjectReader& entry, ValueAddress& a,
                            const std::vector<ComingCase>& cases) {
  const ComingCase* found = nullptr;
  std::size_t matches = 0;
  for (const ComingCase& one : cases) {
    if (entry.has("case") && one.shape.name != a.case_name) continue;
    if (entry.has("point") && !same_point(one.shape.point, a.point)) continue;
    const std::size_t seeds = a.over_seeds ? 1
                              : entry.has("seed")
                                  ? static_cast<std::size_t>(std::ranges::count(one.seeds, a.seed))
                                  : one.seeds.size();
    matches += seeds;
    if (seeds > 0) found = &one;
  }
  if (matches == 1) {
    if (!entry.has("seed") && !a.over_seeds) a.seed = found->seeds.front();
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

void read_column(const ObjectReader& entry, const std::string& row_key, const ComingCase& coming,
                 ValueAddress& a) {
  const auto& [shape, rows, seeds] = coming;
  a.column = entry.text("column");
  if (const Json* row = entry.raw(row_key)) {
    const bool last = *row == "last";
    const bool in_range = row->is_number_integer() && row->get<double>() >= 1 &&
                          row->get<double>() <= static_cast<double>(rows);
    if (!last && !in_range) {
      entry.refuse(row_key, fmt::format("expected a row in [1, {}], got {}", rows, shown(*row)),
                   "or write \"last\"");
    }
    a.row = last ? rows : row->get<std::int64_t>();
  }
  Names known;
  for (const Column& column : shape.columns) known.push_back(column.name);
  const bool is_column = shape.column(a.column) != nullptr;
  if (a.row == 0) {
    for (const NamedScalar& scalar : shape.scalars) known.push_back(scalar.name);
    a.whole_column = is_column;
    if (is_column || shape.scalar(a.column) != nullptr) return;
  } else if (is_column) {
    return;
  }
  entry.refuse("column", fmt::format("unknown value \"{}\"", a.column), name_hint(a.column, known));
}

}  // namespace

std::vector<Field> address_fields(const std::string& row_key) {
  return {
      {.name = "case",
       .type = FieldType::text,
       .fallback = "\"\"",
       .help = "the case; needed where there are several"},
      {.name = "point", .type = FieldType::any, .help = "the grid point, as {\"depth\": 6}"},
      {.name = "seed", .type = FieldType::any, .help = "the seed; needed where there are several"},
      {.name = "statistic",
       .type = FieldType::name,
       .help = "of the values over all seeds",
       .allowed = statistic_names},
      {.name = row_key,
       .type = FieldType::any,
       .help = "a row number from 1, or \"last\"; without it a scalar"},
      {.name = "column", .type = FieldType::text, .help = "the column, or the scalar"},
  };
}

Scalar Addressed::example() const {
  const bool is_scalar = address.row == 0 && !address.whole_column;
  return is_scalar ? *coming->shape.scalar(address.column) : Scalar(0.5);
}

bool Addressed::is_real() const {
  return !address.whole_column && std::holds_alternative<double>(example());
}

Addressed read_address(const ObjectReader& entry, const std::string& row_key, AddressUse use,
                       const std::vector<ComingCase>& cases) {
  ValueAddress a;
  a.case_name = entry.text("case");
  if (const Json* point = entry.raw("point")) a.point = read_point(*point, entry.place_of("point"));
  if (const Json* seed = entry.raw("seed"))
    a.seed = read_seed(*seed, entry.place_of("seed")).text();
  if (entry.has("statistic")) {
    a.statistic = find_row(statistic_table(), entry.name("statistic"));
    if (use == AddressUse::line) entry.refuse("statistic", "a line has no statistic", "remove it");
    if (use == AddressUse::value_of_every_seed) {
      entry.refuse("statistic", "within_z compares with the mean over seeds itself", "remove it");
    }
  }
  a.over_seeds = a.statistic != nullptr || use == AddressUse::value_of_every_seed;
  if (a.over_seeds && entry.has("seed")) {
    entry.refuse("seed", "this is asked of all seeds together", "remove it");
  }
  const ComingCase& coming = find_case(entry, a, cases);
  if (use == AddressUse::value_of_every_seed && coming.seeds.size() < 2) {
    entry.refuse("", "one seed has no spread for within_z", "give the config several seeds");
  }
  a.case_name = coming.shape.name;
  a.point = coming.shape.point;
  if (use != AddressUse::line) read_column(entry, row_key, coming, a);
  Addressed found{std::move(a), &coming};
  if (found.address.over_seeds && !found.is_real()) {
    entry.refuse("column",
                 fmt::format("\"{}\" is not one real number a seed", found.address.column),
                 "name a row of a column, or a measured scalar");
  }
  return found;
}

}  // namespace sigstab
