#include "config/key_table.hpp"

namespace sigstab {
namespace {

constexpr Field kCommonFields[] = {
    {"name", FieldType::text, "\"\"", "the experiment's name; default the file's"},
    {"title", FieldType::text, "\"\"", "what it shows, in a line"},
    {"source", FieldType::text, "\"\"", "where it comes from"},
    {"about", FieldType::text, "\"\"", "what to look for, and what to try"},
    {"extends", FieldType::text, "\"\"",
     "a config that this one changes: a file, relative to this one, or a canned name"},
    {"$schema", FieldType::text, "\"\"", "a JSON schema, for editors; it changes nothing"},
    {"experiment", FieldType::name, "\"depth\"", "the kind of experiment", 0, 0, kind_names},
    {"cases", FieldType::any, "", "named changes to the base, each run on its own", 0, 0, nullptr,
     nullptr, nullptr,
     R"({"type": "array", "minItems": 1, "items": {"type": "object", "required": ["name"]}})"},
    {"sweep", FieldType::any, "", "keys and the values to try: every combination is run", 0, 0,
     nullptr, nullptr, nullptr,
     R"({"type": "object", "additionalProperties": {"type": "array", "minItems": 1}})"},
    {"seeds", FieldType::any, "", "a list of seeds, or {\"from\", \"count\"}; replaces random.seed",
     0, 0, nullptr, nullptr, nullptr,
     R"({"anyOf": [{"type": "array", "minItems": 1}, {"type": "object", "properties":
     {"from": {}, "count": {"type": "integer"}}, "additionalProperties": false}]})"},
    {"expect", FieldType::any, "", "figures that `check` compares with", 0, 0, nullptr, nullptr,
     nullptr, R"({"type": "array", "items": {"type": "object", "required": ["id"]}})"},
};
}  // namespace

Names kind_names() {
  Names names;
  for (const Kind* kind : all_kinds()) {
    names.push_back(kind->name);
    names.helps.push_back(kind->help);
  }
  return names;
}

KeyTable::KeyTable(const Kind& kind)
    : report_(kind.row_name), fields_(std::begin(kCommonFields), std::end(kCommonFields)) {
  const std::vector<Field> own = kind.fields();
  fields_.insert(fields_.end(), own.begin(), own.end());
  fields_.push_back(
      {"report", FieldType::object, "", "what text reports show", 0, 0, nullptr, &report_.table()});
  table_ = {"", fields_};
}

}  // namespace sigstab
