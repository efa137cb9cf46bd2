#pragma once
// The keys that describe a model and how it is drawn, read into resolved values.

#include "json/object_reader.hpp"
#include "model/init_config.hpp"
#include "model/model_config.hpp"

namespace sigstab {

// Errors: as ObjectReader, and combinations that mean nothing.
ModelConfig read_model(const ObjectReader& config, Checkpoints checkpoints = Checkpoints::opened);

}  // namespace sigstab
