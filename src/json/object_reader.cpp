#include "json/object_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace sigstab {
namespace {

const Json kEmptyObject = Json::object();

std::string range_text(double low, double high) {
  const bool above = low > -kHuge, below = high < kHuge;
  if (above && below) return fmt::format(" in [{}, {}]", low, high);
  if (above) return fmt::format(" >= {}", low);
  if (below) return fmt::format(" <= {}", high);
  return "";
}

[[noreturn]] void expected(const std::string& what, const Json& got, const Place& place,
                           const std::string& hint = "") {
  throw Error(place.text(), fmt::format("expected {}, got {}", what, shown(got)), hint);
}

double read_number(const Json& value, double low, double high, const Place& place) {
  const std::string what = "a number" + range_text(low, high);
  if (!value.is_number()) {
    expected(what, value, place, value.is_string() ? "write the number without quotes" : "");
  }
  const double number = value.get<double>();
  if (!std::isfinite(number) || number < low || number > high) expected(what, value, place);
  return number;
}

std::string read_name(const Json& value, const Names& allowed, const Place& place) {
  if (!value.is_string()) {
    expected("one of " + joined(allowed), value, place, "write the name in quotes");
  }
  const std::string name = value.get<std::string>();
  if (std::ranges::find(allowed, name) == allowed.end()) {
    throw Error(place.text(), fmt::format("unknown name {}", shown(value)),
                name_hint(name, allowed));
  }
  return name;
}

}  // namespace

ObjectReader::ObjectReader(const Json& object, const ObjectTable& table, Place place)
    : object_(&object), table_(&table), place_(std::move(place)) {
  if (!object.is_object()) {
    const std::string what =
        table.naming.empty() ? "an object" : std::string("a name or an object");
    expected(what, object, place_, fmt::format("its keys: {}", joined(row_names(table.fields))));
  }
  check_keys();
}

ObjectReader::ObjectReader(std::shared_ptr<const Json> owned, const ObjectTable& table, Place place)
    : ObjectReader(*owned, table, std::move(place)) {
  owned_ = std::move(owned);
}

ObjectReader ObjectReader::variant(std::string_view key, const Names& without) const {
  const Json* nested = raw(key);
  auto merged = std::make_shared<Json>(*object_);
  for (std::string_view name : without) merged->erase(std::string(name));
  if (nested != nullptr) {
    if (!nested->is_object() || nested->contains(table_->naming)) {
      *merged = *nested;
    } else {
      merged->merge_patch(*nested);
    }
  }
  return ObjectReader(std::shared_ptr<const Json>(std::move(merged)), *table_,
                      nested == nullptr ? place_ : place_of(key));
}

void ObjectReader::check_keys() const {
  Names allowed = row_names(table_->fields);
  std::string owner;
  if (table_->parameters != nullptr) {
    const std::string row = name(table_->naming);
    for (const Parameter& p : table_->parameters(row)) allowed.push_back(p.name);
    owner = fmt::format(" of {} \"{}\"", table_->naming, row);
  }
  for (const auto& [key, unused] : object_->items()) {
    if (std::ranges::find(allowed, key) != allowed.end()) continue;
    std::string hint = name_hint(key, allowed);
    const bool names_row = key == "kind" || key == "scheme" || key == "generator";
    if (names_row && !table_->naming.empty()) {
      hint = fmt::format("did you mean \"{}\"?", table_->naming);
    } else if (table_->parameters != nullptr) {
      hint += fmt::format(
          "; an object changes single fields of the one it is merged over: write the "
          "name alone, or \"{}\": null, to drop what it had",
          key);
    }
    throw Error(place_.child(key).text(), fmt::format("unknown key \"{}\"{}", key, owner), hint);
  }
}

bool ObjectReader::has(std::string_view key) const { return object_->contains(key); }

const Json* ObjectReader::raw(std::string_view key) const {
  const auto found = object_->find(key);
  return found == object_->end() ? nullptr : &*found;
}

const Field& ObjectReader::field(std::string_view key, FieldType type) const {
  const Field* row = find_row(table_->fields, key);
  SIGSTAB_ASSERT(row != nullptr && row->type == type);
  return *row;
}

std::shared_ptr<const Json> ObjectReader::value(const Field& field) const {
  if (const Json* given = raw(field.name)) return {std::shared_ptr<void>(), given};
  if (field.fallback.empty()) {
    throw Error(place_.text(), fmt::format("\"{}\" is missing", field.name),
                fmt::format("add \"{}\" ({})", field.name, field.help));
  }
  return std::make_shared<const Json>(Json::parse(field.fallback));
}

std::int64_t ObjectReader::integer(std::string_view key) const {
  const Field& row = field(key, FieldType::integer);
  const std::shared_ptr<const Json> held = value(row);
  const Json& given = *held;
  const std::string what = fmt::format("an integer in [{:.0f}, {:.0f}]", row.low, row.high);
  if (!given.is_number_integer()) {
    expected(what, given, place_of(key),
             given.is_string() ? "write the number without quotes" : "");
  }
  // An integer above 2^63 - 1 is stored unsigned; both compare as doubles without wrapping round.
  const double as_real = given.get<double>();
  if (as_real < row.low || as_real > row.high) expected(what, given, place_of(key));
  return given.get<std::int64_t>();
}

double ObjectReader::number(std::string_view key) const {
  const Field& row = field(key, FieldType::number);
  return read_number(*value(row), row.low, row.high, place_of(key));
}

