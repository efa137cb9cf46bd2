#include "pipeline/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pipeline/config.hpp"

namespace sigstab {
namespace {

std::string limits_text(double low, double high) {
  const auto number = [](double v) { return fmt::format("{:.10g}", v); };
  if (low == -kHuge && high == kHuge) return "any";
  if (high == kHuge) return number(low) + " or more";
  if (low == -kHuge) return number(high) + " or less";
  return fmt::format("{} to {}", number(low), number(high));
}

std::string type_text(const Field& field) {
  switch (field.type) {
    case FieldType::text:
      return "text";
    case FieldType::integer:
      return "integer, " + limits_text(field.low, field.high);
    case FieldType::number:
      return "number, " + limits_text(field.low, field.high);
    case FieldType::boolean:
      return "true or false";
    case FieldType::name:
      return joined(field.allowed());
    case FieldType::names:
      return "list of " + joined(field.allowed());
    case FieldType::seed:
      return "integer, 0 or more";
    case FieldType::numbers:
      return "list of numbers";
    case FieldType::object:
      return field.table->naming.empty() ? "object"
                                         : fmt::format("object, or its {}", field.table->naming);
    case FieldType::any:
      break;
  }
  return "";
}

std::string help_text(const Field& field) {
  std::string text(field.help);
  const std::string type = type_text(field);
  if (!type.empty()) text += fmt::format(" ({})", type);
  if (!field.fallback.empty() && field.fallback != "\"\"") {
    text += fmt::format(" [{}]", field.fallback);
  }
  return text;
}

// Every row of the naming field with the parameters that it takes.
using RowParameters = std::map<std::string, std::vector<std::pair<std::string_view, Parameter>>>;
RowParameters parameters_by_name(const ObjectTable& table) {
  RowParameters all;
  if (table.parameters == nullptr) return all;
  for (std::string_view row : find_row(table.fields, table.naming)->allowed()) {
    for (const Parameter& p : table.parameters(row)) {
      all[std::string(p.name)].emplace_back(row, p);
    }
  }
  return all;
}

std::string parameter_text(const std::vector<std::pair<std::string_view, Parameter>>& rows) {
  std::string text;
  for (const auto& [row, p] : rows) {
    text += fmt::format("{}of {}: {} ({}){}", text.empty() ? "" : "; ", row, p.help,
                        limits_text(p.low, p.high),
                        p.required() ? "" : fmt::format(" [{}]", p.fallback));
  }
  return text;
}

// A table that stands in several places is told once.
void add_keys(const ObjectTable& table, const std::string& prefix,
              std::set<const ObjectTable*>& told, std::vector<KeyHelp>& keys) {
  if (!told.insert(&table).second) return;
  for (const Field& field : table.fields) {
    const std::string key = prefix + std::string(field.name);
    keys.push_back({key, help_text(field)});
    if (field.type == FieldType::object) add_keys(*field.table, key + ".", told, keys);
  }
  for (const auto& [name, rows] : parameters_by_name(table)) {
    keys.push_back({prefix + name, parameter_text(rows)});
  }
}

// --- JSON schema --------------------------------------------------------------------------------

class SchemaWriter {
 public:
  Json object_schema(const ObjectTable& table) {
    Json properties = Json::object();
    for (const Field& field : table.fields) {
      Json schema = type_schema(field);
      schema["description"] = std::string(field.help);
      if (!field.fallback.empty() && field.fallback != "\"\"") {
        schema["default"] = Json::parse(field.fallback);
      }
      properties[std::string(field.name)] = std::move(schema);
    }
    for (const auto& [name, rows] : parameters_by_name(table)) {
      properties[name] = {{"type", "number"}, {"description", parameter_text(rows)}};
    }
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  }

  Json definitions = Json::object();

 private:
  Json type_schema(const Field& field) {
    const auto limited = [&](const char* type) {
      Json schema = {{"type", type}};
      if (field.low != -kHuge) schema["minimum"] = field.low;
      if (field.high != kHuge) schema["maximum"] = field.high;
      return schema;
    };
    switch (field.type) {
      case FieldType::text:
        return {{"type", "string"}};
      case FieldType::integer:
        return limited("integer");
      case FieldType::number:
        return limited("number");
      case FieldType::boolean:
        return {{"type", "boolean"}};
      case FieldType::name:
        return {{"enum", names_json(field)}};
      case FieldType::names:
        return {{"type", "array"}, {"items", {{"enum", names_json(field)}}}, {"uniqueItems", true}};
      case FieldType::seed:
        return {{"anyOf",
                 {{{"type", "integer"}, {"minimum", 0}},
                  {{"type", "string"}, {"pattern", "^[0-9]+$"}}}}};
      case FieldType::numbers:
        return {{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 1}};
      case FieldType::object:
        return reference_to(*field.table, std::string(field.name));
      case FieldType::any:
        break;
    }
    return field.shape.empty() ? Json::object() : Json::parse(field.shape);
  }

  static Json names_json(const Field& field) {
    Json names = Json::array();
    for (std::string_view name : field.allowed()) names.push_back(std::string(name));
    return names;
  }

  // A table is defined once, under the name of the key where it was met first.
  Json reference_to(const ObjectTable& table, const std::string& key) {
    const auto [known, fresh] = names_.try_emplace(&table, key);
    if (fresh) {
      while (definitions.contains(known->second)) known->second += "_";
      const std::string name = known->second;
      definitions[name] = Json::object();  // met again within itself
      Json schema = object_schema(table);
      if (!table.naming.empty()) {
        const Field& naming = *find_row(table.fields, table.naming);
        schema = {{"anyOf", {{{"enum", names_json(naming)}}, schema}}};
      }
      definitions[name] = std::move(schema);
    }
    return {{"allOf", {{{"$ref", "#/definitions/" + known->second}}}}};
  }

  std::map<const ObjectTable*, std::string> names_;
};

}  // namespace

std::vector<KeyHelp> keys_of(const Kind& kind) {
  std::vector<KeyHelp> keys;
  std::set<const ObjectTable*> told;
  add_keys(config_table(kind), "", told, keys);
  return keys;
}

std::string json_schema() {
  SchemaWriter writer;
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "a sigstab experiment"},
                 {"type", "object"}};
  Json kinds = Json::array();
  for (const Kind* kind : all_kinds()) {
    const std::string name(kind->name), key = "experiment: " + name;
    writer.definitions[key] = writer.object_schema(config_table(*kind));
    Json named = {{"properties", {{"experiment", {{"const", name}}}}}};
    // Without the key it is the default kind.
    if (name != "depth") named["required"] = {"experiment"};
    kinds.push_back({{"if", named}, {"then", {{"$ref", "#/definitions/" + key}}}});
  }
  schema["allOf"] = std::move(kinds);
  schema["definitions"] = std::move(writer.definitions);
  return schema.dump(1) + "\n";
}

}  // namespace sigstab
