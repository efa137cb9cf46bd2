#include "theory/mean_field_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "math/special.hpp"

namespace sigstab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double square(double v) { return v * v; }
double log_of_square(double v) { return 2 * std::log(std::fabs(v)); }

double log_noise(double variance, Noise* noise) {
  return noise == nullptr ? 0 : log_factor(variance, noise->next());
}

}  // namespace

double log_factor(double variance, double normal) {
  const double s = std::log1p(variance);
  return std::sqrt(s) * normal - s / 2;
}

MeanFieldBlock::MeanFieldBlock(const MeanFieldModel& model, ActivationLaws& laws)
    : model_(model),
      laws_(laws),
      block_(make_block(model.stack)),
      matrices_(block_matrices(model.stack)) {
  SIGSTAB_ASSERT(block_.branch.size() <= BlockTrace::kMostOperations);
  for (std::int64_t layer = 1; layer <= model.stack.depth; ++layer) {
    factors_.push_back(model.stack.residual.factors(layer));
    if (!model.stack.residual.present()) factors_.back() = {.skip = 0};
  }
  for (std::size_t i = 0; i < matrices_.size(); ++i) {
    log_weights_.push_back(
        log_of_square(model.inits[i].spread(matrices_[i].fan_in, matrices_[i].fan_out)));
  }
}

double MeanFieldBlock::log_variance(std::int64_t layer, std::size_t matrix) const {
  const BlockFactors& f = factors_[static_cast<std::size_t>(layer - 1)];
  return log_weights_[matrix] +
         log_of_square(matrices_[matrix].last ? f.last_weights : f.other_weights);
}

double MeanFieldBlock::share_of_tokens(double cosine) const {
  const double tokens = static_cast<double>(model_.stack.tokens);
  return (1 + (tokens - 1) * square(cosine)) / tokens;
}

// --- forward ------------------------------------------------------------------------------------

// The part of W x that comes from the weights if an activation follows, which knows the bias; else
// with the bias.
Signal MeanFieldBlock::product(std::size_t op, std::int64_t layer, const Signal& x,
                               BlockTrace& trace, Noise* noise) const {
  const Operation& operation = block_.branch[op];
  BlockTrace::Step& step = trace.steps[op];
  step.log_input = x.log_square;
  for (std::size_t i = 0; i < operation.matrices; ++i) {
    const MatrixSpec& m = matrices_[operation.first_matrix + i];
    step.log_back[i] =
        std::log(static_cast<double>(m.fan_out)) + log_variance(layer, operation.first_matrix + i);
  }
  step.back_variance = 2 / static_cast<double>(operation.in * model_.stack.tokens);
  if (!matrices_[operation.first_matrix].last || model_.stack.layer == LayerKind::dense) return x;
  const double fan_in = static_cast<double>(operation.in);
  const double weights =
      std::log(fan_in) + log_variance(layer, operation.first_matrix) + x.log_square +
      log_noise(2 / static_cast<double>(operation.out) * share_of_tokens(x.cosine), noise);
  const PreactivationLaw law = preactivation_law(weights, model_.bias, operation.in);
  const double all = law.log_square();
  const double own = all == -kInfinity ? 1 : std::exp(weights - all);
  return {all, all == -kInfinity ? 0 : law.shift * std::exp(-all / 2), own * x.cosine + 1 - own};
}

