#include "config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "config/config_patch.hpp"
#include "config/key_table.hpp"

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
    case FieldType::path:
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

Json reference(const std::string& definition) { return {{"$ref", "#/definitions/" + definition}}; }

class SchemaWriter {
 public:
  Json object_schema(const ObjectTable& table) {
    Json properties = Json::object();
    for (const Field& field : table.fields) {
      Json schema = nullable(type_schema(field));
      schema["description"] = std::string(field.help);
      if (!field.fallback.empty() && field.fallback != "\"\"") {
        schema["default"] = Json::parse(field.fallback);
      }
      properties[std::string(field.name)] = std::move(schema);
    }
    for (const auto& [name, rows] : parameters_by_name(table)) {
      double low = kHuge, high = -kHuge;  // whatever the row
      for (const auto& [row, p] : rows) {
        low = std::min(low, p.low);
        high = std::max(high, p.high);
      }
      properties[name] = nullable(limited("number", low, high));
      properties[name]["description"] = parameter_text(rows);
    }
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  }

  Json definitions = Json::object();

 private:
  Json type_schema(const Field& field) {
    switch (field.type) {
      case FieldType::text:
      case FieldType::path:
        return {{"type", "string"}};
      case FieldType::integer:
        return limited("integer", field.low, field.high);
      case FieldType::number:
        return limited("number", field.low, field.high);
      case FieldType::boolean:
        return {{"type", "boolean"}};
      case FieldType::name:
        return names_schema(field);
      case FieldType::names:
        return {{"type", "array"}, {"items", names_schema(field)}, {"uniqueItems", true}};
      case FieldType::seed:
        return {{"anyOf",
                 {{{"type", "integer"}, {"minimum", 0}},
                  {{"type", "string"}, {"pattern", "^[0-9]+$"}}}}};
      case FieldType::numbers:
        return {{"type", "array"},
                {"items", limited("number", field.low, field.high)},
                {"minItems", 1}};
      case FieldType::object:
        return reference_to(*field.table, std::string(field.name));
      case FieldType::any:
        break;
    }
    return field.shape.empty() ? Json::object() : Json::parse(field.shape);
  }

  static Json limited(const char* type, double low, double high) {
    Json schema = {{"type", type}};
    if (low != -kHuge) schema["minimum"] = low;
    if (high != kHuge) schema["maximum"] = high;
    return schema;
  }

  // With what each name means, as VS Code shows it.
  static Json names_schema(const Field& field) {
    const Names allowed = field.allowed();
    Json schema = {{"enum", Json::array()}};
    for (std::string_view name : allowed) schema["enum"].push_back(std::string(name));
    if (allowed.helps.size() != allowed.size()) return schema;
    for (std::string_view help : allowed.helps) {
      schema["enumDescriptions"].push_back(std::string(help));
    }
    return schema;
  }

  // null restores the default, whatever the key holds else.
  static Json nullable(Json schema) {
    if (schema.contains("enum")) {
      schema["enum"].push_back(nullptr);
      if (schema.contains("enumDescriptions")) schema["enumDescriptions"].push_back("the default");
    } else if (schema.contains("type")) {
      schema["type"] = Json::array({schema["type"], "null"});
    } else if (schema.contains("anyOf")) {
      schema["anyOf"].push_back({{"type", "null"}});
    } else if (!schema.empty()) {
      schema = {{"anyOf", {schema, {{"type", "null"}}}}};
    }
    return schema;
  }

  // A table is defined once, under the name of the key where it was met first; so are tables of
  // several kinds that say the same.
  Json reference_to(const ObjectTable& table, const std::string& key) {
    const auto [known, fresh] = names_.try_emplace(&table, key);
    if (fresh) {
      while (definitions.contains(known->second)) known->second += "_";
      const std::string name = known->second;
      definitions[name] = Json::object();  // met again within itself
      Json schema = object_schema(table);
      if (!table.naming.empty()) {
        const Field& naming = *find_row(table.fields, table.naming);
        schema = {{"anyOf", {names_schema(naming), schema}}};
      }
      for (std::string other = key; other != name; other += "_") {
        if (definitions[other] != schema) continue;
        definitions.erase(name);
        names_[&table] = other;
        return reference(other);
      }
      definitions[name] = std::move(schema);
    }
    return reference(names_[&table]);
  }

  std::map<const ObjectTable*, std::string> names_;
};

// What a case of the kind may change, and its name.
Json case_schema(Json schema) {
  const Json name = {{"type", "string"}, {"description", "what the case is called"}};
  for (std::string_view key : base_only_keys()) schema["properties"].erase(key);
  schema["properties"]["name"] = name;
  schema["required"] = {"name"};
  return schema;
}

}  // namespace

std::vector<KeyHelp> keys_of(const Kind& kind) {
  const KeyTable table(kind);
  std::vector<KeyHelp> keys;
  std::set<const ObjectTable*> told;
  add_keys(table.table(), "", told, keys);
  return keys;
}

std::string json_schema() {
  SchemaWriter writer;
  std::vector<std::unique_ptr<const KeyTable>> tables;  // which the writer tells apart by address
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "a sigstab experiment"},
                 {"type", "object"}};
  Json kinds = Json::array(), any = Json::array();
  for (const Kind* kind : all_kinds()) {
    const std::string name(kind->name), key = "experiment: " + name, one = "case: " + name;
    tables.push_back(std::make_unique<const KeyTable>(*kind));
    Json whole = writer.object_schema(tables.back()->table());
    writer.definitions[one] = case_schema(whole);
    whole["properties"]["cases"]["items"] = reference(one);
    schema["properties"]["experiment"] = whole["properties"]["experiment"];
    writer.definitions[key] = std::move(whole);
    const Json named = {{"properties", {{"experiment", {{"const", name}}}}},
                        {"required", {"experiment"}}};
    kinds.push_back({{"if", named}, {"then", reference(key)}});
    any.push_back(reference(key));
  }
  // Without the key it is the default kind, or that of the config that is extended.
  const Json named = {{"properties", {{"experiment", {{"type", "string"}}}}},
                      {"required", {"experiment"}}};
  const Json extends = {{"required", {"extends"}}};
  Json neither = {{"not", {{"anyOf", {named, extends}}}}};
  Json inherits = extends;
  inherits["not"] = named;
  kinds.push_back({{"if", neither}, {"then", reference("experiment: depth")}});
  kinds.push_back({{"if", inherits}, {"then", {{"anyOf", any}}}});
  schema["allOf"] = std::move(kinds);
  schema["definitions"] = std::move(writer.definitions);
  return schema.dump(1) + "\n";
}

}  // namespace sigstab
