#include "model/read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/init_config.hpp"

namespace sigstab {
namespace {

template <class E, std::size_t N>
E choice(const Choice<E> (&table)[N], const std::string& name) {
  return find_row(table, name)->value;
}

void read_layer(const ObjectReader& config, StackSpec& stack) {
  const ObjectReader layer = config.object("layer");
  stack.layer = choice(kLayers, layer.name("kind"));
  if (stack.layer == LayerKind::mlp) {
    stack.hidden = layer.has("hidden") ? layer.integer("hidden") : 4 * stack.width;
  } else if (layer.has("hidden")) {
    layer.refuse("hidden", "a dense layer has no hidden width",
                 "remove it, or use \"layer\": \"mlp\"");
  }
}

void read_norm(const ObjectReader& config, StackSpec& stack) {
  const ObjectReader norm = config.object("norm");
  stack.norm.row = find_row(norm_table(), norm.name("kind"));
  stack.norm.eps = norm.number("eps");
  stack.norm.gain = norm.number("gain");
  stack.norm.bias = norm.number("bias");
  stack.final_norm = norm.boolean("final");
  const bool present = stack.norm.present(), residual = stack.residual.present();
  stack.placement = &default_placement(present, residual);
  for (const char* key : {"gain", "bias"}) {
    if (!present && norm.has(key)) {
      norm.refuse(key, "there is no norm that learns it", "name a norm, or remove it");
    }
  }
  if (stack.final_norm && !present) {
    norm.refuse("final", "there is no norm to end with", "name a norm, or remove it");
  }
  if (!norm.has("placement")) return;
  const PlacementRow* row = find_row(placement_table(), norm.name("placement"));
  if (!present && row->normalises()) {
    norm.refuse("placement", "there is no norm to place", "name a norm, or remove it");
  }
  if (row->needs_residual && !residual) {
    norm.refuse("placement", fmt::format("\"{}\" needs a residual", row->name),
                "add \"residual\": \"plain\", or use pre or post");
  }
  if (row->needs_mlp && stack.layer != LayerKind::mlp) {
    norm.refuse("placement", fmt::format("\"{}\" sits between two matrices", row->name),
                "use \"layer\": \"mlp\", or another placement");
  }
  stack.placement = row;
}

void read_residual_size(const ObjectReader& residual, StackSpec& stack) {
  ResidualSize& size = stack.residual.size;
  size.depth = stack.depth;
  size.stages = block_stages(stack);
  const ResidualRow& scheme = *stack.residual.row;
  for (const char* key : {"side", "encoder_layers", "decoder_layers"}) {
    if (scheme.two_sided || !residual.has(key)) continue;
    residual.refuse(key, fmt::format("\"{}\" is the same for encoders and decoders", scheme.name),
                    "remove it, or use deepnorm or t_fixup");
  }
  if (residual.has("side")) size.side = choice(kSides, residual.name("side"));
  const bool encoder = residual.has("encoder_layers"), decoder = residual.has("decoder_layers");
  if (encoder != decoder) {
    residual.refuse(encoder ? "decoder_layers" : "encoder_layers",
                    "an encoder-decoder has both numbers of layers", "give both, or neither");
  }
  if (!encoder) return;
  size.encoder_layers = static_cast<double>(residual.integer("encoder_layers"));
  size.decoder_layers = static_cast<double>(residual.integer("decoder_layers"));
}

void read_residual(const ObjectReader& config, StackSpec& stack) {
  const ObjectReader residual = config.object("residual");
  stack.residual.row = find_row(residual_table(), residual.name("scheme"));
  stack.residual.parameters = parameter_values(residual);
  stack.residual.skip = residual.number("skip");
  stack.residual.branch = residual.number("branch");
  read_residual_size(residual, stack);
  const BlockFactors first = stack.residual.factors(1);
  if (!std::isfinite(first.skip) || !std::isfinite(first.branch)) {
    residual.refuse("",
                    fmt::format("\"{}\" has no multipliers at depth {} with these parameters",
                                stack.residual.row->name, stack.depth),
                    "make the stack deeper, or the parameter smaller");
  }
  if (stack.residual.present()) return;
  for (const char* key : {"skip", "branch"}) {
    if (residual.has(key)) {
      residual.refuse(key, "without a residual there is nothing to multiply",
                      "add \"scheme\": \"plain\", or remove it");
    }
  }
}

StackSpec read_stack(const ObjectReader& config) {
  StackSpec stack;
  stack.width = config.integer("width");
  stack.depth = config.integer("depth");
  stack.tokens = config.integer("tokens");
  read_layer(config, stack);
  const ObjectReader activation = config.object("activation");
  stack.activation.row = find_row(activation_table(), activation.name("kind"));
  stack.activation.parameters = parameter_values(activation);
  if (stack.activation.row->gated && stack.layer != LayerKind::mlp) {
    activation.refuse("kind",
                      fmt::format("\"{}\" is the gate of an mlp", stack.activation.row->name),
                      "use \"layer\": \"mlp\"");
  }
  read_residual(config, stack);
  read_norm(config, stack);
  return stack;
}

void read_input(const ObjectReader& config, ModelConfig& model) {
  const ObjectReader input = config.object("input");
  const bool has_values = input.has("values");
  const InputKind kind = input.has("kind") ? choice(kInputs, input.name("kind"))
                         : has_values      ? InputKind::values
                                           : InputKind::normal;
  if (kind == InputKind::normal) {
    if (has_values) input.refuse("values", "a normal input is drawn", "use \"kind\": \"values\"");
    model.input_spread = input.number("spread");
    if (!input.has("cosine")) return;
    model.input_cosine = input.number("cosine");
    if (model.stack.tokens % 2 != 0) {
      input.refuse("cosine",
                   fmt::format("it is of pairs of tokens, and there are {}", model.stack.tokens),
                   "make tokens an even number");
    }
    if (model.stack.width < 2) {
      input.refuse("cosine", "vectors of one number have no angle", "make width 2 or more");
    }
    return;
  }
  if (input.has("cosine")) input.refuse("cosine", "given values have their own", "remove it");
  if (input.has("spread")) input.refuse("spread", "given values are not drawn", "remove it");
  model.input_values = input.numbers("values");
  const std::int64_t needed = model.stack.tokens * model.stack.width;
  if (static_cast<std::int64_t>(model.input_values.size()) != needed) {
    input.refuse("values",
                 fmt::format("expected tokens x width = {} numbers, got {}", needed,
                             model.input_values.size()),
                 "change the list, tokens or width");
  }
}

void read_upstream(const ObjectReader& config, ModelConfig& model) {
  const ObjectReader upstream = config.object("upstream");
  model.upstream = choice(kUpstreams, upstream.name("kind"));
  if (model.upstream == Upstream::cross_entropy) {
    model.classes = upstream.integer("classes");
    if (upstream.has("head")) {
      model.head_init = read_drawn_init(upstream.object("head"));
    } else {
      model.head_init.row = find_row(init_table(), "normal");
      model.head_init.parameters[0] = 1 / std::sqrt(static_cast<double>(model.stack.width));
    }
    return;
  }
  for (const char* key : {"classes", "head"}) {
    if (upstream.has(key)) {
      upstream.refuse(key, "only cross_entropy has it", "use \"kind\": \"cross_entropy\"");
    }
  }
}

// What this model draws: an item that it has no use for is an error where it is listed.
bool has_use_for(DrawItem item, const ModelConfig& model) {
  switch (item) {
    case DrawItem::input:
      return model.input_values.empty();
    case DrawItem::weights:
      return true;
    case DrawItem::upstream:
      return model.upstream == Upstream::normal;
    case DrawItem::head:
    case DrawItem::targets:
      return model.upstream == Upstream::cross_entropy;
  }
  return false;
}

std::vector<DrawItem> read_items(const ObjectReader& random, std::string_view key,
                                 const ModelConfig& model) {
  std::vector<DrawItem> items;
  const std::vector<std::string> names = random.names(key);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const DrawItem item = find_row(kDrawItems, names[i])->value;
    if (!has_use_for(item, model)) {
      throw Error(random.place_of(key).child(i).text(),
                  fmt::format("this experiment does not draw \"{}\"", names[i]), "remove it");
    }
    items.push_back(item);
  }
  return items;
}

// An upstream that nobody named may be left out of the draws: then there is no gradient.
void check_draws(const ObjectReader& random, const ModelConfig& model, bool upstream_given) {
  const auto needs = [&](DrawItem item) {
    if (!has_use_for(item, model) || model.draws(item)) return;
    const std::string_view name = kDrawItems[static_cast<std::size_t>(item)].name;
    random.refuse("each", fmt::format("\"{}\" is never drawn", name),
                  fmt::format("list \"{}\" in random.each or random.shared", name));
  };
  needs(DrawItem::input);
  needs(DrawItem::weights);
  if (upstream_given) needs(DrawItem::upstream);
  if (model.upstream != Upstream::cross_entropy) return;
  // One without the other would be a loss without targets, or targets without logits.
  if (model.draws(DrawItem::head) != model.draws(DrawItem::targets)) {
    needs(DrawItem::head);
    needs(DrawItem::targets);
  }
}

void read_random(const ObjectReader& config, ModelConfig& model) {
  const ObjectReader random = config.object("random");
  RandomSpec& spec = model.random;
  spec.generator = find_row(kGenerators, random.name("generator"));
  spec.seed = random.seed("seed");
  spec.own_seed = random.has("seed");
  if (!accepts_seed(*spec.generator, spec.seed)) {
    random.refuse("seed",
                  fmt::format("{} takes {}, got {}", spec.generator->name,
                              seed_rule(*spec.generator), spec.seed.text()),
                  "use a smaller seed, or the numpy generator");
  }
  if (!spec.generator->sequential) {
    for (const char* key : {"shared", "reseed", "layout"}) {
      if (random.has(key)) {
        random.refuse(key, "under philox every case has draws of its own, in no order",
                      "remove it, or use the numpy or torch generator");
      }
    }
  }
  spec.reseed = random.boolean("reseed");
  spec.layout = choice(kLayouts, random.name("layout"));
  spec.shared = read_items(random, "shared", model);
  if (random.has("each")) {
    spec.each = read_items(random, "each", model);
    for (DrawItem item : spec.each) {
      if (std::ranges::find(spec.shared, item) == spec.shared.end()) continue;
      random.refuse("each",
                    fmt::format("\"{}\" is in shared as well",
                                kDrawItems[static_cast<std::size_t>(item)].name),
                    "list it in one of the two");
    }
  } else {
    for (const Choice<DrawItem>& row : kDrawItems) {
      const bool shared = std::ranges::find(spec.shared, row.value) != spec.shared.end();
      if (has_use_for(row.value, model) && !shared) spec.each.push_back(row.value);
    }
  }
  check_draws(random, model, config.has("upstream"));
}

// Given values that the dtype cannot hold would be infinite.
void check_range(const ObjectReader& config, const ModelConfig& model) {
  const double largest = model.dtype->format().largest;
  const auto check = [&](const ObjectReader& object, std::string_view key, double value) {
    if (std::fabs(value) <= largest) return;
    object.refuse(key,
                  fmt::format("{:g} is infinite in {}, whose largest number is {:.5g}", value,
                              model.dtype->name, largest),
                  "make it smaller, or use another dtype");
  };
  const ObjectReader norm = config.object("norm"), residual = config.object("residual");
  check(norm, "gain", model.stack.norm.gain);
  check(norm, "bias", model.stack.norm.bias);
  check(residual, "skip", model.stack.residual.skip);
  check(residual, "branch", model.stack.residual.branch);
  if (model.bias.row->name == "constant") {
    check(config.object("bias"), "value", model.bias.parameters[0]);
  }
  for (const Init& init : model.inits) {
    if (draws_nothing(init)) check(config.object("init"), "", init.factor(1, 1));
  }
}

void read_storage(const ObjectReader& config, ModelConfig& model) {
  check_range(config, model);
  if (model.dtype->narrow) model.stack.storage = &model.dtype->format();
  const ObjectReader norm = config.object("norm");
  if (!norm.has("compute")) return;
  if (!model.dtype->narrow) {
    norm.refuse("compute", fmt::format("{} has one way to compute a norm", model.dtype->name),
                "remove it, or use dtype float16 or bfloat16");
  }
  const bool steps = choice(kNormSteps, norm.name("compute"));
  if (steps) model.stack.norm.steps = model.stack.storage;
}

}  // namespace

ModelConfig read_model(const ObjectReader& config, Checkpoints checkpoints) {
  ModelConfig model;
  model.stack = read_stack(config);
  model.inits = read_inits(config, model.stack);
  const ObjectReader bias = config.object("bias");
  model.bias.row = find_row(bias_table(), bias.name("kind"));
  model.bias.parameters = parameter_values(bias);
  read_input(config, model);
  read_upstream(config, model);
  model.dtype = find_row(kDTypes, config.name("dtype"));
  read_storage(config, model);
  read_random(config, model);
  open_checkpoints(config, checkpoints, model);
  return model;
}

}  // namespace sigstab
