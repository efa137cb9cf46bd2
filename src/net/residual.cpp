#include "net/residual.hpp"

#include <cmath>

namespace sigstab {
namespace {

using P = ParameterValues;

constexpr Parameter kGate[] = {
    {"gate", 0, -kHuge, kHuge, "the branch's multiplier as training starts"}};
constexpr Parameter kNfnet[] = {{"alpha", 0.2, 0, kHuge, "the branch's multiplier"}};
constexpr Parameter kUmup[] = {
    {"residual_ratio", 1, 0, kHuge, "branches against the stream at the end, together"},
    {"attention_ratio", 1, 0, kHuge, "odd (attention) branches against even ones"}};
constexpr Parameter kCompleteP[] = {
    {"exponent", 1, 0, kHuge, "1 is CompleteP; 0.5 keeps the stream's size"},
    {"base_depth", 2, 1, kHuge, "the depth at which branches count in full"}};
constexpr Parameter kDeepScale[] = {
    {"k", 1, 0, kHuge, "beta^2 = k / depth, which must stay below 1"}};

BlockFactors plain(std::int64_t, const ResidualSize&, const P&) { return {}; }

BlockFactors gpt2(std::int64_t, const ResidualSize& size, const P&) {
  return {.last_weights = 1 / std::sqrt(static_cast<double>(size.depth))};
}

// Every weight of a Transformer's branch that is no query or key is multiplied by beta.
BlockFactors deepnorm(std::int64_t, const ResidualSize& size, const P&) {
  double alpha = std::pow(2 * size.layers(), 0.25), beta = std::pow(8 * size.layers(), -0.25);
  if (size.two_sided()) {
    const double n = size.encoder_layers, m = size.decoder_layers;
    const bool encoder = size.side == Side::encoder;
    alpha = encoder ? 0.81 * std::pow(n * n * n * n * m, 1.0 / 16) : std::pow(3 * m, 0.25);
    beta = encoder ? 0.87 * std::pow(n * n * n * n * m, -1.0 / 16) : std::pow(12 * m, -0.25);
  }
  return {.skip = alpha, .last_weights = beta, .other_weights = beta};
}

// m matrices in a row: the first m - 1 times L^(-1/(2m - 2)), the last 0.
BlockFactors fixup(std::int64_t, const ResidualSize& size, const P&) {
  if (size.stages == 1) return {.last_weights = 0};
  const double exponent = -1.0 / static_cast<double>(2 * size.stages - 2);
  return {.last_weights = 0, .other_weights = std::pow(static_cast<double>(size.depth), exponent)};
}

BlockFactors t_fixup(std::int64_t, const ResidualSize& size, const P&) {
  const double n = size.two_sided() ? size.encoder_layers : size.layers();
  const double m = size.two_sided() ? size.decoder_layers : size.layers();
  const double factor =
      size.side == Side::encoder ? 0.67 * std::pow(n, -0.25) : std::pow(9 * m, -0.25);
  return {.last_weights = factor, .other_weights = factor};
}

BlockFactors depth_scaled(std::int64_t layer, const ResidualSize&, const P&) {
  const double factor = 1 / std::sqrt(static_cast<double>((layer + 1) / 2));
  return {.last_weights = factor, .other_weights = factor};
}

BlockFactors gated(std::int64_t, const ResidualSize&, const P& p) { return {.branch = p[0]}; }

// With branches that keep their input's variance: the stream's grows by alpha^2 a block, and each
// branch is given the stream divided by what it has grown to.
BlockFactors nfnet(std::int64_t layer, const ResidualSize&, const P& p) {
  const double variance = 1 + static_cast<double>(layer - 1) * p[0] * p[0];
  return {.branch = p[0], .input = 1 / std::sqrt(variance)};
}

// tau_l is what the branch has to the stream's size before it, were all branches of unit size.
BlockFactors u_mup(std::int64_t layer, const ResidualSize& size, const P& p) {
  const double even = 2 * p[0] * p[0] / (p[1] * p[1] + 1), odd = p[1] * p[1] * even;
  const double pairs = static_cast<double>((layer - 1) / 2);  // before this one
  const bool is_odd = layer % 2 == 1;
  const double before =
      static_cast<double>(size.depth) / 2 + pairs * (odd + even) + (is_odd ? 0 : odd);
  const double tau_squared = (is_odd ? odd : even) / before;
  return {.skip = 1 / std::sqrt(1 + tau_squared),
          .branch = std::sqrt(tau_squared / (1 + tau_squared))};
}

BlockFactors complete_p(std::int64_t, const ResidualSize& size, const P& p) {
  return {.branch = std::pow(static_cast<double>(size.depth) / p[1], -p[0])};
}

BlockFactors deepscale_lm(std::int64_t, const ResidualSize& size, const P& p) {
  const double beta_squared = p[0] / static_cast<double>(size.depth);
  return {.skip = std::sqrt(1 - beta_squared), .branch = std::sqrt(beta_squared)};
}

constexpr ResidualRow kTable[] = {
    {"none", "f(x)", "", false, false, {}, plain},
    {"plain", "skip x + branch f(x)", "He et al. 2015, arXiv 1512.03385", true, false, {}, plain},
    {"gpt2",
     "plain, with the branch's last matrix times 1/sqrt(L)",
     "Radford et al. 2019, section 2.3",
     true,
     false,
     {},
     gpt2},
    {"deepnorm",
     "alpha x + f(x), with f's matrices times beta (init xavier, norm post)",
     "Wang et al. 2022, arXiv 2203.00555; the encoder beside a decoder has 0.81 and 0.87, as in "
     "xformers",
     true,
     true,
     {},
     deepnorm},
    {"fixup",
     "plain, with the branch's first matrices times L^(-1/(2m-2)) and its last one 0",
     "Zhang et al. 2019, arXiv 1901.09321",
     true,
     false,
     {},
     fixup},
    {"t_fixup",
     "plain, with f's matrices times 0.67 N^(-1/4), in a decoder (9N)^(-1/4)",
     "Huang et al. 2020, ICML",
     true,
     true,
     {},
     t_fixup},
    {"depth_scaled",
     "plain, with the matrices of Transformer layer l times 1/sqrt(l)",
     "Zhang et al. 2019, arXiv 1908.11365",
     true,
     false,
     {},
     depth_scaled},
    {"rezero", "x + gate f(x), with gate 0", "Bachlechner et al. 2020, arXiv 2003.04887", true,
     false, kGate, gated},
    {"skipinit", "x + gate f(x), with gate 0", "De & Smith 2020, arXiv 2002.10444", true, false,
     kGate, gated},
    {"nfnet", "x + alpha f(x / beta_l), with beta_l^2 = 1 + (l - 1) alpha^2",
     "Brock et al. 2021, arXiv 2101.08692", true, false, kNfnet, nfnet},
    {"u_mup", "(x + tau_l f(x)) / sqrt(1 + tau_l^2)", "Blake et al. 2024, arXiv 2407.17465", true,
     false, kUmup, u_mup},
    {"complete_p", "x + (L / base_depth)^(-exponent) f(x)", "Dey et al. 2025, arXiv 2505.01618",
     true, false, kCompleteP, complete_p},
    {"deepscale_lm", "lambda x + beta f(x), with lambda^2 + beta^2 = 1 and beta^2 = k/L",
     "Kedia et al. 2024, arXiv 2403.09635", true, false, kDeepScale, deepscale_lm},
};

}  // namespace

std::span<const ResidualRow> residual_table() { return kTable; }

BlockFactors Residual::factors(std::int64_t layer) const {
  BlockFactors f = row->factors(layer, size, parameters);
  f.skip *= skip;
  f.branch *= branch;
  return f;
}

}  // namespace sigstab
