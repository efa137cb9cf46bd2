#pragma once
// The random generators that a config can name: one row each. Lists, help, lookup and the rule for
// seeds all read the row.
//
// A generator whose draws depend on their order is `sequential`: for it configs say what is drawn
// when. `make` starts a stream; only philox looks at the case name and grid point (empty for what
// is shared).

#include <array>
#include <memory>
#include <string_view>

#include "random/seed.hpp"
#include "random/stream.hpp"

namespace sigstab {

std::unique_ptr<Stream> make_numpy_stream(const Seed& seed, std::string_view case_name,
                                          std::string_view grid_point);
std::unique_ptr<Stream> make_torch_stream(const Seed& seed, std::string_view case_name,
                                          std::string_view grid_point);
std::unique_ptr<Stream> make_native_stream(const Seed& seed, std::string_view case_name,
                                           std::string_view grid_point);

struct Generator {
  std::string_view name;
  std::string_view help;
  bool sequential;
  bool wide_seeds;  // takes seeds above 2^64 - 1
  // Errors: asserts accepts_seed.
  std::unique_ptr<Stream> (*make)(const Seed& seed, std::string_view case_name,
                                  std::string_view grid_point);
};

inline constexpr std::array<Generator, 3> kGenerators = {{
    {"philox", "counter-based (Philox4x32-10): no draw depends on the order or on other cases",
     false, false, make_native_stream},
    {"numpy", "numpy.random.default_rng(seed), bit for bit (SeedSequence, PCG64, ziggurat)", true,
     true, make_numpy_stream},
    {"torch", "PyTorch's CPU generator after torch.manual_seed(seed) (mt19937, Box-Muller)", true,
     false, make_torch_stream},
}};

inline bool accepts_seed(const Generator& generator, const Seed& seed) {
  return generator.wide_seeds || seed.as_uint64().has_value();
}

// For messages: "expected " + seed_rule.
constexpr std::string_view seed_rule(const Generator& generator) {
  return generator.wide_seeds ? "a non-negative integer of at most 10000 digits"
                              : "an integer in [0, 18446744073709551615]";
}

}  // namespace sigstab
