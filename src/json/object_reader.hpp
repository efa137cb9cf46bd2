#pragma once
// Reads one JSON object by its field table, strictly: the only place where JSON becomes C++ values.
//
// Unknown keys, wrong types, 3.7 for an integer, -1 for an unsigned number, values out of range and
// unknown names are Errors that name place, value, rule and fix. A missing key gives the table's
// default.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "json/field.hpp"
#include "json/json.hpp"
#include "random/seed.hpp"

namespace sigstab {

class ObjectReader {
 public:
  // The object, the table and the place's sources must outlive the reader.
  ObjectReader(const Json& object, const ObjectTable& table, Place place);

  bool has(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  double number(std::string_view key) const;
  bool boolean(std::string_view key) const;
  std::string text(std::string_view key) const;
  // Of a path, as the program finds it.
  std::string path(std::string_view key) const;
  // One of the field's allowed names.
  std::string name(std::string_view key) const;
  std::vector<std::string> names(std::string_view key) const;  // no name twice
  std::vector<double> numbers(std::string_view key) const;     // not empty
  Seed seed(std::string_view key) const;
  // The parameters of the row named by the naming field, in the table's order.
  std::vector<double> parameters() const;
  // A nested object, empty if the key is missing; a string is taken as its short form.
  ObjectReader object(std::string_view key) const;
  // This object without the keys `without`, changed by its nested object `key`; a nested object
  // that names its own row stands alone.
  ObjectReader variant(std::string_view key, const Names& without) const;
  // The value itself, or null.
  const Json* raw(std::string_view key) const;

  const Place& place() const { return place_; }
  Place place_of(std::string_view key) const { return place_.child(key); }
  // Throws an Error at the key (or at the object for an empty key).
  [[noreturn]] void refuse(std::string_view key, const std::string& message,
                           const std::string& hint = "") const;

 private:
  const Field& field(std::string_view key, FieldType type) const;
  // The given value, which belongs to the object, or the table's default parsed from its text.
  std::shared_ptr<const Json> value(const Field& field) const;
  std::string read_text(const Field& field) const;
  void check_keys() const;

  ObjectReader(std::shared_ptr<const Json> owned, const ObjectTable& table, Place place);

  std::shared_ptr<const Json> owned_;  // of a variant; otherwise the object belongs to the caller
  const Json* object_;
  const ObjectTable* table_;
  Place place_;
};

// Errors: not a whole number >= 0 (an integer, or a string of decimal digits).
Seed read_seed(const Json& value, const Place& place);

// Replaces every string that is short for an object by that object, at any depth of the table.
void expand_short_forms(Json& object, const ObjectTable& table);

// A JSON merge patch (RFC 7396) of an expanded object, which stays expanded: an object in the patch
// changes single fields, a string replaces the whole value, null restores the default.
void apply_patch(Json& object, const Json& patch, const ObjectTable& table);

}  // namespace sigstab