bool ObjectReader::boolean(std::string_view key) const {
  const std::shared_ptr<const Json> held = value(field(key, FieldType::boolean));
  const Json& given = *held;
  if (!given.is_boolean())
    expected("true or false", given, place_of(key), "write it without quotes");
  return given.get<bool>();
}

std::string ObjectReader::read_text(const Field& field) const {
  const std::shared_ptr<const Json> held = value(field);
  const Json& given = *held;
  if (!given.is_string()) expected("text", given, place_of(field.name), "write it in quotes");
  return given.get<std::string>();
}

std::string ObjectReader::text(std::string_view key) const {
  return read_text(field(key, FieldType::text));
}

std::string ObjectReader::path(std::string_view key) const {
  const std::string text = read_text(field(key, FieldType::path));
  return (std::filesystem::path(place_.folder()) / text).string();
}

std::string ObjectReader::name(std::string_view key) const {
  const Field& row = field(key, FieldType::name);
  return read_name(*value(row), row.allowed(), place_of(key));
}

std::vector<std::string> ObjectReader::names(std::string_view key) const {
  const Field& row = field(key, FieldType::names);
  const std::shared_ptr<const Json> held = value(row);
  const Json& given = *held;
  if (!given.is_array()) expected("a list of names", given, place_of(key), "write [\"a\", \"b\"]");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Place place = place_of(key).child(i);
    std::string name = read_name(given[i], row.allowed(), place);
    if (std::ranges::find(names, name) != names.end()) {
      throw Error(place.text(), fmt::format("\"{}\" is listed twice", name), "list it once");
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<double> ObjectReader::numbers(std::string_view key) const {
  const Field& row = field(key, FieldType::numbers);
  const std::shared_ptr<const Json> held = value(row);
  const Json& given = *held;
  if (!given.is_array() || given.empty()) {
    expected("a list of numbers", given, place_of(key), "write [1, 2.5, -3]");
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < given.size(); ++i) {
    numbers.push_back(read_number(given[i], row.low, row.high, place_of(key).child(i)));
  }
  return numbers;
}

Seed ObjectReader::seed(std::string_view key) const {
  return read_seed(*value(field(key, FieldType::seed)), place_of(key));
}

std::vector<double> ObjectReader::parameters() const {
  std::vector<double> values;
  const std::string row = name(table_->naming);
  for (const Parameter& p : table_->parameters(row)) {
    const Json* given = raw(p.name);
    if (given == nullptr && p.required()) {
      refuse("", fmt::format("{} \"{}\" needs \"{}\"", table_->naming, row, p.name),
             fmt::format("add \"{}\" ({})", p.name, p.help));
    }
    values.push_back(given == nullptr ? p.fallback
                                      : read_number(*given, p.low, p.high, place_of(p.name)));
  }
  return values;
}

ObjectReader ObjectReader::object(std::string_view key) const {
  const Field& row = field(key, FieldType::object);
  const Json* given = raw(key);
  return ObjectReader(given == nullptr ? kEmptyObject : *given, *row.table, place_of(key));
}

void ObjectReader::refuse(std::string_view key, const std::string& message,
                          const std::string& hint) const {
  throw Error((key.empty() ? place_ : place_of(key)).text(), message, hint);
}

Seed read_seed(const Json& value, const Place& place) {
  const std::string what = "a non-negative integer, or one as a string of decimal digits";
  if (value.is_number_float()) {
    expected(what, value, place, "write a seed above 18446744073709551615 in quotes");
  }
  const bool negative =
      value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
  if (value.is_number_integer() && !negative) return Seed(value.get<std::uint64_t>());
  if (value.is_string()) {
    if (const auto seed = Seed::parse(value.get<std::string>())) return *seed;
  }
  expected(what, value, place);
}

void expand_short_forms(Json& object, const ObjectTable& table) {
  if (!object.is_object()) return;  // the reader will say so
  for (const Field& field : table.fields) {
    if (field.type != FieldType::object) continue;
    const auto found = object.find(field.name);
    if (found == object.end()) continue;
    const bool short_form = found->is_string() && !field.table->naming.empty();
    if (short_form) *found = Json{{std::string(field.table->naming), *found}};
    expand_short_forms(*found, *field.table);
  }
}

namespace {

bool is_parameter(std::string_view key, const ObjectTable& table) {
  if (table.parameters == nullptr) return false;
  const Names rows = find_row(table.fields, table.naming)->allowed();
  return std::ranges::any_of(
      rows, [&](std::string_view row) { return find_row(table.parameters(row), key) != nullptr; });
}

// null drops a key; one that no table knows stays, so that it is refused like any unknown key.
void keep_unknown_nulls(const Json& patch, const ObjectTable& table, Json& object) {
  if (!patch.is_object() || !object.is_object()) return;
  for (const auto& [key, value] : patch.items()) {
    const Field* field = find_row(table.fields, key);
    if (value.is_null() && field == nullptr && !is_parameter(key, table)) {
      object[key] = nullptr;
    } else if (field != nullptr && field->type == FieldType::object && object.contains(key)) {
      keep_unknown_nulls(value, *field->table, object[key]);
    }
  }
}

}  // namespace

void apply_patch(Json& object, const Json& patch, const ObjectTable& table) {
  object.merge_patch(patch);
  keep_unknown_nulls(patch, table, object);
  expand_short_forms(object, table);
}

}  // namespace sigstab
