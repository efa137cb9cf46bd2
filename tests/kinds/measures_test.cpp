// What a kind says that it measures, against what its cases produce: lists and docs are made from
// the one, reports from the other.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "config/canned.hpp"
#include "config/read_config.hpp"
#include "kinds/kind.hpp"
#include "run/plan.hpp"

namespace sigstab {
namespace {

// Beside the experiments that come with sigstab: cases that have what none of those has.
constexpr const char* kFurther[] = {
    R"({"layer": "mlp", "activation": "swiglu", "norm": "layernorm", "residual": "plain", "tokens": 2})",
    R"({"upstream": {"kind": "cross_entropy", "classes": 3}, "tokens": 2, "layer": "mlp"})",
    R"({"experiment": "compounding", "gain": 2})",
    R"({"experiment": "init_spreads", "init": "he_uniform"})",
};

// A matrix's own column belongs to the measure before the dot.
std::string measure_of(const std::string& name) { return name.substr(0, name.find('.')); }

using Produced = std::map<std::string_view, std::set<std::string>>;

void add_names(std::string_view text, const std::string& file, Produced& produced) {
  const Config whole = read_config(text, file, {});
  for (const CaseConfig& one : case_configs(whole)) {
    const Config config = read_config(one.config, file, {});
    const ObjectReader reader(*config.base, config.keys->table(), config.place());
    const CaseResult shape = config.kind->read(reader)->shape();
    std::set<std::string>& names = produced[config.kind->name];
    for (const Column& column : shape.columns) names.insert(measure_of(column.name));
    for (const NamedScalar& scalar : shape.scalars) names.insert(scalar.name);
  }
}

TEST(Measures, AreWhatTheCasesOfTheirKindProduce) {
  Produced produced;
  for (const CannedConfig& canned : canned_configs()) {
    add_names(canned.text, std::string(canned.name), produced);
  }
  for (const char* text : kFurther) add_names(text, "further.json", produced);
  for (const Kind* kind : all_kinds()) {
    SCOPED_TRACE(std::string(kind->name));
    std::set<std::string> declared;
    for (const Measure& measure : kind->measures()) {
      EXPECT_TRUE(declared.insert(std::string(measure.name)).second) << measure.name << " twice";
      EXPECT_FALSE(measure.help.empty()) << measure.name;
      EXPECT_TRUE(produced[kind->name].contains(std::string(measure.name)))
          << measure.name << " is declared, and no case produces it";
    }
    for (const std::string& name : produced[kind->name]) {
      EXPECT_TRUE(declared.contains(name)) << name << " is produced and not declared";
    }
  }
}

}  // namespace
}  // namespace sigstab
