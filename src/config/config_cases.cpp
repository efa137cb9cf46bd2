#include "config/config_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "config/config_patch.hpp"

namespace sigstab {
namespace {

void check_only_in_base(const Json& patch, const std::string& place, std::string_view who) {
  for (std::string_view key : base_only_keys()) {
    if (patch.contains(key)) {
      throw Error(place, fmt::format("{} cannot change \"{}\"", who, key),
                  "move it to the top of the file");
    }
  }
}

}  // namespace

std::vector<ConfigPatch> read_cases(const ObjectReader& top, const std::string& file) {
  const Json* list = top.raw("cases");
  std::vector<ConfigPatch> cases;
  if (list == nullptr) {
    cases.push_back({"", std::make_shared<const Json>(Json::object()), file + ": "});
    return cases;
  }
  const Place place = top.place_of("cases");
  const std::string form = "write [{\"name\": \"a\", ...}, {\"name\": \"b\", ...}]";
  if (!list->is_array() || list->empty()) {
    throw Error(place.text(), "expected a list of named objects, got " + shown(*list), form);
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& raw = (*list)[i];
    const std::string where = place.child(i).text();
    if (!raw.is_object()) throw Error(where, "expected an object, got " + shown(raw), form);
    const auto name = raw.find("name");
    if (name == raw.end() || !name->is_string() || name->get<std::string>().empty()) {
      throw Error(where, "a case needs a name", "add \"name\": \"...\"");
    }
    const std::string text = name->get<std::string>();
    if (!names.insert(text).second) {
      throw Error(where + "/name", fmt::format("there are two cases \"{}\"", text),
                  "give each its own name");
    }
    Json patch = raw;
    patch.erase("name");
    check_only_in_base(patch, where, "a case");
    cases.push_back({text, std::make_shared<const Json>(std::move(patch)), where});
  }
  return cases;
}

std::vector<SweepKey> read_sweep(const ObjectReader& top) {
  const Json* object = top.raw("sweep");
  std::vector<SweepKey> sweep;
  if (object == nullptr) return sweep;
  const Place place = top.place_of("sweep");
  const std::string form = "write {\"depth\": [6, 12, 24]}";
  if (!object->is_object() || object->empty()) {
    throw Error(place.text(), "expected an object of lists, got " + shown(*object), form);
  }
  for (const auto& [key, values] : object->items()) {
    const Place at = place.child(key);
    if (!values.is_array() || values.empty()) {
      throw Error(at.text(), "expected a list of values, got " + shown(values), form);
    }
    SweepKey swept{key, {}, {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Json& value = values[i];
      const std::string where = at.child(i).text();
      if (std::ranges::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i),
                            value) != values.begin() + static_cast<std::ptrdiff_t>(i)) {
        throw Error(where, shown(value) + " is listed twice", "list it once");
      }
      Json patch = nested_patch(key, value, at.text());
      check_only_in_base(patch, at.text(), "a sweep");
      swept.values.push_back(scalar_from(value));
      swept.patches.push_back({key, std::make_shared<const Json>(std::move(patch)), where + ": "});
    }
    for (const SweepKey& earlier : sweep) {
      if (!earlier.key.starts_with(key + ".")) continue;
      throw Error(at.text(), fmt::format("it would overrule the sweep of \"{}\"", earlier.key),
                  fmt::format("list it before \"{}\"", earlier.key));
    }
    sweep.push_back(std::move(swept));
  }
  return sweep;
}

std::optional<std::vector<Seed>> read_seeds(const ObjectReader& top) {
  constexpr double kMostSeeds = 1'000'000;
  const Json* given = top.raw("seeds");
  if (given == nullptr) return std::nullopt;
  const Place place = top.place_of("seeds");
  std::vector<Seed> seeds;
  if (given->is_object()) {
    static constexpr Field kFields[] = {{.name = "from",
                                         .type = FieldType::integer,
                                         .fallback = "0",
                                         .help = "the first seed",
                                         .low = 0,
                                         .high = 9007199254740992.0},
                                        {.name = "count",
                                         .type = FieldType::integer,
                                         .help = "how many",
                                         .low = 1,
                                         .high = kMostSeeds}};
    static constexpr ObjectTable kTable = {"", kFields};
    const ObjectReader range(*given, kTable, place);
    const std::int64_t from = range.integer("from"), count = range.integer("count");
    for (std::int64_t i = 0; i < count; ++i)
      seeds.emplace_back(static_cast<std::uint64_t>(from + i));
    return seeds;
  }
  if (!given->is_array() || given->empty()) {
    throw Error(place.text(), "expected a list of seeds, got " + shown(*given),
                "write [0, 1, 2] or {\"from\": 0, \"count\": 100}");
  }
  std::set<std::string> texts;
  for (std::size_t i = 0; i < given->size(); ++i) {
    const Seed seed = read_seed((*given)[i], place.child(i));
    if (!texts.insert(seed.text()).second) {
      throw Error(place.child(i).text(), fmt::format("seed {} is listed twice", seed.text()),
                  "list it once");
    }
    seeds.push_back(seed);
  }
  return seeds;
}

}  // namespace sigstab