Signal MeanFieldBlock::activation(std::size_t op, std::int64_t layer, const Signal& x,
                                  BlockTrace& trace, Noise* noise) const {
  BlockTrace::Step& step = trace.steps[op];
  const MatrixSpec& m = matrices_.front();
  const double units = static_cast<double>(m.fan_out);
  const double weights =
      std::log(static_cast<double>(m.fan_in)) + log_variance(layer, 0) + x.log_square;
  const SiteLaw& site = laws_.at(weights);
  const PreactivationLaw law = preactivation_law(weights, model_.bias, m.fan_in);
  trace.log_preactivation = law.log_square();
  step.log_back[0] = site.law.log_slope_square;
  Signal out{site.law.log_square, site.law.mean_share, x.cosine};
  if (noise != nullptr) {
    const SquareSpread& s = site.spread;
    const double tokens = share_of_tokens(x.cosine);
    step.drawn = noise->next();
    out.log_square += log_factor(s.value / units * tokens, step.drawn);
    step.correlation = s.value > 0 && s.slope > 0
                           ? std::clamp(s.both / std::sqrt(s.value * s.slope), -1.0, 1.0)
                           : 0;
    step.slope_variance = s.slope / units * tokens;
    step.back_variance = 2 * s.slope / (units * static_cast<double>(model_.stack.tokens));
  }
  if (model_.pairs && noise == nullptr) {
    const double own = std::exp(weights - law.log_variance);
    const double c = law.log_variance == -kInfinity ? 1 : own * x.cosine + 1 - own;
    // Roughly: Hermite's expansion, with the weights that relu's terms have beyond the mean.
    const double mean = square(out.mean_share);
    out.cosine = model_.roughly ? mean + (1 - mean) * c * (0.75 + 0.25 * c)
                                : pair_share(model_.stack.activation, law, c);
  }
  return out;
}

// f(zg) z1, of two matrices that know nothing of each other.
Signal MeanFieldBlock::gate(std::size_t op, std::int64_t layer, const Signal& x, BlockTrace& trace,
                            Noise* noise) const {
  const Signal gate = activation(op, layer, x, trace, nullptr);
  BlockTrace::Step& step = trace.steps[op];
  const MatrixSpec& m = matrices_[1];
  const double weights =
      std::log(static_cast<double>(m.fan_in)) + log_variance(layer, 1) + x.log_square;
  const PreactivationLaw law = preactivation_law(weights, model_.bias, m.fan_in);
  const double value = law.log_square();
  step.log_back = {step.log_back[0] + value, gate.log_square};
  const double own = value == -kInfinity ? 1 : std::exp(weights - value);
  const double mean_share = value == -kInfinity ? 0 : law.shift * std::exp(-value / 2);
  Signal out{gate.log_square + value, gate.mean_share * mean_share,
             gate.cosine * (own * x.cosine + 1 - own)};
  if (noise != nullptr) {
    // Both factors are squared normals' functions: (1 + v) 3 - 1, and one slope for both paths.
    const double units = static_cast<double>(m.fan_out);
    const SquareSpread& s =
        laws_.at(std::log(static_cast<double>(m.fan_in)) + log_variance(layer, 0) + x.log_square)
            .spread;
    const double tokens = share_of_tokens(x.cosine);
    step.drawn = noise->next();
    out.log_square += log_factor((3 * (1 + s.value) - 1) / units * tokens, step.drawn);
    step.correlation = 0;
    step.slope_variance = (3 * (1 + s.slope) - 1) / units * tokens;
    step.back_variance = 2 * s.slope / (units * static_cast<double>(model_.stack.tokens));
  }
  return out;
}

Signal MeanFieldBlock::normalise(const Signal& x, BlockTrace::Step& step) const {
  const Norm& norm = model_.stack.norm;
  const double mean = norm.row->centred ? 0 : x.mean_share;
  const double own = norm.row->centred ? std::max(0.0, 1 - square(x.mean_share)) : 1;
  const double size = x.log_square + std::log(own);
  const double whole = log_add(size, std::log(norm.eps));
  // Less eps's part: what is left of the vector, and of a gradient along it.
  const double log_ratio =
      whole == -kInfinity ? std::numeric_limits<double>::quiet_NaN() : size - whole;
  const double ratio = std::exp(log_ratio);
  step.log_back[0] = log_of_square(norm.gain) - whole;
  step.kept = square(1 - ratio);
  double cosine = x.cosine;
  if (norm.row->centred && own > 0) cosine = (x.cosine - square(x.mean_share)) / own;
  if (norm.bias == 0) {
    return {log_of_square(norm.gain) + log_ratio, norm.gain < 0 ? -mean : mean, cosine};
  }
  const double root = norm.gain * std::sqrt(ratio);
  const double offset = 2 * root * mean * norm.bias + square(norm.bias);
  const double all = square(root) + offset;
  return {std::log(all), (root * mean + norm.bias) / std::sqrt(all),
          (square(root) * cosine + offset) / all};
}

