#include "model/model_traits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sigstab {
namespace {

// " 0.2" for each parameter that differs from its default.
std::string changed_parameters(std::span<const Parameter> parameters,
                               const ParameterValues& values) {
  std::string text;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (values[i] != parameters[i].fallback)
      text += fmt::format(" {} {:.4g}", parameters[i].name, values[i]);
  }
  return text;
}

std::string init_text(const Init& init, const MatrixSpec& matrix) {
  std::string text(init.row->name);
  if (init.stored != nullptr) {
    if (init.gain != 1) text += fmt::format(" gain {:.4g}", init.gain);
    return fmt::format("{} {}", text, init.stored->text());
  }
  if (init.row->name == "variance_scaling") {
    text += fmt::format(" {}", distribution_name(init.row->distribution));
  }
  if (init.mode != init.row->mode) {
    const auto mode = std::ranges::find(fan_mode_table(), init.mode, &FanModeRow::mode);
    text += fmt::format(" {}", mode->name);
  }
  return fmt::format("{}, spread {:.4g}", text, init.spread(matrix.fan_in, matrix.fan_out));
}

// One text where all matrices are drawn alike, else one for each.
std::string inits_text(const ModelConfig& model) {
  const std::vector<MatrixSpec> matrices = block_matrices(model.stack);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    texts.push_back(init_text(model.inits[i], matrices[i]));
  }
  if (std::ranges::all_of(texts, [&](const std::string& t) { return t == texts.front(); })) {
    return "init " + texts.front();
  }
  std::string text = "init";
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", matrices[i].name, texts[i]);
  }
  return text;
}

std::string norm_text(const StackSpec& s) {
  std::string text = fmt::format("{} {}", s.norm.row->name, s.placement->name);
  if (s.norm.eps != 1e-5) text += fmt::format(", eps {:g}", s.norm.eps);
  if (s.norm.steps != nullptr) text += fmt::format(", computed in {}", s.norm.steps->name);
  if (s.norm.gain != 1) text += fmt::format(", gain {:.4g}", s.norm.gain);
  if (s.norm.bias != 0) text += fmt::format(", bias {:.4g}", s.norm.bias);
  return text + (s.final_norm ? ", final" : "");
}

std::string residual_text(const Residual& residual) {
  std::string text = fmt::format("residual {}", residual.row->name) +
                     changed_parameters(residual.row->parameters, residual.parameters);
  if (residual.row->two_sided) {
    text += residual.size.side == Side::encoder ? " encoder" : " decoder";
    if (residual.size.two_sided()) {
      text += fmt::format(" of {:g} and {:g} layers", residual.size.encoder_layers,
                          residual.size.decoder_layers);
    }
  }
  if (residual.skip != 1) text += fmt::format(", skip {:.4g}", residual.skip);
  if (residual.branch != 1) text += fmt::format(", branch {:.4g}", residual.branch);
  return text;
}

}  // namespace

std::vector<std::string> model_traits(const ModelConfig& model) {
  const StackSpec& s = model.stack;
  std::vector<std::string> traits = {fmt::format("{} wide", s.width),
                                     fmt::format("{} deep", s.depth)};
  if (s.tokens > 1) traits.push_back(fmt::format("{} tokens", s.tokens));
  if (s.layer == LayerKind::mlp) traits.push_back(fmt::format("mlp, hidden {}", s.hidden));
  traits.push_back(std::string(s.activation.row->name) +
                   changed_parameters(s.activation.row->parameters, s.activation.parameters));
  traits.push_back(inits_text(model));
  if (model.bias.present()) {
    traits.push_back(fmt::format("bias {}", model.bias.row->name) +
                     changed_parameters(model.bias.row->parameters, model.bias.parameters));
  }
  if (s.norm.present()) traits.push_back(norm_text(s));
  if (s.residual.present()) traits.push_back(residual_text(s.residual));
  if (!model.input_values.empty()) {
    traits.push_back("input given");
  } else if (model.input_spread != 1) {
    traits.push_back(fmt::format("input spread {:.4g}", model.input_spread));
  }
  if (model.input_cosine) {
    traits.push_back(fmt::format("input cosine {:.4g}", *model.input_cosine));
  }
  if (model.upstream == Upstream::cross_entropy) {
    traits.push_back(fmt::format("cross-entropy of {} classes", model.classes));
  }
  traits.push_back(std::string(model.dtype->name));
  traits.push_back(std::string(model.random.generator->name));
  return traits;
}

}  // namespace sigstab
