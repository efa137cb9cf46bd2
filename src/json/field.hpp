#pragma once
// The field table: every key that a config may hold, described once.
//
// Parsing, defaults, did-you-mean, lists, docs and the JSON schema all read these rows.

#include <span>
#include <string_view>

#include "base/named_table.hpp"
#include "base/parameter.hpp"

namespace sigstab {

struct ObjectTable;

// A path is relative to the file that says it.
enum class FieldType {
  text,
  path,
  integer,
  number,
  boolean,
  name,
  names,
  seed,
  numbers,
  object,
  any
};

struct Field {
  std::string_view name;  // the key
  FieldType type;
  std::string_view fallback = "";  // the default as JSON; empty: none, or it depends on other keys
  std::string_view help = "";
  double low = -kHuge, high = kHuge;   // of integers and numbers, inclusive
  Names (*allowed)() = nullptr;        // of a name or names
  const ObjectTable* table = nullptr;  // of an object
  // Whether it means anything beside that row of the naming field; null: always.
  bool (*applies)(std::string_view row) = nullptr;
  std::string_view shape = "";  // of `any`: its JSON schema
};

// The keys of one object. A string is short for the object with only its naming field.
struct ObjectTable {
  std::string_view naming;  // empty: no short form
  std::span<const Field> fields;
  // Further number fields that the row named by the naming field takes.
  std::span<const Parameter> (*parameters)(std::string_view row) = nullptr;
};

}  // namespace sigstab
