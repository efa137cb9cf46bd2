#pragma once
// The keys that multiply a config: cases, sweep and seeds.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/config.hpp"
#include "pipeline/object_reader.hpp"

namespace sigstab {

// What a case, a sweep or a resolved case cannot hold.
std::span<const std::string> base_only_keys();

// {"a": {"b": value}} for the key "a.b". Errors, at `where`: a key that lies deeper than any.
Json nested_patch(std::string_view dotted_key, Json value, const std::string& where);

// One entry, without a name or change, where the file lists no cases.
std::vector<ConfigPatch> read_cases(const ObjectReader& top, const std::string& file);
std::vector<SweepKey> read_sweep(const ObjectReader& top);
// None where the file names no seeds.
std::optional<std::vector<Seed>> read_seeds(const ObjectReader& top);

}  // namespace sigstab
