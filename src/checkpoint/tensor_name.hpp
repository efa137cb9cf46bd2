#pragma once
// Names of tensors, such as model.layers.17.mlp.down_proj.weight: their order, patterns, and what
// they say of the tensor.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sigstab {

// What stands for a layer's number in names of several tensors.
inline constexpr std::string_view kLayerMark = "{layer}";

// Digits count as numbers: layers.2 before layers.10.
bool natural_less(std::string_view a, std::string_view b);

// Whether the whole name matches: * is any text, ? any character, {layer} a number.
bool matches(std::string_view pattern, std::string_view name);

// The name with its first number between dots as {layer}; itself if there is none.
std::string layer_pattern(std::string_view name);
// Every {layer} replaced.
std::string with_layer(std::string_view pattern, std::int64_t layer);

// What a tensor is for, as far as its name and dimensions say.
enum class TensorRole { matrix, kernel, embedding, norm_gain, bias, other };
TensorRole tensor_role(std::string_view name, const std::vector<std::int64_t>& shape);
std::string_view role_name(TensorRole role);

}  // namespace sigstab
