#include "kinds/model_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "model/read_model.hpp"

namespace sigstab {
namespace {

Names generator_names() { return row_names(kGenerators); }

constexpr Field kDrawFields[] = {
    {.name = "generator",
     .type = FieldType::name,
     .fallback = "\"philox\"",
     .help = "the random generator",
     .allowed = generator_names},
    {.name = "seed", .type = FieldType::seed, .fallback = "0", .help = "the seed"},
};
constexpr ObjectTable kDrawTable = {"generator", kDrawFields};

std::string seed_objection(const Generator& generator, const Seed& seed) {
  return fmt::format("{} takes {}, got {}", generator.name, seed_rule(generator), seed.text());
}
constexpr const char* kSeedHint = "use a smaller seed, or the numpy generator";

}  // namespace

std::vector<Field> part_fields(const Names& names, std::span<const Field> own) {
  std::vector<Field> fields;
  for (std::string_view name : names) {
    const Field* field = find_row(model_fields(), name);
    SIGSTAB_ASSERT(field != nullptr);
    fields.push_back(*field);
  }
  fields.insert(fields.end(), own.begin(), own.end());
  return fields;
}

ModelConfig read_part(const ObjectReader& config, const Names& names) {
  Json part = Json::object();
  for (std::string_view name : names) {
    if (const Json* given = config.raw(name)) part[std::string(name)] = *given;
  }
  const ObjectTable table{"", model_fields()};
  const bool layers = std::ranges::find(names, "width") != names.end();
  return read_model(ObjectReader(part, table, config.place()),
                    layers ? Checkpoints::opened : Checkpoints::refused);
}

Field draw_field() {
  return {.name = "random",
          .type = FieldType::object,
          .fallback = "\"philox\"",
          .help = "the random generator and its seed",
          .table = &kDrawTable};
}

DrawSpec read_draw(const ObjectReader& config) {
  const ObjectReader random = config.object("random");
  DrawSpec draw{find_row(kGenerators, random.name("generator")), random.seed("seed")};
  if (!accepts_seed(*draw.generator, draw.seed)) {
    random.refuse("seed", seed_objection(*draw.generator, draw.seed), kSeedHint);
  }
  return draw;
}

void check_seed(const DrawSpec& draw, const Seed& seed) {
  if (accepts_seed(*draw.generator, seed)) return;
  throw Error("/seeds", seed_objection(*draw.generator, seed), kSeedHint);
}

std::vector<std::int64_t> read_whole_numbers(const ObjectReader& config, std::string_view key) {
  std::vector<std::int64_t> whole;
  const std::vector<double> numbers = config.numbers(key);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != std::floor(numbers[i])) {
      throw Error(config.place_of(key).child(i).text(),
                  fmt::format("expected a whole number, got {}", numbers[i]), "round it");
    }
    whole.push_back(static_cast<std::int64_t>(numbers[i]));
  }
  return whole;
}

}  // namespace sigstab
