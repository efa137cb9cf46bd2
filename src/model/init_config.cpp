#include "model/init_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "checkpoint/layer_matrices.hpp"
#include "checkpoint/tensor_name.hpp"

namespace sigstab {
namespace {

constexpr const char* kCheckpointKeys[] = {"file", "tensors", "first", "transposed"};

Init read_init(const ObjectReader& config) {
  for (std::string_view matrix : kMatrixNames) {
    if (config.has(matrix))
      config.refuse(matrix, "one matrix has no matrices of its own", "remove it");
  }
  Init init;
  init.row = find_row(init_table(), config.name("kind"));
  init.parameters = parameter_values(config);
  init.gain = config.number("gain");
  init.mode = init.row->mode;
  if (config.has("mode")) {
    if (!init.row->takes_mode) {
      config.refuse("mode", fmt::format("init \"{}\" has no mode", init.row->name),
                    "remove it, or use he or lecun");
    }
    init.mode = find_row(fan_mode_table(), config.name("mode"))->mode;
  }
  if (config.has("distribution")) {
    const std::string name = config.name("distribution");
    const Distribution chosen = find_row(scaling_distribution_table(), name)->distribution;
    const InitRow* row = with_distribution(*init.row, chosen);
    if (row == nullptr) {
      config.refuse("distribution",
                    fmt::format("init \"{}\" has a distribution of its own", init.row->name),
                    "remove it, or use variance_scaling");
    }
    init.row = row;
  }
  for (const char* key : kCheckpointKeys) {
    if (init.row->distribution == Distribution::stored || !config.has(key)) continue;
    config.refuse(key, fmt::format("init \"{}\" is in no file", init.row->name),
                  "remove it, or use checkpoint");
  }
  return init;
}

// The init of one matrix: the common one with its own changes.
ObjectReader init_of_matrix(const ObjectReader& config, std::string_view matrix) {
  return config.object("init").variant(matrix,
                                       Names(std::begin(kMatrixNames), std::end(kMatrixNames)));
}

}  // namespace

ParameterValues parameter_values(const ObjectReader& config) {
  const std::vector<double> given = config.parameters();
  ParameterValues values{};
  SIGSTAB_ASSERT(given.size() <= values.size());
  std::ranges::copy(given, values.begin());
  return values;
}

Init read_drawn_init(const ObjectReader& config) {
  Init init = read_init(config);
  if (init.row->distribution == Distribution::stored) {
    config.refuse("kind", "a checkpoint has matrices of layers", "use another init here");
  }
  return init;
}

std::vector<Init> read_inits(const ObjectReader& config, const StackSpec& stack) {
  const ObjectReader init = config.object("init");
  std::vector<Init> inits;
  Names own;
  for (const MatrixSpec& matrix : block_matrices(stack)) own.push_back(matrix.name);
  for (std::string_view name : kMatrixNames) {
    if (init.has(name) && std::ranges::find(own, name) == own.end()) {
      init.refuse(name, fmt::format("this layer has no matrix \"{}\"", name),
                  "its matrices: " + joined(own));
    }
  }
  for (std::string_view name : own) inits.push_back(read_init(init_of_matrix(config, name)));
  return inits;
}

namespace {

// What scales weights by depth was meant for weights that are drawn.
void check_scheme(const ObjectReader& config, const MatrixSpec& matrix, const ModelConfig& model) {
  const Residual& residual = model.stack.residual;
  for (std::int64_t layer = 1; layer <= model.stack.depth; ++layer) {
    const BlockFactors factors = residual.factors(layer);
    if ((matrix.last ? factors.last_weights : factors.other_weights) == 1) continue;
    config.object("residual")
        .refuse(
            "scheme",
            fmt::format("\"{}\" scales weights where they are drawn, and those of a checkpoint are "
                        "trained already",
                        residual.row->name),
            "use plain, with skip and branch if the model has such, and init.gain to scale them");
  }
}

const Checkpoint::Tensor& tensor_of_layer(const ObjectReader& init, const Checkpoint& checkpoint,
                                          const std::string& pattern, std::int64_t number,
                                          std::int64_t first) {
  const std::string name = with_layer(pattern, number);
  if (const Checkpoint::Tensor* tensor = checkpoint.find(name)) return *tensor;
  const std::string told =
      fmt::format("{} has no tensor {}", printable(checkpoint.path()), in_quotes(name));
  if (number > first) {
    init.refuse("tensors",
                fmt::format("{}, which layer {} needs; its last is {}", told, number - first + 1,
                            in_quotes(with_layer(pattern, number - 1))),
                fmt::format("make depth {} or less", number - first));
  }
  Names names;
  std::string_view lowest;
  for (const Checkpoint::Tensor& tensor : checkpoint.tensors()) {
    const std::string& known = tensor.stored.name;
    names.push_back(known);
    const bool lower = lowest.empty() || natural_less(known, lowest);
    if (lower && matches(pattern, known)) lowest = known;
  }
  if (!lowest.empty()) {
    init.refuse("tensors", fmt::format("{}; its first is {}", told, in_quotes(lowest)),
                "set first to that number");
  }
  const auto nearest = nearest_name(name, names);
  init.refuse(
      "tensors", told,
      nearest ? fmt::format("did you mean {}?", in_quotes(layer_pattern(*nearest)))
              : fmt::format("sigstab inspect --group {} lists them", printable(checkpoint.path())));
}

void check_tensor(const ObjectReader& init, const StoredTensor& tensor, const MatrixSpec& matrix,
                  bool transposed) {
  const std::string told = fmt::format("tensor {} is {} {}", in_quotes(tensor.name),
                                       shape_text(tensor.shape), tensor.format->name);
  if (!tensor.format->is_real()) {
    init.refuse("tensors", told + ", which is no real number's format", "name another");
  }
  std::vector<std::int64_t> needed = {matrix.fan_out, matrix.fan_in};
  if (transposed) std::ranges::reverse(needed);
  if (tensor.shape == needed) return;
  const std::vector<std::int64_t> other(needed.rbegin(), needed.rend());
  init.refuse("tensors",
              fmt::format("{}, and {} of this layer is {}", told, matrix.name, shape_text(needed)),
              tensor.shape != other ? "set width and layer.hidden to the model's"
              : transposed          ? "it is stored fan_out x fan_in: remove \"transposed\""
                                    : "it is stored fan_in x fan_out: add \"transposed\": true");
}

std::shared_ptr<const StoredMatrices> open_layers(const ObjectReader& init,
                                                  const MatrixSpec& matrix,
                                                  const ModelConfig& model) {
  for (const char* key : {"file", "tensors"}) {
    if (init.has(key)) continue;
    init.refuse(
        "", fmt::format("a checkpoint's init needs \"{}\" for {}", key, matrix.name),
        fmt::format("write \"init\": {{\"kind\": \"checkpoint\", \"file\": "
                    "\"model.safetensors\", \"{}\": {{\"tensors\": "
                    "\"NAME.{{layer}}.weight\"}}}}; sigstab inspect --group lists the names",
                    matrix.name));
  }
  const std::string pattern = init.text("tensors");
  const std::int64_t first = init.integer("first"), depth = model.stack.depth;
  const bool transposed = init.boolean("transposed");
  if (depth > 1 && pattern.find(kLayerMark) == std::string::npos) {
    init.refuse("tensors", fmt::format("{} is one tensor for {} layers", in_quotes(pattern), depth),
                "write {layer} where the layer's number stands");
  }
  std::shared_ptr<const Checkpoint> checkpoint;
  try {
    checkpoint = open_checkpoint(init.path("file"));
  } catch (const Error& error) {
    throw error.within(init.place_of("file").text());
  }
  std::vector<const Checkpoint::Tensor*> tensors;
  for (std::int64_t number = first; number < first + depth; ++number) {
    tensors.push_back(&tensor_of_layer(init, *checkpoint, pattern, number, first));
    check_tensor(init, tensors.back()->stored, matrix, transposed);
  }
  const Layout stored = transposed ? Layout::in_out : Layout::out_in;
  return std::make_shared<LayerMatrices>(checkpoint, pattern, std::move(tensors),
                                         stored != model.random.layout);
}

}  // namespace

void open_checkpoints(const ObjectReader& config, Checkpoints checkpoints, ModelConfig& model) {
  const std::vector<MatrixSpec> matrices = block_matrices(model.stack);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    Init& init = model.inits[i];
    if (init.row->distribution != Distribution::stored) continue;
    const ObjectReader own = init_of_matrix(config, matrices[i].name);
    if (checkpoints == Checkpoints::refused) {
      own.refuse("kind", "this kind of experiment has no layers to take a checkpoint's for",
                 "use another init, or sigstab inspect for a checkpoint's spreads");
    }
    check_scheme(config, matrices[i], model);
    init.stored = open_layers(own, matrices[i], model);
  }
}

}  // namespace sigstab