Signal MeanFieldBlock::sum(const BlockFactors& factors, const Signal& x, const Signal& f,
                           BlockTrace& trace, Noise* noise) const {
  trace.skip_of_sum = 0;
  if (!model_.stack.residual.present()) return f;
  const double skip = std::log(std::fabs(factors.skip)) + x.log_square / 2;
  const double branch = std::log(std::fabs(factors.branch)) + f.log_square / 2;
  const double top = std::max(skip, branch);
  if (top == -kInfinity) return {-kInfinity, 0, 1};
  const double a = std::copysign(std::exp(skip - top), factors.skip);
  const double b = std::copysign(std::exp(branch - top), factors.branch);
  const double cross = 2 * a * b * x.mean_share * f.mean_share;
  double all = a * a + b * b + cross;
  if (noise != nullptr) {
    const double angle = noise->next() * std::sqrt(share_of_tokens(x.cosine) /
                                                   static_cast<double>(model_.stack.width));
    all = std::max(all + 2 * a * b * angle, 1e-3 * (a * a + b * b));
  }
  if (all <= 0) return {-kInfinity, 0, 1};
  trace.skip_of_sum = a * a / all;
  return {2 * top + std::log(all), (a * x.mean_share + b * f.mean_share) / std::sqrt(all),
          (a * a * x.cosine + b * b * f.cosine + cross) / all};
}

// E z f'(z) over the stream's RMS, 0 where a norm stands before the branch or after the sum. By
// Stein's lemma the slope of E f in ln spread: a central difference, to 8 digits.
double MeanFieldBlock::drift(std::int64_t layer, const Signal& x) const {
  constexpr double kStep = 1e-4;
  const StackSpec& s = model_.stack;
  const bool normed = s.norm.present() && s.placement->normalises();
  const bool bare = s.layer == LayerKind::dense && s.residual.present() && !normed;
  if (!bare || x.log_square == -kInfinity) return 0;
  const double weights = std::log(static_cast<double>(s.width)) + log_variance(layer, 0) +
                         log_of_square(factors_[static_cast<std::size_t>(layer - 1)].input) +
                         x.log_square;
  if (weights == -kInfinity) return 0;
  const auto mean_at = [&](double log_variance) {
    const ActivationLaw law = laws_.at(log_variance).law;
    return law.mean_share == 0 ? 0 : law.mean_share * std::exp((law.log_square - x.log_square) / 2);
  };
  return (mean_at(weights + kStep) - mean_at(weights - kStep)) / kStep;
}

Signal MeanFieldBlock::forward(std::int64_t layer, const Signal& x, BlockTrace& trace,
                               Noise* noise) const {
  const BlockFactors& factors = factors_[static_cast<std::size_t>(layer - 1)];
  Signal f = x;
  for (std::size_t op = 0; op < block_.branch.size(); ++op) {
    switch (block_.branch[op].kind) {
      case Operation::scale:
        trace.steps[op].log_back[0] = log_of_square(factors.input);
        f.log_square += trace.steps[op].log_back[0];
        break;
      case Operation::norm:
        f = normalise(f, trace.steps[op]);
        break;
      case Operation::product:
        f = product(op, layer, f, trace, noise);
        break;
      case Operation::activation:
        f = activation(op, layer, f, trace, noise);
        break;
      case Operation::gate:
        f = gate(op, layer, f, trace, noise);
        break;
    }
  }
  trace.log_branch = f.log_square;
  trace.stream_mean_share = x.mean_share;
  trace.drift = noise == nullptr ? drift(layer, x) : 0;
  const Signal whole = sum(factors, x, f, trace, noise);
  if (!block_.norm_after_sum) return whole;
  return normalise(whole, trace.after_sum);
}

Signal MeanFieldBlock::final_norm(const Signal& x, BlockTrace::Step& step) const {
  return normalise(x, step);
}

// --- backward -----------------------------------------------------------------------------------

double MeanFieldBlock::log_norm_back(const BlockTrace::Step& step, double dimension,
                                     const BackSignal& g) const {
  const double ones = model_.stack.norm.row->centred ? g.along_ones : 0;
  return step.log_back[0] + std::log(1 - (ones + g.along_stream * (1 - step.kept)) / dimension);
}

