// The table of generators: each row starts the stream of its name and states its rule for seeds.
//
// A new row is covered by the loops; its first draw needs a line in StartTheStreamOfTheirName.

#include "random/generators.hpp"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <stdexcept>
#include <vector>

#include "random/native_stream.hpp"

namespace sigstab {
namespace {

std::vector<double> first_normals(const Generator& generator, const char* case_name) {
  std::vector<double> x(4);
  generator.make(Seed(0), case_name, "")->normal({}, std::span(x));
  return x;
}

const Generator& row(std::string_view name) {
  for (const Generator& generator : kGenerators) {
    if (generator.name == name) return generator;
  }
  throw std::invalid_argument("no such generator");
}

TEST(Generators, AreNamedApartAndExplained) {
  std::set<std::string_view> names;
  for (const Generator& generator : kGenerators) {
    EXPECT_TRUE(names.insert(generator.name).second);
    EXPECT_FALSE(generator.help.empty());
  }
}

// The first normals of numpy.random.default_rng(0), torch.manual_seed(0) and NativeStream.
TEST(Generators, StartTheStreamOfTheirName) {
  EXPECT_EQ(first_normals(row("numpy"), "a")[0], 0.1257302210933933);
  EXPECT_NEAR(first_normals(row("torch"), "a")[0], 1.5409961082440433, 1e-15);
  std::vector<double> native(4);
  NativeStream(stream_key("0", "a", "")).normal({}, std::span(native));
  EXPECT_EQ(first_normals(row("philox"), "a"), native);
}

TEST(Generators, DependOnTheCaseUnlessSequential) {
  for (const Generator& generator : kGenerators) {
    EXPECT_EQ(first_normals(generator, "a") == first_normals(generator, "b"), generator.sequential)
        << generator.name;
  }
}

TEST(Generators, SeparateTheGridPointsOfPhilox) {
  std::vector<double> x(4), y(4);
  row("philox").make(Seed(0), "", "depth=1")->normal({}, std::span(x));
  row("philox").make(Seed(0), "", "depth=2")->normal({}, std::span(y));
  EXPECT_NE(x, y);
}

TEST(Generators, AcceptTheSeedsOfTheirLibrary) {
  const Seed largest = Seed::parse("18446744073709551615").value();
  const Seed beyond = Seed::parse("18446744073709551616").value();
  for (const Generator& generator : kGenerators) {
    EXPECT_TRUE(accepts_seed(generator, largest));
    EXPECT_NE(generator.make(largest, "", ""), nullptr);
    EXPECT_EQ(accepts_seed(generator, beyond), generator.name == "numpy");
    if (!accepts_seed(generator, beyond)) {
      EXPECT_THROW(generator.make(beyond, "", ""), std::logic_error);
    }
    EXPECT_FALSE(seed_rule(generator).empty());
  }
}

}  // namespace
}  // namespace sigstab
