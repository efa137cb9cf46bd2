// Configs that extend others: what is handed on, what replaces, and where an error is told.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "config/config_defaults.hpp"
#include "config/read_config.hpp"
#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using Files = std::map<std::string, std::string>;

ConfigChain chain_of(const Files& files, const std::string& first) {
  const auto load = [&](const std::string& name, const std::string&) -> NamedText {
    const auto found = files.find(name);
    if (found == files.end()) throw Error(name, "there is none");
    return {name, found->second};
  };
  return read_chain({first, files.at(first)}, load);
}

Config config_of(const Files& files, const Overrides& overrides = {}) {
  return read_config(chain_of(files, "my.json"), overrides);
}

Json base_of(const Files& files) { return *config_of(files).base; }

std::string where(const Files& files, const Overrides& overrides = {}) {
  const auto error = testing::error_of([&] { make_plan(config_of(files, overrides)); });
  return error ? error->where() : "no error";
}

TEST(Extends, ChangesSingleFieldsOfObjects) {
  EXPECT_EQ(base_of({{"my.json", R"({"extends": "b", "norm": {"eps": 0.1}, "depth": 7})"},
                     {"b", R"({"width": 4, "depth": 3, "norm": "layernorm"})"}}),
            Json::parse(R"({"width": 4, "depth": 7, "norm": {"kind": "layernorm", "eps": 0.1}})"));
}

TEST(Extends, AStringReplacesAndNullRestoresTheDefault) {
  EXPECT_EQ(base_of({{"my.json", R"({"extends": "b", "norm": "rmsnorm", "depth": null})"},
                     {"b", R"({"depth": 3, "norm": {"kind": "layernorm", "eps": 0.1}})"}}),
            Json::parse(R"({"norm": {"kind": "rmsnorm"}})"));
}

TEST(Extends, ListsAndGridsReplaceWhole) {
  EXPECT_EQ(base_of({{"my.json", R"({"extends": "b", "cases": [{"name": "x"}],
                                     "sweep": {"width": [4]}, "seeds": {"count": 2}})"},
                     {"b", R"({"cases": [{"name": "y"}, {"name": "z"}],
                               "sweep": {"depth": [1, 2]}, "seeds": {"from": 5, "count": 9}})"}}),
            Json::parse(R"({"cases": [{"name": "x"}], "sweep": {"width": [4]},
                            "seeds": {"count": 2}})"));
}

TEST(Extends, NullTakesAwayAnInheritedGrid) {
  const Config config = config_of({{"my.json", R"({"extends": "b", "sweep": null, "depth": 5})"},
                                   {"b", R"({"sweep": {"depth": [1, 2]}})"}});
  EXPECT_TRUE(config.sweep.empty());
}

TEST(Extends, WhatDescribesAFileStaysWithIt) {
  const Files files = {
      {"my.json", R"({"extends": "b", "$schema": "s.json"})"},
      {"b", R"({"width": 4, "depth": 1, "name": "n", "title": "t", "source": "s", "about": "a",
                "expect": [{"id": "e", "layer": 1, "column": "forward_rms", "below": 1}]})"}};
  const Config config = config_of(files);
  EXPECT_EQ(config.name, "my");
  EXPECT_EQ(config.title + config.source + config.about, "");
  EXPECT_EQ(*config.base, Json::parse(R"({"width": 4, "depth": 1})"));
  EXPECT_TRUE(make_plan(config).expectations.empty());
}

TEST(Extends, OwnFiguresAreExpected) {
  const Plan plan = make_plan(config_of({{"my.json", R"({"extends": "b", "depth": 2,
                       "expect": [{"id": "e", "layer": 2, "column": "forward_rms", "below": 9}]})"},
                                         {"b", R"({"width": 4, "depth": 1})"}}));
  EXPECT_EQ(plan.expectations.size(), 1U);
}

TEST(Extends, TheKindIsInheritedAndCanChange) {
  const Files files = {{"my.json", R"({"extends": "b"})"},
                       {"b", R"({"experiment": "norm_arithmetic"})"}};
  EXPECT_EQ(config_of(files).kind->name, "norm_arithmetic");
  Files other = files;
  other["my.json"] = R"({"extends": "b", "experiment": null})";
  EXPECT_EQ(config_of(other).kind->name, "depth");
}