BackSignal MeanFieldBlock::back_through_final_norm(const BackSignal& g,
                                                   const BlockTrace::Step& step) const {
  BackSignal back = g;
  back.log_square += log_norm_back(step, static_cast<double>(model_.stack.width), g);
  if (model_.stack.norm.row->centred) back.along_ones = 0;
  back.along_stream *= step.kept;
  return back;
}

// The gradient at the stream before the block, from g at the sum and what came through the branch.
BackSignal MeanFieldBlock::back_through_sum(const BlockFactors& factors, const BackSignal& g,
                                            double log_branch, const BlockTrace& trace,
                                            Noise* noise) const {
  if (!model_.stack.residual.present()) return {log_branch, 1, 1};
  const double skip = log_of_square(factors.skip) + g.log_square;
  BackSignal back{log_add(skip, log_branch), 1, 1};
  if (back.log_square == -kInfinity) return back;
  const double old = std::exp(skip - back.log_square);
  if (noise != nullptr) {
    const double size = static_cast<double>(model_.stack.width * model_.stack.tokens);
    const double cross = 2 * std::sqrt(old * (1 - old) / size) * noise->next();
    back.log_square += std::log(std::max(1 + cross, 1e-3));
  }
  if (trace.drift != 0) {
    // W^T D g has the mean drift (1.g) x / |x| |1|, which g knows. Of one direction among `width`,
    // it grows like the stream's mean.
    const double d = static_cast<double>(model_.stack.width), s = factors.skip;
    const double b = factors.branch * trace.drift, before = g.log_square - back.log_square;
    const double along = g.along_ones * std::exp(before);  // in units of the new size
    const double growth = 1 + along * (2 * s * b * trace.stream_mean_share + b * b) / d;
    back.log_square += std::log(growth);
    back.along_ones = (along * square(s + b * trace.stream_mean_share) + 1 - old) / growth;
    return back;
  }
  // The branch's part has no preferred direction. The stream before the block has a part, by
  // size `skip_of_sum`, in the direction that a norm after the sum has emptied.
  const double emptied = trace.skip_of_sum * (1 - g.along_stream);
  back.along_ones = old * g.along_ones + 1 - old;
  back.along_stream = old * (1 - emptied) + 1 - old;
  return back;
}

BackSignal MeanFieldBlock::backward(std::int64_t layer, const BackSignal& stream,
                                    const BlockTrace& trace, Noise* noise,
                                    std::vector<double>* gradients, double* branch_gradient) const {
  const BlockFactors& factors = factors_[static_cast<std::size_t>(layer - 1)];
  const BackSignal at_sum =
      block_.norm_after_sum ? back_through_final_norm(stream, trace.after_sum) : stream;
  std::array<double, 2> g = {
      at_sum.log_square + (model_.stack.residual.present() ? log_of_square(factors.branch) : 0),
      -kInfinity};
  if (branch_gradient != nullptr) *branch_gradient = g[0];
  double variance = 0;  // relative, of what is left to draw
  for (std::size_t op = block_.branch.size(); op-- > 0;) {
    const Operation& operation = block_.branch[op];
    const BlockTrace::Step& step = trace.steps[op];
    if (operation.kind == Operation::product) {
      double whole = -kInfinity;
      for (std::size_t i = 0; i < operation.matrices; ++i) {
        if (gradients != nullptr) {
          (*gradients)[operation.first_matrix + i] =
              g[i] + step.log_input + std::log(static_cast<double>(model_.stack.tokens));
        }
        whole = log_add(whole, g[i] + step.log_back[i]);
      }
      g = {whole + log_noise(variance + step.back_variance, noise), -kInfinity};
      variance = 0;
    } else if (operation.kind == Operation::norm) {
      g[0] += log_norm_back(step, static_cast<double>(operation.in), {0, 1, 1});
    } else {
      const double incoming = g[0];
      g[0] = incoming + step.log_back[0];
      if (operation.kind == Operation::gate) g[1] = incoming + step.log_back[1];
      if (noise != nullptr && operation.kind != Operation::scale) {
        const double normal =
            step.correlation * step.drawn + std::sqrt(1 - square(step.correlation)) * noise->next();
        const double factor = log_factor(step.slope_variance, normal);
        for (double& path : g) path += factor;
        variance = step.back_variance;
      }
    }
  }
  return back_through_sum(factors, at_sum, g[0], trace, noise);
}

}  // namespace sigstab
