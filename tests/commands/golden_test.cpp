// Golden results: blessed beside a config, compared by check, and never taken for granted.

#include <cstdlib>
#include <iomanip>
#include <sstream>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

constexpr const char* kConfig = R"({"width": 8, "depth": 4, "activation": "relu", "init": "he"})";
constexpr const char* kWithFigure = R"({"width": 8, "depth": 4,
    "expect": [{"id": "a", "layer": 4, "column": "forward_rms", "below": 1e9}]})";

class Golden : public Command {
 protected:
  Golden() { write("my.json", kConfig); }

  void bless() const {
    const Outcome outcome = run({"check", "--bless", "my.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  // Replaces a text of the golden, which must be there.
  void change(const std::string& old, const std::string& by) const {
    std::string text = read("my.golden.json");
    const std::size_t at = text.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    write("my.golden.json", text.replace(at, old.size(), by));
  }
  // Multiplies one value of the golden.
  void scale(const std::string& scalar, double factor) const {
    const std::string key = "\"" + scalar + "\": ", text = read("my.golden.json");
    const std::size_t at = text.find(key) + key.size(), end = text.find_first_of(",\n", at);
    const double value = std::strtod(text.c_str() + at, nullptr);
    std::ostringstream changed;
    changed << std::setprecision(17) << value * factor;
    change(key + text.substr(at, end - at), key + changed.str());
  }
};

TEST_F(Golden, IsWrittenBesideItsConfigAndComparedByCheck) {
  const Outcome blessed = run({"check", "--bless", "my.json"});
  EXPECT_EQ(blessed.code, 0) << blessed.err;
  EXPECT_EQ(blessed.out, "my.golden.json: new, 22 values\n");
  EXPECT_EQ(files(), (std::vector<std::string>{"my.golden.json", "my.json"}));
  const Outcome checked = run({"check", "my.json"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_TRUE(has(checked.out, "ok    my.golden.json: 22 values compared, 0 differ (exact: "));
  EXPECT_TRUE(has(checked.out, "\n1 golden result, 0 differ\n")) << checked.out;
}

TEST_F(Golden, StaysAsItIsWhereNothingChanged) {
  bless();
  change("\"revision\": \"", "\"revision\": \"former ");
  const std::string former = read("my.golden.json");
  EXPECT_EQ(run({"check", "--bless", "my.json"}).out, "my.golden.json: unchanged, 22 values\n");
  EXPECT_EQ(read("my.golden.json"), former);
}

TEST_F(Golden, TellsWhatBlessingChanged) {
  bless();
  write("my.json", R"({"width": 8, "depth": 5, "activation": "relu", "init": "he"})");
  const Outcome outcome = run({"check", "--bless", "my.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "my.golden.json: changed\nconfig changed: depth\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "only in new: 4 values: seed 0, forward_rms[5]")) << outcome.out;
  change("\"output_rms\": ", "\"gone\": 1, \"output_rms\": 1");
  const Outcome again = run({"check", "--bless", "my.json"});
  EXPECT_TRUE(has(again.out, "only in former: 1 value: seed 0, gone\n")) << again.out;
  EXPECT_TRUE(has(again.out, "former")) << again.out;
  EXPECT_TRUE(has(again.out, " 1 differ, 1 on one side alone (exact)\n")) << again.out;
  EXPECT_EQ(run({"check", "my.json"}).code, 0);
}

TEST_F(Golden, ADifferenceIsAMissAndExitCodeOne) {
  bless();
  change("\"output_rms\": ", "\"output_rms\": 1");
  const Outcome outcome = run({"check", "my.json", "--junit", "j.xml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.out, "MISS  my.golden.json: 22 values compared, 1 differ ("))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "seed 0, output_rms")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\n1 golden result, 1 differs\n")) << outcome.out;
  EXPECT_TRUE(has(read("j.xml"), "failures=\"1\"")) << read("j.xml");
}

TEST_F(Golden, AMissingValueIsADifference) {
  bless();
  change("\"output_rms\"", "\"other\"");
  EXPECT_EQ(run({"check", "my.json"}).code, 1);
}

TEST_F(Golden, StandsBesideExpectedFigures) {
  write("my.json", kWithFigure);
  EXPECT_EQ(run({"check", "my.json"}).code, 0);
  bless();
  const Outcome outcome = run({"check", "my.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "1 figure: 1 by order, 0 failed; 1 golden result, 0 differ\n"))
      << outcome.out;
}

TEST_F(Golden, OnAnotherCoreHalfTheDigitsCount) {
  bless();
  change("\"blas_core\": \"", "\"blas_core\": \"Other ");
  const Outcome outcome = run({"check", "my.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "(rtol 1.5e-08, half the digits: blessed on Other ")) << outcome.out;
  write("my.json", R"({"width": 8, "depth": 4, "dtype": "float32"})");
  bless();
  change("\"blas_core\": \"", "\"blas_core\": \"Other ");
  EXPECT_TRUE(has(run({"check", "my.json"}).out, "(rtol 0.00035, half the digits")) << outcome.out;
}

TEST_F(Golden, OnAnotherCoreADifferenceIsStillOne) {
  bless();
  change("\"blas_core\": \"", "\"blas_core\": \"Other ");
  change("\"output_rms\": ", "\"output_rms\": 1");
  EXPECT_EQ(run({"check", "my.json"}).code, 1);
}

TEST_F(Golden, IsExactOnTheMachineThatMadeIt) {
  bless();
  scale("output_rms", 1 + 1e-12);
  EXPECT_EQ(run({"check", "my.json"}).code, 1);
  change("\"blas_core\": \"", "\"blas_core\": \"Other ");
  EXPECT_EQ(run({"check", "my.json"}).code, 0);
}

TEST_F(Golden, TheUserSaysHowMuchMayDiffer) {
  bless();
  scale("output_rms", 1.005);
  EXPECT_EQ(run({"check", "my.json"}).code, 1);
  const Outcome outcome = run({"check", "my.json", "--rtol", "0.01"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "(rtol 0.01)")) << outcome.out;
  EXPECT_EQ(run({"check", "my.json", "--rtol", "0.001"}).code, 1);
  expect_error(run({"check", "my.json", "--rtol", "-1"}), {"--rtol", "hint: "});
}

TEST_F(Golden, OfAnotherConfigIsRefused) {
  bless();
  write("my.json", R"({"width": 8, "depth": 4, "activation": "gelu", "init": "he"})");
  expect_error(run({"check", "my.json"}),
               {"my.golden.json: ", "another config: activation", "\"relu\"", "\"gelu\" now",
                "sigstab check --bless my.json"});
}

TEST_F(Golden, OfAnotherConfigNamesTheFirstValueThatDiffers) {
  write("it's my.json", R"({"width": 8, "depth": 4, "init": {"kind": "he", "gain": 1}})");
  EXPECT_EQ(run({"check", "--bless", "it's my.json"}).code, 0);
  write("it's my.json", R"({"width": 8, "depth": 4, "init": {"kind": "he", "gain": 1.001}})");
  expect_error(run({"check", "it's my.json"}),
               {"config: init.gain: 1 there, 1.001 now", R"(check --bless 'it'\''s my.json')"});
}

// One bad config, and a golden of another config, between two that are well.
TEST_F(Golden, AConfigThatCannotBeCheckedHidesNoOther) {
  write("foreign.json", kConfig);
  EXPECT_EQ(run({"check", "--bless", "my.json", "foreign.json"}).code, 0);
  write("foreign.json", R"({"width": 9})");
  write("wrong.json", R"({"width": "<8>"})");
  write("figure.json", kWithFigure);
  const Outcome outcome = run({"check", "wrong.json", "my.json", "gone.json", "foreign.json",
                               "figure.json", "--junit", "j.xml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.out, "ok    my.golden.json: 22 values compared")) << outcome.out;
  EXPECT_TRUE(has(outcome.out,
                  "1 figure: 1 by order, 0 failed; 1 golden result, 0 differ; "
                  "3 configs could not be checked\n"))
      << outcome.out;
  for (const char* told : {"error: wrong.json: /width: ", "error: gone.json: ",
                           "error: foreign.golden.json: it was blessed for another config"}) {
    EXPECT_TRUE(has(outcome.err, told)) << outcome.err;
  }
  const std::string xml = read("j.xml");
  EXPECT_TRUE(has(xml, "name=\"wrong.json\"><error message=\"wrong.json: /width: ")) << xml;
  EXPECT_TRUE(has(xml, "&lt;8&gt;")) << xml;
  EXPECT_TRUE(has(xml, "name=\"foreign.json\"><error ")) << xml;
  EXPECT_TRUE(has(xml, "name=\"a\"/>")) << xml;
}

TEST_F(Golden, AConfigWithoutTheoryHidesNoOther) {
  write("wrong.json", R"({"width": 0})");
  const Outcome outcome =
      run({"check", "--theory", "wrong.json", "my.json", "--seeds", "0..3", "--junit", "j.xml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.out, " depart; 1 config could not be checked\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.err, "wrong.json: /width")) << outcome.err;
  EXPECT_TRUE(has(read("j.xml"), "errors=\"1\"")) << read("j.xml");
}

TEST_F(Golden, TheVerdictsReplaceNoFileThatIsRead) {
  write("base.json", kConfig);
  write("my.json", R"({"extends": "base.json", "depth": 3})");
  bless();
  for (const char* file : {"my.json", "./base.json", "my.golden.json"}) {
    const std::string former = read(file);
    expect_error(run({"check", "my.json", "--junit", file}), {"--junit", file, "is to be read"});
    expect_error(run({"check", "--theory", "my.json", "--junit", file}), {"is to be read"});
    EXPECT_EQ(read(file), former);
  }
}

TEST_F(Golden, ComparesNoScores) {
  bless();
  scale("input_gradient_z", 2);
  const Outcome outcome = run({"check", "my.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST_F(Golden, ThatIsEmptyTornInterruptedOrForeignNeverPasses) {
  bless();
  const std::string good = read("my.golden.json");
  std::string part = good;
  part.replace(part.find("\"complete\": true"), 16, "\"complete\": false");
  for (const std::string& text : {std::string(), std::string("{}"), part, std::string(kConfig),
                                  good.substr(0, good.size() / 2)}) {
    write("my.golden.json", text);
    expect_error(run({"check", "my.json"}), {"my.golden.json"});
    expect_error(run({"check", "--bless", "my.json"}), {"my.golden.json", "remove it"});
    EXPECT_EQ(read("my.golden.json"), text);
  }
}

TEST_F(Golden, WithoutItsConfigNeverPasses) {
  ASSERT_EQ(run({"check", "--bless", "my.json"}).code, 0);
  change("\"config\":", "\"was\":");
  expect_error(run({"check", "my.json"}), {"my.golden.json", "no config", "--bless"});
}

TEST_F(Golden, ThatIsAskedForMustBeThere) {
  write("other.json", kWithFigure);
  EXPECT_EQ(run({"check", "other.json"}).code, 0);
  expect_error(run({"check", "--golden", "other.json"}), {"other.json: ", "no golden result"});
  expect_error(run({"check", "my.json"}), {"my.json: ", "no figures and has no golden"});
  expect_error(run({"check", "--golden", "relu-depth"}), {"no golden result"});
}

TEST_F(Golden, CannedExperimentsCannotBeBlessed) {
  expect_error(run({"check", "--bless", "relu-depth"}), {"relu-depth: ", "cannot be blessed"});
  expect_error(run({"check", "--bless"}), {"no config is named"});
  EXPECT_EQ(files(), std::vector<std::string>{"my.json"});
}

TEST_F(Golden, BlessingChecksAllBeforeItWritesAny) {
  write("wrong.json", R"({"width": 0})");
  expect_error(run({"check", "--bless", "my.json", "wrong.json"}), {"wrong.json: /width"});
  EXPECT_EQ(files(), (std::vector<std::string>{"my.json", "wrong.json"}));
}

// A shell's *.json brings the goldens along.
TEST_F(Golden, IsPassedOverWhereItsConfigIsNamedToo) {
  bless();
  for (const char* command : {"check", "run", "theory", "validate"}) {
    const Outcome outcome = run({command, "my.golden.json", "my.json"});
    EXPECT_EQ(outcome.code, 0) << command << outcome.err;
  }
  EXPECT_EQ(run({"check", "--bless", "my.golden.json", "my.json"}).code, 0);
  EXPECT_EQ(files(), (std::vector<std::string>{"my.golden.json", "my.json"}));
  EXPECT_EQ(run({"validate", "my.golden.json"}).code, 2);
}

TEST_F(Golden, FlagsThatMeanNothingTogetherAreRefused) {
  bless();
  expect_error(run({"check", "--bless", "my.json", "--junit", "j.xml"}), {"--bless"});
  expect_error(run({"check", "--bless", "my.json", "--golden"}), {"--bless"});
  expect_error(run({"check", "--theory", "my.json", "--bless"}), {"--theory"});
  expect_error(run({"check", "my.json", "--seeds", "0..1"}), {"--seeds"});
}

}  // namespace
}  // namespace sigstab::testing