TEST(Extends, AnErrorNamesTheFileThatWroteTheValue) {
  const std::string good = R"({"extends": "b.json", "depth": 3})";
  EXPECT_EQ(where({{"my.json", good}, {"b.json", R"({"width": "x"})"}}), "b.json: /width");
  EXPECT_EQ(where({{"my.json", good}, {"b.json", R"({"norm": {"kind": "rmsnorm", "eps": -1}})"}}),
            "b.json: /norm/eps");
  EXPECT_EQ(where({{"my.json", R"({"extends": "b.json", "norm": {"eps": -1}})"},
                   {"b.json", R"({"norm": "rmsnorm"})"}}),
            "my.json: /norm/eps");
  EXPECT_EQ(where({{"my.json", good}, {"b.json", R"({"cases": [{"name": "a", "width": 0}]})"}}),
            "b.json: /cases/0/width");
  EXPECT_EQ(where({{"my.json", good}, {"b.json", R"({"sweep": {"width": [4, 0]}})"}}),
            "b.json: /sweep/width/1: /width");
  EXPECT_EQ(where({{"my.json", good}, {"b.json", R"({"wdth": 4})"}}), "b.json: /wdth");
  EXPECT_EQ(where({{"my.json", good}, {"b.json", R"({"width": 4})"}}, {{"width=0"}, {}, {}}),
            "--set: /width");
}

