#pragma once
// A model in words, for headings: what distinguishes it, and nothing that is a default.

#include <string>
#include <vector>

#include "model/model_config.hpp"

namespace sigstab {

// The model in a few words each, without what is a default: "512 wide", "init he, spread 0.0625".
std::vector<std::string> model_traits(const ModelConfig& model);

}  // namespace sigstab
