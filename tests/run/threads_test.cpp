// Neither threads nor memory change a bit of a result, for every generator, order of draws and
// init.

#include <gtest/gtest.h>

#include <string>

#include "result/result_json.hpp"
#include "run/run.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

std::string result_text(const std::string& config, const Limits& limits) {
  Result result = run(testing::plan_of(config), limits);
  return write_json(result);
}

// Widths of several panels; several units, and one; weights live, shared and before the input.
const char* const kConfigs[] = {
    R"({"width": 300, "depth": 4, "activation": "tanh"})",
    R"({"width": 300, "depth": 4, "dtype": "float32", "random": {"generator": "torch"}, "tokens": 3})",
    R"({"width": 200, "depth": 3, "random": {"generator": "numpy", "shared": ["weights"],
        "each": ["input", "upstream"]}, "cases": [{"name": "a"}, {"name": "b", "activation": "relu"}]})",
    R"({"width": 150, "depth": 3, "layer": "mlp", "residual": "plain", "norm": "layernorm", "tokens": 4,
        "random": {"generator": "torch", "layout": "in_out", "reseed": true,
        "each": ["weights", "input", "upstream"]}, "sweep": {"depth": [1, 2, 3]}, "seeds": [0, 1, 2]})",
    R"({"width": 40, "depth": 3, "init": "orthogonal", "seeds": {"from": 0, "count": 7}})",
    // Cases that take turns on one draw of their weights, each with its own spread.
    R"({"width": 120, "depth": 3, "layer": "mlp", "activation": "swiglu", "dtype": "float32",
        "random": {"generator": "torch", "shared": ["upstream", "weights"], "each": ["input"]},
        "cases": [{"name": "a"}, {"name": "b", "init": {"gain": 0.3}, "residual": "gpt2"},
                  {"name": "c", "init": {"W2": {"gain": 3}}, "norm": "rmsnorm", "dtype": "float32"},
                  {"name": "d", "activation": "geglu", "init": {"kind": "normal", "spread": 0.2}}]})",
    R"({"width": 90, "depth": 3, "random": {"generator": "numpy", "shared": ["weights"], "reseed": true},
        "init": {"kind": "truncated_normal", "spread": 0.05},
        "cases": [{"name": "a"}, {"name": "b", "init": {"spread": 0.2}, "upstream": "normal"}]})",
    // Cases that share weights and cannot: limits are in the draw, biases lie between matrices.
    R"({"width": 90, "depth": 3, "random": {"generator": "torch", "shared": ["weights"]},
        "init": "he_uniform", "cases": [{"name": "a"}, {"name": "b", "init": {"gain": 0.5}}]})",
    R"({"width": 90, "depth": 3, "random": {"generator": "torch", "shared": ["weights"]},
        "bias": {"kind": "normal", "spread": 0.1},
        "cases": [{"name": "a"}, {"name": "b", "activation": "tanh"}]})",
    R"({"width": 300, "depth": 2, "init": {"kind": "truncated_normal", "spread": 0.05},
        "random": {"generator": "numpy"}})",
};

TEST(Threads, NeitherTheyNorMemoryChangeABit) {
  for (const char* config : kConfigs) {
    SCOPED_TRACE(config);
    const std::string alone = result_text(config, {1, 1e12});
    for (int threads : {2, 3, 4, 9}) {
      EXPECT_EQ(result_text(config, {threads, 1e12}), alone) << threads << " threads";
    }
    const double needed = total_cost(testing::plan_of(config)).bytes;
    EXPECT_EQ(result_text(config, {4, needed}), alone) << "least memory";
    EXPECT_EQ(result_text(config, {4, 2.5 * needed}), alone) << "little memory";
  }
}

}  // namespace
}  // namespace sigstab