TEST(Extends, AnErrorOfTheStreamNamesTheFileThatWroteIt) {
  EXPECT_EQ(where({{"my.json", R"({"extends": "b.json", "depth": 3})"},
                   {"b.json", R"({"width": 4, "seeds": ["99999999999999999999"],
                                  "random": {"generator": "torch",
                                             "each": ["input", "weights"]}})"}}),
            "b.json: /seeds");
}

TEST(Extends, ReachesOverSeveralFiles) {
  const Files files = {{"my.json", R"({"extends": "b", "depth": 2})"},
                       {"b", R"({"extends": "c", "width": 8, "depth": 3})"},
                       {"c", R"({"width": 4, "tokens": 2, "norm": {"eps": -1}})"}};
  EXPECT_EQ(base_of(files),
            Json::parse(R"({"width": 8, "tokens": 2, "norm": {"eps": -1}, "depth": 2})"));
  EXPECT_EQ(where(files), "c: /norm/eps");
}

TEST(Extends, APathIsRelativeToTheFileThatSaysIt) {
  const auto file_of = [](const std::string& first, const std::string& base,
                          const std::string& path) {
    const Files files = {{first, R"({"extends": ")" + base + R"(", "cases": null})"},
                         {base, R"({"init": {"kind": "checkpoint", "file": ")" + path + R"("}})"}};
    const Config config = read_config(chain_of(files, first), {});
    return (*config.base)["init"]["file"].get<std::string>();
  };
  EXPECT_EQ(file_of("my.json", "b.json", "m.safetensors"), "m.safetensors");
  EXPECT_EQ(file_of("my.json", "deep/b.json", "m.safetensors"), "deep/m.safetensors");
  EXPECT_EQ(file_of("mine/my.json", "b.json", "m.safetensors"), "../m.safetensors");
  EXPECT_EQ(file_of("mine/my.json", "mine/deep/b.json", "../m.safetensors"), "m.safetensors");
  EXPECT_EQ(file_of("../a/my.json", "../b.json", "m.safetensors"), "../m.safetensors");
  EXPECT_EQ(file_of("my.json", "/base/b.json", "m.safetensors"), "/base/m.safetensors");
  EXPECT_EQ(file_of("my.json", "deep/b.json", "/m.safetensors"), "/m.safetensors");
}

TEST(Extends, APathInASweepIsRelativeToTheFileThatSaysIt) {
  const Files files = {{"my.json", R"({"extends": "deep/b.json"})"},
                       {"deep/b.json", R"({"init": {"kind": "checkpoint", "tensors": "w.{layer}"},
                         "sweep": {"init.file": ["m.safetensors", "/n.safetensors"]}})"}};
  const Config config = config_of(files);
  ASSERT_EQ(config.sweep.size(), 1u);
  EXPECT_EQ(config.sweep[0].patches[0].patch->dump(), R"({"init":{"file":"deep/m.safetensors"}})");
  EXPECT_EQ(config.sweep[0].patches[1].patch->dump(), R"({"init":{"file":"/n.safetensors"}})");
}

TEST(Extends, AResultIsNoConfig) {
  const auto error = testing::error_of([] {
    chain_of({{"r.json", R"({"schema": 1, "experiment": "x", "kind": "depth", "cases": []})"}},
             "r.json");
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "r.json");
  EXPECT_NE(error->message().find("result"), std::string::npos);
}

TEST(Extends, ACycleIsToldWithItsChain) {
  const Files files = {{"my.json", R"({"extends": "b"})"},
                       {"b", R"({"extends": "c"})"},
                       {"c", R"({"extends": "b"})"}};
  const auto error = testing::error_of([&] { chain_of(files, "my.json"); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->where(), "c: /extends");
  EXPECT_EQ(error->message(), "it extends itself: my.json -> b -> c -> b");
}

TEST(Extends, SixteenFilesAreAllowedAndSeventeenAreNot) {
  Files files = {{"f16", "{}"}};
  for (int i = 1; i < 16; ++i) {
    files["f" + std::to_string(i)] = R"({"extends": "f)" + std::to_string(i + 1) + R"("})";
  }
  EXPECT_EQ(chain_of(files, "f1").size(), 16U);
  files["f0"] = R"({"extends": "f1"})";
  const auto error = testing::error_of([&] { chain_of(files, "f0"); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->where(), "f15: /extends");
  EXPECT_NE(error->message().find("more than 16 files: f0 -> f1 -> "), std::string::npos);
}

TEST(Extends, AMissingFileIsToldWhereItIsNamed) {
  EXPECT_EQ(where({{"my.json", R"({"extends": "nowhere"})"}}), "my.json: /extends");
  EXPECT_EQ(where({{"my.json", R"({"extends": ["b"]})"}}), "my.json: /extends");
  EXPECT_EQ(where({{"my.json", R"({"$schema": 1})"}}), "my.json: /$schema");
  EXPECT_EQ(where({{"my.json", R"({"extends": "b"})"}, {"b", "[]"}}), "b");
}

TEST(Extends, AChangeInVainIsAnError) {
  const std::string sweep = R"({"sweep": {"depth": [1, 2], "norm": ["layernorm", "rmsnorm"]}})";
  EXPECT_EQ(where({{"my.json", R"({"extends": "b", "depth": 5})"}, {"b", sweep}}),
            "my.json: /depth");
  EXPECT_EQ(where({{"my.json", R"({"extends": "b", "norm": {"eps": 1}})"}, {"b", sweep}}),
            "my.json: /norm/eps");
  const std::string cases = R"({"width": 4, "depth": 1,
      "cases": [{"name": "a", "init": "he"}, {"name": "b", "init": {"kind": "lecun"}}]})";
  EXPECT_EQ(where({{"my.json", R"({"extends": "b", "init": "xavier"})"}, {"b", cases}}),
            "my.json: /init");
  // The second case keeps this one.
  EXPECT_EQ(where({{"my.json", R"({"extends": "b", "init": {"gain": 2}})"}, {"b", cases}}),
            "no error");
  // Cases of its own may all change what it says first.
  EXPECT_EQ(where({{"my.json", R"({"extends": "b", "width": 4, "depth": 2, "init": "xavier",
                                   "cases": [{"name": "a", "init": "he"}]})"},
                   {"b", cases}}),
            "no error");
}

TEST(Extends, AnInheritedReportForLayersThatAreGoneFallsBack) {
  const std::string base = R"({"width": 4, "depth": 9, "report": {"layers": [1, 9]}})";
  EXPECT_EQ(where({{"my.json", R"({"extends": "b", "depth": 3})"}, {"b", base}}), "no error");
  EXPECT_EQ(where({{"my.json", R"({"extends": "b", "depth": 3, "report": {"layers": [4]}})"},
                   {"b", base}}),
            "my.json: /report/layers/0");
}

TEST(Extends, TheCommandLineCannotSetIt) {
  EXPECT_EQ(where({{"my.json", "{}"}}, {{"extends=relu-depth"}, {}, {}}), "--set extends");
}

TEST(Extends, ATextWithoutFilesExtendsCannedExperiments) {
  const Config config = read_config(R"({"extends": "relu-depth"})", "my.json", {});
  EXPECT_EQ(config.cases.size(), 2U);
  EXPECT_EQ(config.cases[1].prefix, "relu-depth: /cases/1");
}

TEST(Extends, WhatIsResolvedStandsAlone) {
  const Config config = config_of({{"my.json", R"({"extends": "b", "depth": 2})"},
                                   {"b", R"({"width": 8, "norm": "rmsnorm"})"}});
  const std::string resolved = resolved_text(config);
  EXPECT_EQ(resolved_text(read_config(resolved, "other.json", {})), resolved);
  EXPECT_FALSE(Json::parse(resolved).contains("extends"));
}

}  // namespace
}  // namespace sigstab
