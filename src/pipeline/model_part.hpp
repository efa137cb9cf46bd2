#pragma once
// Parts of a model's config, for kinds of experiment that take only these.
//
// A part means what it means in a whole model: same key, same fields, same errors.

#include <cstdint>
#include <vector>

#include "pipeline/model_config.hpp"

namespace sigstab {

// A model's fields of these names, then `own`.
std::vector<Field> part_fields(const Names& names, std::span<const Field> own);
// A model with these keys as the config has them, all others at their defaults.
ModelConfig read_part(const ObjectReader& config, const Names& names);

// What a kind draws from that needs no order: its generator and seed alone.
struct DrawSpec {
  const Generator* generator = nullptr;
  Seed seed;
};
Field draw_field();  // "random"
// Errors: a seed that the generator does not take.
DrawSpec read_draw(const ObjectReader& config);
// For Kind::check_unit. Errors: as read_draw, at /seeds.
void check_seed(const DrawSpec& draw, const Seed& seed);

// A list of whole numbers within the field's range.
std::vector<std::int64_t> read_whole_numbers(const ObjectReader& config, std::string_view key);

}  // namespace sigstab
