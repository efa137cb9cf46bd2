#pragma once
// The keys that multiply a config: cases, sweep and seeds.

#include <optional>
#include <string>
#include <vector>

#include "config/config_patch.hpp"
#include "json/object_reader.hpp"
#include "random/seed.hpp"

namespace sigstab {

// One entry, without a name or change, where the file lists no cases.
std::vector<ConfigPatch> read_cases(const ObjectReader& top, const std::string& file);
std::vector<SweepKey> read_sweep(const ObjectReader& top);
// None where the file names no seeds.
std::optional<std::vector<Seed>> read_seeds(const ObjectReader& top);

}  // namespace sigstab
