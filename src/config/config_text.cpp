#include "config/config_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "config/config_defaults.hpp"
#include "config/config_patch.hpp"
#include "config/read_config.hpp"
#include "json/object_reader.hpp"

namespace sigstab {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kIndent = 2;

// { "a": [1, 2] }
std::string on_one_line(const Json& value) {
  if (!value.is_structured() || value.empty()) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  std::string inside;
  for (const auto& [key, item] : value.items()) {
    if (!inside.empty()) inside += ", ";
    if (value.is_object()) inside += Json(key).dump() + ": ";
    inside += on_one_line(item);
  }
  return value.is_object() ? "{ " + inside + " }" : "[" + inside + "]";
}

// `used`: columns of the line that stand before and after it.
std::string on_lines(const Json& value, std::size_t indent, std::size_t used, bool broken) {
  const std::string line = on_one_line(value);
  const bool whole = !value.is_structured() || value.empty();
  if (whole || (!broken && used + line.size() <= kLineWidth)) return line;
  const std::string margin(indent + kIndent, ' ');
  std::string inside;
  for (const auto& [key, item] : value.items()) {
    const std::string start = value.is_object() ? Json(key).dump() + ": " : "";
    inside += inside.empty() ? "" : ",\n";
    inside += margin + start;
    inside += on_lines(item, indent + kIndent, margin.size() + start.size() + 1, false);
  }
  const char* ends = value.is_object() ? "{}" : "[]";
  return fmt::format("{}\n{}\n{}{}", ends[0], inside, std::string(indent, ' '), ends[1]);
}

}  // namespace

std::string laid_out(const Json& value) { return on_lines(value, 0, 0, true) + "\n"; }

void shorten_forms(Json& object, const ObjectTable& table) {
  if (!object.is_object()) return;
  for (const Field& field : table.fields) {
    if (field.type != FieldType::object) continue;
    const auto found = object.find(field.name);
    if (found == object.end()) continue;
    shorten_forms(*found, *field.table);
    const bool named_alone = found->is_object() && found->size() == 1 &&
                             found->contains(field.table->naming) && !field.table->naming.empty();
    if (named_alone) *found = Json((*found)[std::string(field.table->naming)]);
  }
}

std::string whole_text(const Config& config) {
  Json whole = Json::parse(resolved_text(config));
  shorten_forms(whole, config.keys->table());
  return laid_out(whole);
}

}  // namespace sigstab
