#include "config/key_table.hpp"

namespace sigstab {
namespace {

constexpr Field kCommonFields[] = {
    {.name = "name",
     .type = FieldType::text,
     .fallback = "\"\"",
     .help = "the experiment's name; default the file's"},
    {.name = "title",
     .type = FieldType::text,
     .fallback = "\"\"",
     .help = "what it shows, in a line"},
    {.name = "source", .type = FieldType::text, .fallback = "\"\"", .help = "where it comes from"},
    {.name = "about",
     .type = FieldType::text,
     .fallback = "\"\"",
     .help = "what to look for, and what to try"},
    {.name = "extends",
     .type = FieldType::text,
     .fallback = "\"\"",
     .help = "a config that this one changes: a file, relative to this one, or a canned name"},
    {.name = "$schema",
     .type = FieldType::text,
     .fallback = "\"\"",
     .help = "a JSON schema, for editors; it changes nothing"},
    {.name = "experiment",
     .type = FieldType::name,
     .fallback = "\"depth\"",
     .help = "the kind of experiment",
     .allowed = kind_names},
    {.name = "cases",
     .type = FieldType::any,
     .help = "named changes to the base, each run on its own",
     .shape =
         R"({"type": "array", "minItems": 1, "items": {"type": "object", "required": ["name"]}})"},
    {.name = "sweep",
     .type = FieldType::any,
     .help = "keys and the values to try: every combination is run",
     .shape = R"({"type": "object", "additionalProperties": {"type": "array", "minItems": 1}})"},
    {.name = "seeds",
     .type = FieldType::any,
     .help = "a list of seeds, or {\"from\", \"count\"}; replaces random.seed",
     .shape = R"({"anyOf": [{"type": "array", "minItems": 1}, {"type": "object", "properties":
     {"from": {}, "count": {"type": "integer"}}, "additionalProperties": false}]})"},
    {.name = "expect",
     .type = FieldType::any,
     .help = "figures that `check` compares with",
     .shape = R"({"type": "array", "items": {"type": "object", "required": ["id"]}})"},
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
  fields_.push_back({.name = "report",
                     .type = FieldType::object,
                     .help = "what text reports show",
                     .table = &report_.table()});
  table_ = {"", fields_};
}

}  // namespace sigstab
