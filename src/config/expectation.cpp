#include "config/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "json/object_reader.hpp"

namespace sigstab {
namespace {

constexpr ProtocolRow kProtocols[] = {
    {"exact", "printed from the same numbers, it is the same text", "exact", Protocol::exact},
    {"formula", "it follows from a closed form or from other figures", "by formula",
     Protocol::formula},
    {"order", "it is that large, within the tolerance given", "by order", Protocol::order},
    {"spread", "it lies within what different seeds give", "by spread", Protocol::spread},
    {"outside", "it needs what this program cannot make, such as trained weights", "outside",
     Protocol::outside},
    {"later", "it waits for something not built yet", "later", Protocol::later},
};

Names protocol_names() { return row_names(kProtocols); }

// The keys of one entry; `row_key` is "layer" or what the kind calls a row.
std::vector<Field> entry_fields(const std::string& row_key) {
  std::vector<Field> fields = {
      {.name = "id", .type = FieldType::text, .help = "the figure's name"},
      {.name = "source",
       .type = FieldType::text,
       .fallback = "\"\"",
       .help = "where the figure stands"},
      {.name = "over",
       .type = FieldType::any,
       .help = "the value is divided by the one at this address: the keys that differ from the "
               "entry's"},
      {.name = "protocol",
       .type = FieldType::name,
       .help = "what agreement says; default exact for printed and line, order for near and below",
       .allowed = protocol_names},
      {.name = "printed",
       .type = FieldType::text,
       .help = "our value printed with `format` must give this"},
      {.name = "format",
       .type = FieldType::text,
       .fallback = "\".3g\"",
       .help = "a Python format spec"},
      {.name = "near",
       .type = FieldType::number,
       .help = "the value must lie near this: see rel, factor, within_z"},
      {.name = "rel", .type = FieldType::number, .help = "relative tolerance of `near`", .low = 0},
      {.name = "factor",
       .type = FieldType::number,
       .help = "instead of rel: less than this factor away",
       .low = 1},
      {.name = "within_z",
       .type = FieldType::number,
       .help = "instead of rel: within so many standard deviations of our mean over seeds",
       .low = 0},
      {.name = "below", .type = FieldType::number, .help = "the value must be smaller"},
      {.name = "line", .type = FieldType::text, .help = "the case's line of text must be this"},
      {.name = "outside",
       .type = FieldType::text,
       .help = "not checked: the command that would reproduce it, with what it needs"},
      {.name = "later", .type = FieldType::text, .help = "not checked: what it waits for"},
  };
  const std::vector<Field> address = address_fields(row_key);
  fields.insert(fields.end(), address.begin(), address.end());
  return fields;
}

// An entry that is named and not checked says only why.
bool read_unchecked(const ObjectReader& entry, const Names& keys, Expectation& e) {
  for (const Protocol protocol : {Protocol::outside, Protocol::later}) {
    const std::string_view key = protocol_row(protocol).name;
    if (!entry.has(key)) continue;
    for (std::string_view other : keys) {
      if (other == "id" || other == "source" || other == key || !entry.has(other)) continue;
      entry.refuse(other, fmt::format("a figure that is {} is not compared with anything", key),
                   "remove one of the two");
    }
    e.protocol = protocol;
    e.unchecked = entry.text(key);
    if (e.unchecked.empty()) entry.refuse(key, "it is empty", "say what the figure needs");
    return true;
  }
  return false;
}

// The divisor's address: the entry's own, changed by the keys of `over`.
ValueAddress read_over(const ObjectReader& entry, const std::string& row_key, AddressUse use,
                       const std::vector<ComingCase>& cases) {
  const Json& given = *entry.raw("over");
  if (!given.is_object() || given.empty()) {
    entry.refuse(
        "over", "expected an address, got " + shown(given),
        fmt::format("write {{\"{}\": 1}}: the keys that differ from the entry's", row_key));
  }
  const std::vector<Field> fields = address_fields(row_key);
  Json merged = Json::object();
  for (const Field& field : fields) {
    if (const Json* own = entry.raw(field.name)) merged[std::string(field.name)] = *own;
  }
  merged.merge_patch(given);
  const ObjectTable table{"", fields};
  const ObjectReader over(merged, table, entry.place_of("over"));
  Addressed divisor = read_address(over, row_key, use, cases);
  if (!divisor.is_real()) {
    over.refuse("column", fmt::format("\"{}\" is not one real number", divisor.address.column),
                "name a row of a column, or a measured scalar");
  }
  return std::move(divisor.address);
}

void read_near(const ObjectReader& entry, Expectation& e) {
  const auto number = [&](const char* key, std::optional<double>& value) {
    if (entry.has(key)) value = entry.number(key);
  };
  number("near", e.near);
  number("rel", e.rel);
  number("factor", e.factor);
  number("within_z", e.within_z);
  const int tolerances =
      int(e.rel.has_value()) + int(e.factor.has_value()) + int(e.within_z.has_value());
  if (!e.near) {
    for (const char* key : {"rel", "factor", "within_z"}) {
      if (entry.has(key)) entry.refuse(key, "only `near` has a tolerance", "remove it");
    }
  } else if (tolerances != 1) {
    entry.refuse("", "`near` takes exactly one of rel, factor and within_z",
                 "\"near\": 0.8, \"rel\": 0.1");
  }
  if (e.factor && *e.near == 0) entry.refuse("near", "0 is no factor away from anything", "");
}

void read_rule(const ObjectReader& entry, Expectation& e) {
  if (entry.has("printed")) e.printed = entry.text("printed");
  if (entry.has("line")) e.line = entry.text("line");
  if (entry.has("below")) e.below = entry.number("below");
  const int rules = int(e.printed.has_value()) + int(entry.has("near")) + int(e.below.has_value()) +
                    int(e.line.has_value());
  if (rules != 1) {
    entry.refuse("", "expected exactly one of printed, near, below and line",
                 "\"printed\": \"0.804\", or \"near\": 0.8, \"rel\": 0.1");
  }
  read_near(entry, e);
  if (entry.has("format") && !e.printed) {
    entry.refuse("format", "only `printed` has a format", "remove it");
  }
  if (e.line && entry.has("over")) entry.refuse("over", "a line is no number", "remove it");
  const bool text = e.printed || e.line;
  e.protocol = text ? Protocol::exact : e.within_z ? Protocol::spread : Protocol::order;
  if (!entry.has("protocol")) return;
  const ProtocolRow& named = *find_row(kProtocols, entry.name("protocol"));
  const bool formula = named.protocol == Protocol::formula && !e.line && !e.within_z;
  if (named.protocol != e.protocol && !formula) {
    entry.refuse(
        "protocol",
        fmt::format("this rule is \"{}\", not \"{}\"", protocol_row(e.protocol).name, named.name),
        "printed is exact or formula, near and below are order or formula, within_z is "
        "spread");
  }
  e.protocol = named.protocol;
}

// Whether the rule can be asked of such a value.
void check_value(const ObjectReader& entry, const Addressed& found, Expectation& e) {
  const std::string objection = fmt::format("\"{}\" is not one real number", e.value.column);
  for (const char* key : {"near", "below", "over"}) {
    if (entry.has(key) && !found.is_real()) {
      entry.refuse(key, objection, "name a row of a column, or use \"printed\"");
    }
  }
  try {
    e.format = FormatSpec(entry.text("format"));
    const std::string misfit = e.format.objection(found.example());
    if (e.printed && !e.value.whole_column && !misfit.empty()) {
      throw Error("", misfit, "give a \"format\" that fits, such as \"\" for text");
    }
  } catch (const Error& error) {
    entry.refuse("format", error.message(), error.hint());
  }
}

Expectation read_expectation(const ObjectReader& entry, const Names& keys,
                             const std::string& row_name, const std::vector<ComingCase>& cases) {
  Expectation e;
  e.id = entry.text("id");
  e.source = entry.text("source");
  if (read_unchecked(entry, keys, e)) return e;
  read_rule(entry, e);
  const AddressUse use = e.line       ? AddressUse::line
                         : e.within_z ? AddressUse::value_of_every_seed
                                      : AddressUse::value;
  const Addressed found = read_address(entry, row_name, use, cases);
  e.value = found.address;
  if (e.line) return e;
  check_value(entry, found, e);
  if (entry.has("over")) e.over = read_over(entry, row_name, use, cases);
  return e;
}

}  // namespace

std::span<const ProtocolRow> protocol_table() { return kProtocols; }

const ProtocolRow& protocol_row(Protocol protocol) {
  return *std::ranges::find(kProtocols, protocol, &ProtocolRow::protocol);
}

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
    Expectation e = read_expectation(entry, row_names(fields), row_name, cases);
    if (std::ranges::find(expectations, e.id, &Expectation::id) != expectations.end()) {
      entry.refuse("id", fmt::format("\"{}\" is the name of another figure", e.id), "rename one");
    }
    expectations.push_back(std::move(e));
  }
  return expectations;
}

}  // namespace sigstab
