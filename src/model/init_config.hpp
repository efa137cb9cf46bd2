#pragma once
// The keys of an init, and the checkpoint that one may take its matrices from.

#include <vector>

#include "json/object_reader.hpp"
#include "model/model_config.hpp"
#include "net/init.hpp"
#include "net/stack.hpp"

namespace sigstab {

// Whether matrices may come from a checkpoint: they are of layers, which not every kind has.
enum class Checkpoints { opened, refused };
// The parameters of the row that an object names.
ParameterValues parameter_values(const ObjectReader& config);

// One for each matrix of a block, those of a checkpoint not opened yet.
std::vector<Init> read_inits(const ObjectReader& config, const StackSpec& stack);
// Of a matrix that no checkpoint has.
Init read_drawn_init(const ObjectReader& config);

// Opens what inits of a checkpoint name, for a model that is read otherwise: every matrix of every
// layer is there, has the shape that the layer needs, and a format that holds numbers.
// Errors: with the place of `file` or `tensors`, before anything runs.
void open_checkpoints(const ObjectReader& config, Checkpoints checkpoints, ModelConfig& model);

}  // namespace sigstab
