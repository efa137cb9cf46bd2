#pragma once
// Parts of a model's config, for kinds of experiment that take only these.
//
// A part means what it means in a whole model: same key, same fields, same errors.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kinds/kind.hpp"
#include "model/model_config.hpp"

namespace sigstab {

// A model's fields of these names, then `own`.
std::vector<Field> part_fields(const Names& names, std::span<const Field> own);
// A model with these keys as the config has them, all others at their defaults. Without a width it
// has no layers, and takes no checkpoint.
ModelConfig read_part(const ObjectReader& config, const Names& names);

// What a kind draws from that needs no order: its generator and seed alone.
struct DrawSpec {
  const Generator* generator = nullptr;
  Seed seed;
};
Field draw_field();  // "random"
// Errors: a seed that the generator does not take.
DrawSpec read_draw(const ObjectReader& config);
// Errors: as read_draw, at /seeds.
void check_seed(const DrawSpec& draw, const Seed& seed);

// For Kind::check_unit, of cases whose `draw()` is a DrawSpec.
template <class Case>
void check_drawn(std::span<const UnitCase> cases, const Seed& seed) {
  for (const UnitCase& one : cases) check_seed(case_as<Case>(one).draw(), seed);
}
// For Kind::run, of such cases, each computed at once by `CaseResult compute(Stream&) const`.
template <class Case>
void run_drawn(std::span<const UnitCase> cases, const Seed& seed, const Resources&,
               const std::function<void(std::size_t, CaseResult)>& emit) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& one = case_as<Case>(cases[i]);
    const auto stream = one.draw().generator->make(seed, cases[i].name, cases[i].point);
    emit(i, one.compute(*stream));
  }
}

// A list of whole numbers within the field's range.
std::vector<std::int64_t> read_whole_numbers(const ObjectReader& config, std::string_view key);

}  // namespace sigstab
