// What each residual scheme multiplies by, against its paper's formula at given depths.

#include "net/residual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "base/named_table.hpp"

namespace sigstab {
namespace {

struct Expected {
  std::string scheme;
  std::int64_t depth, layer, stages;
  ParameterValues parameters;
  Side side;
  double encoder, decoder;
  BlockFactors factors;  // skip, branch, input, last weights, other weights
};

// Computed with Python from the papers' formulas; N layers are L = 2N branches.
const Expected kExpected[] = {
    {"none", 8, 1, 2, {}, Side::encoder, 0, 0, {1, 1, 1, 1, 1}},
    {"plain", 8, 1, 2, {}, Side::encoder, 0, 0, {1, 1, 1, 1, 1}},
    {"gpt2", 24, 3, 2, {}, Side::encoder, 0, 0, {1, 1, 1, 0.20412414523193154, 1}},
    // N = 12: (2N)^(1/4), (8N)^(-1/4)
    {"deepnorm",
     24,
     5,
     2,
     {},
     Side::encoder,
     0,
     0,
     {2.213363839400643, 1, 1, 0.31947155212313627, 0.31947155212313627}},
    // N = 18, M = 6: 0.81 (N^4 M)^(1/16), 0.87 (N^4 M)^(-1/16)
    {"deepnorm",
     36,
     1,
     2,
     {},
     Side::encoder,
     18,
     6,
     {1.866111538930392, 1, 1, 0.377630160522943, 0.377630160522943}},
    // (3M)^(1/4), (12M)^(-1/4)
    {"deepnorm",
     12,
     1,
     2,
     {},
     Side::decoder,
     18,
     6,
     {2.0597671439071177, 1, 1, 0.34329452398451965, 0.34329452398451965}},
    // m = 2: L^(-1/2); m = 1 has no first matrices.
    {"fixup", 100, 7, 2, {}, Side::encoder, 0, 0, {1, 1, 1, 0, 0.1}},
    {"fixup", 100, 7, 1, {}, Side::encoder, 0, 0, {1, 1, 1, 0, 1}},
    // N = 6: 0.67 N^(-1/4), (9N)^(-1/4)
    {"t_fixup",
     12,
     1,
     2,
     {},
     Side::encoder,
     0,
     0,
     {1, 1, 1, 0.4280918798450026, 0.4280918798450026}},
    {"t_fixup",
     12,
     1,
     2,
     {},
     Side::decoder,
     0,
     0,
     {1, 1, 1, 0.36889397323344053, 0.36889397323344053}},
    // Branches 5 and 6 belong to layer 3.
    {"depth_scaled",
     12,
     5,
     2,
     {},
     Side::encoder,
     0,
     0,
     {1, 1, 1, 0.5773502691896258, 0.5773502691896258}},
    {"depth_scaled",
     12,
     6,
     2,
     {},
     Side::encoder,
     0,
     0,
     {1, 1, 1, 0.5773502691896258, 0.5773502691896258}},
    {"rezero", 12, 1, 2, {0}, Side::encoder, 0, 0, {1, 0, 1, 1, 1}},
    {"skipinit", 12, 1, 2, {0.5}, Side::encoder, 0, 0, {1, 0.5, 1, 1, 1}},
    // beta_4^2 = 1 + 3 * 0.04
    {"nfnet", 12, 4, 2, {0.2}, Side::encoder, 0, 0, {1, 0.2, 0.944911182523068, 1, 1}},
    // alpha_ffn^2 = 2/(rho^2 + 1) alpha_res^2, alpha_attn^2 = rho^2 alpha_ffn^2; branch 4 of 8, an
    // mlp after one pair: tau^2 = alpha_ffn^2 / (4 + 2 alpha_attn^2 + alpha_ffn^2)
    {"u_mup",
     8,
     4,
     2,
     {1.5, 2},
     Side::encoder,
     0,
     0,
     {0.9647638212377322, 0.2631174057921088, 1, 1, 1}},
    {"complete_p", 64, 1, 2, {1, 2}, Side::encoder, 0, 0, {1, 0.03125, 1, 1, 1}},
    {"complete_p", 64, 1, 2, {0.5, 2}, Side::encoder, 0, 0, {1, 0.17677669529663687, 1, 1, 1}},
    {"deepscale_lm",
     50,
     1,
     2,
     {1},
     Side::encoder,
     0,
     0,
     {0.9899494936611666, 0.1414213562373095, 1, 1, 1}},
};

TEST(Residual, EverySchemeHasThePapersFactors) {
  std::set<std::string> covered;
  for (const Expected& e : kExpected) {
    SCOPED_TRACE(e.scheme + " at depth " + std::to_string(e.depth));
    Residual residual;
    residual.row = find_row(residual_table(), e.scheme);
    ASSERT_NE(residual.row, nullptr);
    residual.parameters = e.parameters;
    residual.size = {e.depth, e.stages, e.side, e.encoder, e.decoder};
    const BlockFactors ours = residual.factors(e.layer);
    EXPECT_NEAR(ours.skip, e.factors.skip, 1e-12);
    EXPECT_NEAR(ours.branch, e.factors.branch, 1e-12);
    EXPECT_NEAR(ours.input, e.factors.input, 1e-12);
    EXPECT_NEAR(ours.last_weights, e.factors.last_weights, 1e-12);
    EXPECT_NEAR(ours.other_weights, e.factors.other_weights, 1e-12);
    covered.insert(e.scheme);
  }
  for (const ResidualRow& row : residual_table()) {
    EXPECT_TRUE(covered.contains(std::string(row.name))) << row.name;
    EXPECT_TRUE(!row.residual || !row.source.empty()) << row.name;
  }
}

// u-muP and DeepScaleLM keep a stream of unit variance under branches of unit variance.
TEST(Residual, SchemesThatKeepTheStreamsVarianceDo) {
  for (const char* name : {"u_mup", "deepscale_lm"}) {
    Residual residual;
    residual.row = find_row(residual_table(), name);
    residual.parameters = {1, 1};
    residual.size.depth = 20;
    for (std::int64_t layer = 1; layer <= 20; ++layer) {
      const BlockFactors f = residual.factors(layer);
      EXPECT_NEAR(f.skip * f.skip + f.branch * f.branch, 1, 1e-14) << name;
    }
  }
}

}  // namespace
}  // namespace sigstab
