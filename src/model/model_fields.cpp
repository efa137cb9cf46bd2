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
    {"kind", FieldType::name, "\"dense\"", "what a branch computes", 0, 0, names_of<kLayers>},
    {"hidden", FieldType::integer, "", "width between W1 and W2 of an mlp; default 4 x width", 1,
     kLargestWidth},
};
constexpr ObjectTable kLayerTable = {"kind", kLayerFields};

constexpr Field kActivationFields[] = {
    {"kind", FieldType::name, "\"linear\"", "the activation", 0, 0, names_from<activation_table>}};
constexpr ObjectTable kActivationTable = {"kind", kActivationFields, activation_parameters};

extern const ObjectTable kInitTable;
constexpr Field kInitFields[] = {
    {"kind", FieldType::name, "\"lecun\"", "the initialiser", 0, 0, names_from<init_table>},
    {"gain", FieldType::number, "1", "multiplies the spread", 0, kHuge},
    {"mode", FieldType::name, "",
     "the fan that divides the variance; default as the init's name says", 0, 0,
     names_from<fan_mode_table>},
    {"distribution", FieldType::name, "",
     "what variance_scaling draws from; default truncated_normal", 0, 0,
     names_from<scaling_distribution_table>},
    {"file", FieldType::path, "",
     "of checkpoint: a safetensors file, index or folder, beside the config", 0, 0, nullptr,
     nullptr, is_stored},
    {"tensors", FieldType::text, "",
     "of checkpoint: the matrix of each layer, with {layer} for its number", 0, 0, nullptr, nullptr,
     is_stored},
    {"first", FieldType::integer, "0", "of checkpoint: the number of layer 1 in the file", 0,
     kLargestDepth, nullptr, nullptr, is_stored},
    {"transposed", FieldType::boolean, "false",
     "of checkpoint: stored fan_in x fan_out, as GPT-2's Conv1D does", 0, 0, nullptr, nullptr,
     is_stored},
    {"W", FieldType::object, "", "changes for W of a dense layer", 0, 0, nullptr, &kInitTable},
    {"Wg", FieldType::object, "", "changes for the gate of a gated mlp", 0, 0, nullptr,
     &kInitTable},
    {"W1", FieldType::object, "", "changes for W1 of an mlp", 0, 0, nullptr, &kInitTable},
    {"W2", FieldType::object, "", "changes for W2 of an mlp", 0, 0, nullptr, &kInitTable},
};
const ObjectTable kInitTable = {"kind", kInitFields, init_parameters};

constexpr Field kNormFields[] = {
    {"kind", FieldType::name, "\"none\"", "the norm", 0, 0, names_from<norm_table>},
    {"placement", FieldType::name, "", "where it sits; default pre with a residual, post without",
     0, 0, names_from<placement_table>},
    {"eps", FieldType::number, "1e-5", "added to the second moment", 0, kHuge},
    {"gain", FieldType::number, "1", "the learned gain, of every entry", -kHuge, kHuge, nullptr,
     nullptr, is_norm},
    {"bias", FieldType::number, "0", "the learned bias, of every entry", -kHuge, kHuge, nullptr,
     nullptr, is_norm},
    {"compute", FieldType::name, "", "what a 16-bit norm computes in; default float32", 0, 0,
     names_of<kNormSteps>, nullptr, is_norm},
    {"final", FieldType::boolean, "false", "a norm after the last block"},
};
constexpr ObjectTable kNormTable = {"kind", kNormFields};

std::span<const Parameter> bias_parameters(std::string_view name) {
  return find_row(bias_table(), name)->parameters;
}
constexpr Field kBiasFields[] = {
    {"kind", FieldType::name, "\"none\"", "how biases start", 0, 0, names_from<bias_table>}};
constexpr ObjectTable kBiasTable = {"kind", kBiasFields, bias_parameters};

