#include "model/model_fields.hpp"

#include "random/generators.hpp"

namespace sigstab {
namespace {

template <auto& table>
Names names_of() {
  return row_names(table);
}
template <auto function>
Names names_from() {
  return row_names(function());
}
Names generator_names() { return row_names(kGenerators); }

std::span<const Parameter> activation_parameters(std::string_view name) {
  return find_row(activation_table(), name)->parameters;
}
std::span<const Parameter> init_parameters(std::string_view name) {
  return find_row(init_table(), name)->parameters;
}

std::span<const Parameter> residual_parameters(std::string_view name) {
  return find_row(residual_table(), name)->parameters;
}
bool is_two_sided(std::string_view scheme) {
  const ResidualRow* row = find_row(residual_table(), scheme);
  return row != nullptr && row->two_sided;
}
bool has_residual(std::string_view scheme) {
  const ResidualRow* row = find_row(residual_table(), scheme);
  return row != nullptr && row->residual;
}
bool is_norm(std::string_view norm) {
  const NormRow* row = find_row(norm_table(), norm);
  return row != nullptr && !row->identity;
}
bool is_sequential(std::string_view generator) {
  const Generator* row = find_row(kGenerators, generator);
  return row != nullptr && row->sequential;
}
bool is_drawn(std::string_view input) { return input == "normal"; }
bool is_stored(std::string_view init) {
  const InitRow* row = find_row(init_table(), init);
  return row != nullptr && row->distribution == Distribution::stored;
}

constexpr double kLargestWidth = 1048576, kLargestDepth = 100000;

constexpr Field kLayerFields[] = {
    {.name = "kind",
     .type = FieldType::name,
     .fallback = "\"dense\"",
     .help = "what a branch computes",
     .allowed = names_of<kLayers>},
    {.name = "hidden",
     .type = FieldType::integer,
     .help = "width between W1 and W2 of an mlp; default 4 x width",
     .low = 1,
     .high = kLargestWidth},
};
constexpr ObjectTable kLayerTable = {"kind", kLayerFields};

constexpr Field kActivationFields[] = {{.name = "kind",
                                        .type = FieldType::name,
                                        .fallback = "\"linear\"",
                                        .help = "the activation",
                                        .allowed = names_from<activation_table>}};
constexpr ObjectTable kActivationTable = {"kind", kActivationFields, activation_parameters};

extern const ObjectTable kInitTable;
constexpr Field kInitFields[] = {
    {.name = "kind",
     .type = FieldType::name,
     .fallback = "\"lecun\"",
     .help = "the initialiser",
     .allowed = names_from<init_table>},
    {.name = "gain",
     .type = FieldType::number,
     .fallback = "1",
     .help = "multiplies the spread",
     .low = 0},
    {.name = "mode",
     .type = FieldType::name,
     .help = "the fan that divides the variance; default as the init's name says",
     .allowed = names_from<fan_mode_table>},
    {.name = "distribution",
     .type = FieldType::name,
     .help = "what variance_scaling draws from; default truncated_normal",
     .allowed = names_from<scaling_distribution_table>},
    {.name = "file",
     .type = FieldType::path,
     .help = "of checkpoint: a safetensors file, index or folder, beside the config",
     .applies = is_stored},
    {.name = "tensors",
     .type = FieldType::text,
     .help = "of checkpoint: the matrix of each layer, with {layer} for its number",
     .applies = is_stored},
    {.name = "first",
     .type = FieldType::integer,
     .fallback = "0",
     .help = "of checkpoint: the number of layer 1 in the file",
     .low = 0,
     .high = kLargestDepth,
     .applies = is_stored},
    {.name = "transposed",
     .type = FieldType::boolean,
     .fallback = "false",
     .help = "of checkpoint: stored fan_in x fan_out, as GPT-2's Conv1D does",
     .applies = is_stored},
    {.name = "W",
     .type = FieldType::object,
     .help = "changes for W of a dense layer",
     .table = &kInitTable},
    {.name = "Wg",
     .type = FieldType::object,
     .help = "changes for the gate of a gated mlp",
     .table = &kInitTable},
    {.name = "W1",
     .type = FieldType::object,
     .help = "changes for W1 of an mlp",
     .table = &kInitTable},
    {.name = "W2",
     .type = FieldType::object,
     .help = "changes for W2 of an mlp",
     .table = &kInitTable},
};
const ObjectTable kInitTable = {"kind", kInitFields, init_parameters};

constexpr Field kNormFields[] = {
    {.name = "kind",
     .type = FieldType::name,
     .fallback = "\"none\"",
     .help = "the norm",
     .allowed = names_from<norm_table>},
    {.name = "placement",
     .type = FieldType::name,
     .help = "where it sits; default pre with a residual, post without",
     .allowed = names_from<placement_table>},
    {.name = "eps",
     .type = FieldType::number,
     .fallback = "1e-5",
     .help = "added to the second moment",
     .low = 0},
    {.name = "gain",
     .type = FieldType::number,
     .fallback = "1",
     .help = "the learned gain, of every entry",
     .applies = is_norm},
    {.name = "bias",
     .type = FieldType::number,
     .fallback = "0",
     .help = "the learned bias, of every entry",
     .applies = is_norm},
    {.name = "compute",
     .type = FieldType::name,
     .help = "what a 16-bit norm computes in; default float32",
     .allowed = names_of<kNormSteps>,
     .applies = is_norm},
    {.name = "final",
     .type = FieldType::boolean,
     .fallback = "false",
     .help = "a norm after the last block"},
};
constexpr ObjectTable kNormTable = {"kind", kNormFields};

std::span<const Parameter> bias_parameters(std::string_view name) {
  return find_row(bias_table(), name)->parameters;
}
constexpr Field kBiasFields[] = {{.name = "kind",
                                  .type = FieldType::name,
                                  .fallback = "\"none\"",
                                  .help = "how biases start",
                                  .allowed = names_from<bias_table>}};
constexpr ObjectTable kBiasTable = {"kind", kBiasFields, bias_parameters};

constexpr Field kResidualFields[] = {
    {.name = "scheme",
     .type = FieldType::name,
     .fallback = "\"none\"",
     .help = "the residual scheme",
     .allowed = names_from<residual_table>},
    {.name = "skip",
     .type = FieldType::number,
     .fallback = "1",
     .help = "multiplies the scheme's own skip",
     .applies = has_residual},
    {.name = "branch",
     .type = FieldType::number,
     .fallback = "1",
     .help = "multiplies the scheme's own branch",
     .applies = has_residual},
    {.name = "side",
     .type = FieldType::name,
     .help = "which stack of a Transformer this is; default encoder",
     .allowed = names_of<kSides>,
     .applies = is_two_sided},
    {.name = "encoder_layers",
     .type = FieldType::integer,
     .help = "Transformer layers of an encoder-decoder's encoder",
     .low = 1,
     .high = kLargestDepth,
     .applies = is_two_sided},
    {.name = "decoder_layers",
     .type = FieldType::integer,
     .help = "the same of its decoder",
     .low = 1,
     .high = kLargestDepth,
     .applies = is_two_sided},
};
constexpr ObjectTable kResidualTable = {"scheme", kResidualFields, residual_parameters};

constexpr Field kInputFields[] = {
    {.name = "kind",
     .type = FieldType::name,
     .help = "where the input comes from; default normal, values if there are any",
     .allowed = names_of<kInputs>},
    {.name = "spread",
     .type = FieldType::number,
     .fallback = "1",
     .help = "standard deviation",
     .low = 0,
     .applies = is_drawn},
    {.name = "cosine",
     .type = FieldType::number,
     .help = "of tokens 1 and 2, 3 and 4, ...; default as drawn",
     .low = -1,
     .high = 1,
     .applies = is_drawn},
    {.name = "values", .type = FieldType::numbers, .help = "tokens x width numbers"},
};
constexpr ObjectTable kInputTable = {"kind", kInputFields};

constexpr Field kUpstreamFields[] = {
    {.name = "kind",
     .type = FieldType::name,
     .fallback = "\"normal\"",
     .help = "the gradient that enters at the top",
     .allowed = names_of<kUpstreams>},
    {.name = "classes",
     .type = FieldType::integer,
     .help = "classes of cross_entropy",
     .low = 2,
     .high = kLargestWidth},
    {.name = "head",
     .type = FieldType::object,
     .help = "init of the classifier; default normal of spread 1/sqrt(width)",
     .table = &kInitTable},
};
constexpr ObjectTable kUpstreamTable = {"kind", kUpstreamFields};

constexpr Field kRandomFields[] = {
    {.name = "generator",
     .type = FieldType::name,
     .fallback = "\"philox\"",
     .help = "the random generator",
     .allowed = generator_names},
    {.name = "seed", .type = FieldType::seed, .fallback = "0", .help = "the seed"},
    {.name = "shared",
     .type = FieldType::names,
     .fallback = "[]",
     .help = "what is drawn once, before the first case, in order",
     .allowed = names_of<kDrawItems>,
     .applies = is_sequential},
    {.name = "each",
     .type = FieldType::names,
     .help = "what every case draws, in order",
     .allowed = names_of<kDrawItems>},
    {.name = "reseed",
     .type = FieldType::boolean,
     .fallback = "false",
     .help = "every case starts a fresh stream",
     .applies = is_sequential},
    {.name = "layout",
     .type = FieldType::name,
     .fallback = "\"out_in\"",
     .help = "how weight matrices are drawn and stored",
     .allowed = names_of<kLayouts>,
     .applies = is_sequential},
};
constexpr ObjectTable kRandomTable = {"generator", kRandomFields};

constexpr Field kModelFields[] = {
    {.name = "width",
     .type = FieldType::integer,
     .fallback = "512",
     .help = "numbers a token",
     .low = 1,
     .high = kLargestWidth},
    {.name = "depth",
     .type = FieldType::integer,
     .fallback = "50",
     .help = "blocks (branches)",
     .low = 1,
     .high = kLargestDepth},
    {.name = "tokens",
     .type = FieldType::integer,
     .fallback = "1",
     .help = "vectors sent through together",
     .low = 1,
     .high = kLargestWidth},
    {.name = "layer",
     .type = FieldType::object,
     .fallback = "\"dense\"",
     .help = "what a branch computes",
     .table = &kLayerTable},
    {.name = "activation",
     .type = FieldType::object,
     .fallback = "\"linear\"",
     .help = "the activation",
     .table = &kActivationTable},
    {.name = "init",
     .type = FieldType::object,
     .fallback = "\"lecun\"",
     .help = "how weights are drawn",
     .table = &kInitTable},
    {.name = "bias",
     .type = FieldType::object,
     .fallback = "\"none\"",
     .help = "what each matrix adds to its product",
     .table = &kBiasTable},
    {.name = "norm",
     .type = FieldType::object,
     .fallback = "\"none\"",
     .help = "the norm and its place",
     .table = &kNormTable},
    {.name = "residual",
     .type = FieldType::object,
     .fallback = "\"none\"",
     .help = "the residual scheme",
     .table = &kResidualTable},
    {.name = "input",
     .type = FieldType::object,
     .fallback = "\"normal\"",
     .help = "what enters",
     .table = &kInputTable},
    {.name = "upstream",
     .type = FieldType::object,
     .fallback = "\"normal\"",
     .help = "the gradient at the top",
     .table = &kUpstreamTable},
    {.name = "dtype",
     .type = FieldType::name,
     .fallback = "\"float64\"",
     .help = "number format",
     .allowed = names_of<kDTypes>},
    {.name = "random",
     .type = FieldType::object,
     .fallback = "\"philox\"",
     .help = "the random stream",
     .table = &kRandomTable},
};

}  // namespace

std::span<const Field> model_fields() { return kModelFields; }

}  // namespace sigstab