constexpr Field kResidualFields[] = {
    {"scheme", FieldType::name, "\"none\"", "the residual scheme", 0, 0,
     names_from<residual_table>},
    {"skip", FieldType::number, "1", "multiplies the scheme's own skip", -kHuge, kHuge, nullptr,
     nullptr, has_residual},
    {"branch", FieldType::number, "1", "multiplies the scheme's own branch", -kHuge, kHuge, nullptr,
     nullptr, has_residual},
    {"side", FieldType::name, "", "which stack of a Transformer this is; default encoder", 0, 0,
     names_of<kSides>, nullptr, is_two_sided},
    {"encoder_layers", FieldType::integer, "", "Transformer layers of an encoder-decoder's encoder",
     1, kLargestDepth, nullptr, nullptr, is_two_sided},
    {"decoder_layers", FieldType::integer, "", "the same of its decoder", 1, kLargestDepth, nullptr,
     nullptr, is_two_sided},
};
constexpr ObjectTable kResidualTable = {"scheme", kResidualFields, residual_parameters};

constexpr Field kInputFields[] = {
    {"kind", FieldType::name, "",
     "where the input comes from; default normal, values if there are any", 0, 0,
     names_of<kInputs>},
    {"spread", FieldType::number, "1", "standard deviation", 0, kHuge, nullptr, nullptr, is_drawn},
    {"cosine", FieldType::number, "", "of tokens 1 and 2, 3 and 4, ...; default as drawn", -1, 1,
     nullptr, nullptr, is_drawn},
    {"values", FieldType::numbers, "", "tokens x width numbers"},
};
constexpr ObjectTable kInputTable = {"kind", kInputFields};

constexpr Field kUpstreamFields[] = {
    {"kind", FieldType::name, "\"normal\"", "the gradient that enters at the top", 0, 0,
     names_of<kUpstreams>},
    {"classes", FieldType::integer, "", "classes of cross_entropy", 2, kLargestWidth},
    {"head", FieldType::object, "",
     "init of the classifier; default normal of spread 1/sqrt(width)", 0, 0, nullptr, &kInitTable},
};
constexpr ObjectTable kUpstreamTable = {"kind", kUpstreamFields};

constexpr Field kRandomFields[] = {
    {"generator", FieldType::name, "\"philox\"", "the random generator", 0, 0, generator_names},
    {"seed", FieldType::seed, "0", "the seed"},
    {"shared", FieldType::names, "[]", "what is drawn once, before the first case, in order", 0, 0,
     names_of<kDrawItems>, nullptr, is_sequential},
    {"each", FieldType::names, "", "what every case draws, in order", 0, 0, names_of<kDrawItems>},
    {"reseed", FieldType::boolean, "false", "every case starts a fresh stream", 0, 0, nullptr,
     nullptr, is_sequential},
    {"layout", FieldType::name, "\"out_in\"", "how weight matrices are drawn and stored", 0, 0,
     names_of<kLayouts>, nullptr, is_sequential},
};
constexpr ObjectTable kRandomTable = {"generator", kRandomFields};

constexpr Field kModelFields[] = {
    {"width", FieldType::integer, "512", "numbers a token", 1, kLargestWidth},
    {"depth", FieldType::integer, "50", "blocks (branches)", 1, kLargestDepth},
    {"tokens", FieldType::integer, "1", "vectors sent through together", 1, kLargestWidth},
    {"layer", FieldType::object, "\"dense\"", "what a branch computes", 0, 0, nullptr,
     &kLayerTable},
    {"activation", FieldType::object, "\"linear\"", "the activation", 0, 0, nullptr,
     &kActivationTable},
    {"init", FieldType::object, "\"lecun\"", "how weights are drawn", 0, 0, nullptr, &kInitTable},
    {"bias", FieldType::object, "\"none\"", "what each matrix adds to its product", 0, 0, nullptr,
     &kBiasTable},
    {"norm", FieldType::object, "\"none\"", "the norm and its place", 0, 0, nullptr, &kNormTable},
    {"residual", FieldType::object, "\"none\"", "the residual scheme", 0, 0, nullptr,
     &kResidualTable},
    {"input", FieldType::object, "\"normal\"", "what enters", 0, 0, nullptr, &kInputTable},
    {"upstream", FieldType::object, "\"normal\"", "the gradient at the top", 0, 0, nullptr,
     &kUpstreamTable},
    {"dtype", FieldType::name, "\"float64\"", "number format", 0, 0, names_of<kDTypes>},
    {"random", FieldType::object, "\"philox\"", "the random stream", 0, 0, nullptr, &kRandomTable},
};

}  // namespace

std::span<const Field> model_fields() { return kModelFields; }

}  // namespace sigstab
