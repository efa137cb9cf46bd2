// Configs that are wrong: text, values, combinations, random streams, cases and sweeps. A case's
// place starts at /cases, a swept value's at /sweep/KEY/INDEX.

#include "bad_config.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sigstab {
namespace {

using testing::BadConfig;
using testing::check_all;

std::string torch(const std::string& fields) {
  return R"({"width": 4, "random": {"generator": "torch", )" + fields + "}}";
}

const BadConfig kMalformed[] = {
    {"empty file", "", "", "empty", "{\"depth\": 50}"},
    {"blanks", " \n ", "", "empty", "JSON object"},
    {"truncated", "{\"depth\": 5", ":1:12", "unexpected end of input", "brackets"},
    {"trailing comma", "{\"depth\": 5,}", ":1:13", "syntax error", "commas"},
    {"text after", "{} x", ":1:4", "syntax error", "one JSON value"},
    {"single quotes", "{'depth': 5}", ":1:2", "syntax error", "quotes"},
    {"comment", "// depth\n{}", ":1:1", "syntax error", "check"},
    {"nan", "{\"depth\": NaN}", ":1:11", "syntax error", "check"},
    {"broken UTF-8", "{\"title\": \"\xff\"}", ":1:12", "UTF-8", "check"},
    {"huge number", "{\"init\": {\"gain\": 1e999}}", ": /init/gain", "1e999", "double"},
    {"array", "[]", "", "expected a JSON object, got [] (array)", "depth"},
    {"number", "5", "", "expected a JSON object", "depth"},
    {"deep", "{\"a\":" + std::string(70, '[') + std::string(70, ']') + "}",
     ": /a" +
         [] {
           std::string p;
           for (int i = 0; i < 63; ++i) p += "/0";
           return p;
         }(),
     "deeper than 64", "no config needs"},
    {"duplicate key", R"({"depth": 5, "depth": 6})", ": /depth", "duplicate", "keep one"},
    {"duplicate nested", R"({"norm": {"eps": 1, "eps": 1}})", ": /norm/eps", "duplicate", "eps"},
    {"duplicate in case", R"({"cases": [{"name": "a", "name": "b"}]})", ": /cases/0/name",
     "duplicate", "keep one"},
};

const BadConfig kValues[] = {
    {"integer as text", R"({"depth": "64"})", ": /depth",
     "expected an integer in [1, 100000], got \"64\" (string)", "without quotes"},
    {"fraction", R"({"width": 3.7})", ": /width", "integer & [1, 1048576] & 3.7", ""},
    {"whole float", R"({"width": 64.0})", ": /width", "integer & 64.0", ""},
    {"zero", R"({"tokens": 0})", ": /tokens", "integer & got 0", ""},
    {"negative", R"({"depth": -1})", ": /depth", "integer & got -1", ""},
    {"huge depth", R"({"depth": 100001})", ": /depth", "100000] & 100001", ""},
    {"huge width", R"({"width": 1099511627776})", ": /width", "1048576] & 1099511627776", ""},
    {"beyond int64", R"({"width": 18446744073709551615})", ": /width", "18446744073709551615", ""},
    {"beyond uint64", R"({"width": 18446744073709551616})", ": /width", "integer", ""},
    {"boolean number", R"({"depth": true})", ": /depth", "true (boolean)", ""},
    {"list number", R"({"depth": [6, 12]})", ": /depth", "[6,12] (array)", ""},
    {"number for object", R"({"activation": 5})", ": /activation", "a name or an object & 5",
     "kind"},
    {"list for object", R"({"init": ["he"]})", ": /init", "a name or an object", "kind"},
    {"kind of wrong type", R"({"init": {"kind": 5}})", ": /init/kind", "got 5", "quotes"},
    {"negative eps", R"({"norm": {"kind": "rmsnorm", "eps": -1}})", ": /norm/eps", ">= 0 & -1", ""},
    {"negative gain", R"({"init": {"gain": -1}})", ": /init/gain", ">= 0 & -1", ""},
    {"negative spread", R"({"input": {"spread": -0.1}})", ": /input/spread", ">= 0 & -0.1", ""},
    {"spread as text", R"({"init": {"kind": "normal", "spread": "0.1"}})", ": /init/spread",
     "number & \"0.1\"", "without quotes"},
    {"final as number", R"({"norm": {"kind": "rmsnorm", "final": 1}})", ": /norm/final",
     "true or false & 1", "quotes"},
    {"title as number", R"({"title": 5})", ": /title", "expected text", "quotes"},
    {"unknown key", R"({"wdith": 4})", ": /wdith", "unknown key \"wdith\"",
     "did you mean \"width\""},
    {"unknown nested key", R"({"norm": {"esp": 1}})", ": /norm/esp", "\"esp\"",
     "did you mean \"eps\""},
    {"far key", R"({"learning_rate": 1})", ": /learning_rate", "unknown key", "known: name"},
    {"upper case key", R"({"Depth": 4})", ": /Depth", "unknown key", "did you mean \"depth\""},
    {"activation name", R"({"activation": "rellu"})", ": /activation", "\"rellu\"",
     "did you mean \"relu\""},
    {"init name", R"({"init": "xaver"})", ": /init", "\"xaver\"", "did you mean \"xavier\""},
    {"norm name", R"({"norm": {"kind": "layer_norm"}})", ": /norm/kind", "layer_norm",
     "did you mean \"layernorm\""},
    {"residual name", R"({"residual": "gtp2"})", ": /residual", "gtp2", "did you mean \"gpt2\""},
    {"layer name", R"({"layer": "conv"})", ": /layer", "conv", "known: dense, mlp"},
    {"dtype name", R"({"dtype": "float23"})", ": /dtype", "float23", "did you mean \"float32\""},
    {"generator name", R"({"random": "nunpy"})", ": /random", "nunpy", "did you mean \"numpy\""},
    {"experiment name", R"({"experiment": "dept"})", ": /experiment", "dept",
     "did you mean \"depth\""},
    {"experiment type", R"({"experiment": 5})", ": /experiment", "5 (number)", "known: & depth"},
    {"other kind's key", R"({"experiment": "norm_arithmetic", "width": 4})", ": /width",
     "unknown key", "known"},
    {"other row's parameter", R"({"activation": {"kind": "relu", "alpha": 1}})",
     ": /activation/alpha", "\"alpha\" of kind \"relu\"", "known: kind"},
    {"classes 1", R"({"upstream": {"kind": "cross_entropy", "classes": 1}})", ": /upstream/classes",
     "[2, 1048576], got 1", ""},
    {"classes missing", R"({"upstream": "cross_entropy"})", ": /upstream", "\"classes\" is missing",
     "add \"classes\""},
};

const BadConfig kCombinations[] = {
    {"hidden with dense", R"({"layer": {"hidden": 8}})", ": /layer/hidden", "dense", "mlp"},
    {"sub with dense", R"({"norm": {"kind": "rmsnorm", "placement": "sub"}, "residual": "plain"})",
     ": /norm/placement", "sub", "mlp"},
    {"sandwich alone", R"({"norm": {"kind": "rmsnorm", "placement": "sandwich"}})",
     ": /norm/placement", "\"sandwich\" needs a residual", "plain"},
    {"reordered alone", R"({"norm": {"kind": "rmsnorm", "placement": "reordered"}})",
     ": /norm/placement", "\"reordered\" needs a residual", "plain"},
    {"sub alone", R"({"layer": "mlp", "norm": {"kind": "rmsnorm", "placement": "sub"}})",
     ": /norm/placement", "\"sub\" needs a residual", "plain"},
    {"placement without norm", R"({"norm": {"placement": "pre"}})", ": /norm/placement", "no norm",
     "name a norm"},
    {"final without norm", R"({"norm": {"final": true}})", ": /norm/final", "no norm",
     "name a norm"},
    {"skip without residual", R"({"residual": {"skip": 2}})", ": /residual/skip",
     "without a residual", "plain"},
    {"branch without residual", R"({"residual": {"scheme": "none", "branch": 2}})",
     ": /residual/branch", "without a residual", "plain"},
    {"normal without spread", R"({"init": "normal"})", ": /init", "needs \"spread\"",
     "add \"spread\""},
    {"uniform without limit", R"({"init": {"kind": "uniform"}})", ": /init", "needs \"limit\"",
     "add \"limit\""},
    {"spread of he", R"({"init": {"kind": "he", "spread": 1}})", ": /init/spread",
     "\"spread\" of kind \"he\"", "gain"},
    {"mode of normal", R"({"init": {"kind": "normal", "spread": 1, "mode": "fan_in"}})",
     ": /init/mode", "\"normal\" has no mode", "he or lecun"},
    {"mode of torch_default", R"({"init": {"kind": "torch_default", "mode": "fan_out"}})",
     ": /init/mode", "\"torch_default\" has no mode", "remove"},
    {"mode name", R"({"init": {"kind": "he", "mode": "fan_it"}})", ": /init/mode", "fan_it",
     "did you mean \"fan_in\""},
    {"matrix of another layer", R"({"init": {"W1": "he"}})", ": /init/W1", "no matrix \"W1\"", "W"},
    {"matrix of a matrix", R"({"layer": "mlp", "init": {"W1": {"W2": "he"}}})", ": /init/W1/W2",
     "matri", "remove"},
    {"values too short", R"({"width": 3, "input": {"values": [1, 2]}})", ": /input/values",
     "tokens x width = 3 & got 2", "tokens or width"},
    {"values of text", R"({"width": 1, "input": {"values": ["1"]}})", ": /input/values/0", "number",
     "without quotes"},
    {"no values", R"({"input": {"values": []}})", ": /input/values", "list of numbers", "["},
    {"values and spread", R"({"width": 1, "input": {"values": [1], "spread": 2}})",
     ": /input/spread", "not drawn", "remove"},
    {"values of normal", R"({"width": 1, "input": {"kind": "normal", "values": [1]}})",
     ": /input/values", "drawn", "values"},
    {"values missing", R"({"input": "values"})", ": /input", "\"values\" is missing",
     "add \"values\""},
    {"classes of normal", R"({"upstream": {"classes": 5}})", ": /upstream/classes", "cross_entropy",
     "cross_entropy"},
    {"head of none", R"({"upstream": {"kind": "none", "head": "he"}})", ": /upstream/head",
     "cross_entropy", "cross_entropy"},
};

const BadConfig kRandom[] = {
    {"shared under philox", R"({"random": {"shared": []}})", ": /random/shared", "philox", "torch"},
    {"reseed under philox", R"({"random": {"reseed": true}})", ": /random/reseed", "philox",
     "torch"},
    {"layout under philox", R"({"random": {"layout": "in_out"}})", ": /random/layout", "philox",
     "torch"},
    {"item twice", torch(R"("each": ["input", "weights", "input"])"), ": /random/each/2",
     "listed twice", "once"},
    {"item unknown", torch(R"("each": ["input", "wieghts"])"), ": /random/each/1", "wieghts",
     "did you mean \"weights\""},
    {"item twice in shared", torch(R"("shared": ["weights", "weights"])"), ": /random/shared/1",
     "listed twice", "once"},
    {"item in both", torch(R"("shared": ["input"], "each": ["input", "weights"])"),
     ": /random/each", "\"input\" is in shared as well", "one of the two"},
    {"no weights", torch(R"("each": ["input"])"), ": /random/each", "\"weights\" is never drawn",
     "random.each"},
    {"no input", torch(R"("each": ["weights"])"), ": /random/each", "\"input\" is never drawn",
     "random.each"},
    {"useless item", torch(R"("each": ["input", "weights", "head"])"), ": /random/each/2",
     "does not draw \"head\"", "remove"},
    {"each is text", torch(R"("each": "input")"), ": /random/each", "list of names", "["},
    {"seed above 2^64 of torch", torch(R"("seed": "18446744073709551616")"), ": /random/seed",
     "torch takes & 18446744073709551615] & got 18446744073709551616", "numpy"},
    {"seed above 2^64 of philox", R"({"random": {"seed": "18446744073709551616"}})",
     ": /random/seed", "philox takes", "numpy"},
    {"seed too large for a number", R"({"random": {"seed": 18446744073709551616}})",
     ": /random/seed", "non-negative integer", "in quotes"},
    {"negative seed", R"({"random": {"seed": -1}})", ": /random/seed", "non-negative & -1", ""},
    {"seed with a fraction", R"({"random": {"seed": 1.5}})", ": /random/seed", "non-negative & 1.5",
     ""},
    {"seed in words", R"({"random": {"seed": "one"}})", ": /random/seed", "\"one\"", ""},
    {"seeds and seed", R"({"seeds": [1], "random": {"seed": 2}})", ": /seeds", "random.seed",
     "keep one"},
    {"seeds and a case's seed",
     R"({"seeds": [1], "cases": [{"name": "a", "random": {"seed": 2}}]})", ": /seeds",
     "random.seed", "keep one"},
    {"seeds and swept seeds", R"({"seeds": [1], "sweep": {"random.seed": [1, 2]}})", ": /seeds",
     "random.seed", "keep one"},
    {"no seeds", R"({"seeds": []})", ": /seeds", "list of seeds", "[0, 1, 2]"},
    {"seeds a number", R"({"seeds": 5})", ": /seeds", "list of seeds, got 5", "count"},
    {"repeated seeds", R"({"seeds": [0, 1, "00"]})", ": /seeds/2", "seed 0 is listed twice",
     "once"},
    {"negative in seeds", R"({"seeds": [0, -1]})", ": /seeds/1", "non-negative", ""},
    {"seeds out of range", R"({"seeds": [0, "99999999999999999999"]})", ": /seeds",
     "philox takes & 99999999999999999999", "numpy"},
    {"count 0", R"({"seeds": {"from": 0, "count": 0}})", ": /seeds/count", "integer & got 0", ""},
    {"count missing", R"({"seeds": {"from": 0}})", ": /seeds", "\"count\" is missing", "count"},
    {"unknown in seeds", R"({"seeds": {"start": 0, "count": 2}})", ": /seeds/start", "unknown key",
     "known: from, count"},
    {"seeds where nothing is drawn", R"({"experiment": "norm_arithmetic", "seeds": [1]})",
     ": /seeds", "draws nothing", "remove"},
    {"shared of other shapes", R"({"depth": 2, "sweep": {"width": [2, 3]},
        "random": {"generator": "torch", "shared": ["weights"]}})",
     ": /random/shared", "\"weights\" & width=3", "random.each"},
};

const BadConfig kCasesAndSweeps[] = {
    {"cases an object", R"({"cases": {"a": {}}})", ": /cases", "list of named objects", "\"name\""},
    {"no cases", R"({"cases": []})", ": /cases", "list of named objects, got []", "\"name\""},
    {"case a string", R"({"cases": ["a"]})", ": /cases/0", "expected an object, got \"a\"", "name"},
    {"case without name", R"({"cases": [{"name": "a"}, {"depth": 5}]})", ": /cases/1",
     "needs a name", "add \"name\""},
    {"case with empty name", R"({"cases": [{"name": ""}]})", ": /cases/0", "needs a name", "add"},
    {"case named by number", R"({"cases": [{"name": 5}]})", ": /cases/0", "needs a name", "add"},
    {"two of one name", R"({"cases": [{"name": "a"}, {"name": "a"}]})", ": /cases/1/name",
     "two cases \"a\"", "its own name"},
    {"case with cases", R"({"cases": [{"name": "a", "cases": []}]})", ": /cases/0",
     "a case cannot change \"cases\"", "top of the file"},
    {"wrong value in a case", R"({"cases": [{"name": "a"}, {"name": "b", "depth": 0}]})",
     ": /cases/1/depth", "got 0", ""},
    {"wrong only with the base",
     R"({"layer": {"kind": "mlp", "hidden": 8}, "cases": [{"name": "a", "layer": {"kind": "dense"}}]})",
     ": /layer/hidden", "dense", "mlp"},
    {"sweep a list", R"({"sweep": [1]})", ": /sweep", "object of lists", "{\"depth\""},
    {"sweep of one value", R"({"sweep": {"depth": 6}})", ": /sweep/depth", "list of values, got 6",
     "{\"depth\""},
    {"sweep of nothing", R"({"sweep": {"depth": []}})", ": /sweep/depth", "list of values, got []",
     "["},
    {"repeated value", R"({"sweep": {"depth": [6, 12, 6]}})", ": /sweep/depth/2",
     "6 (number) is listed twice", "once"},
    {"swept key unknown", R"({"sweep": {"dpeth": [6]}})", ": /sweep/dpeth/0: /dpeth", "unknown key",
     "did you mean \"depth\""},
    {"swept value wrong", R"({"sweep": {"norm.eps": [1, -1]}, "norm": "rmsnorm"})",
     ": /sweep/norm.eps/1: /norm/eps", ">= 0", ""},
    {"sweep of cases", R"({"sweep": {"cases": [[]]}})", ": /sweep/cases", "a sweep cannot change",
     "top"},
    {"sweep and case", R"({"sweep": {"depth": [1, 2]}, "cases": [{"name": "a", "depth": 3}]})",
     ": /cases/0", "the sweep sets \"depth\" as well", "keep one"},
    {"sweep overruled", R"({"sweep": {"norm.eps": [1, 2], "norm": ["rmsnorm", "layernorm"]}})",
     ": /sweep/norm", "overrule & norm.eps", "before \"norm.eps\""},
    {"too deep a key", R"({"sweep": {"a.b.c.d.e.f.g.h.i.j.k": [1]}})",
     ": /sweep/a.b.c.d.e.f.g.h.i.j.k", "deep", "norm.placement"},
    {"too many results",
     R"({"seeds": {"count": 1001}, "sweep": {"depth": [1,2,3,4,5,6,7,8,9,10], "width": [1,2,3,4,5,6,7,8,9,10], "tokens": [1,2,3,4,5,6,7,8,9,10]}})",
     "", "1001000, above 1000000", "part"},
};

TEST(BadConfig, MalformedTextIsRefused) { check_all(kMalformed); }
TEST(BadConfig, WrongValuesAreRefused) { check_all(kValues); }
TEST(BadConfig, CombinationsThatMeanNothingAreRefused) { check_all(kCombinations); }
TEST(BadConfig, RandomStreamsThatCannotBeAreRefused) { check_all(kRandom); }
TEST(BadConfig, WrongCasesAndSweepsAreRefused) { check_all(kCasesAndSweeps); }

// What looks odd and is right.
TEST(GoodConfig, IsAccepted) {
  for (
      const char* text :
      {R"({"norm": {"kind": "none", "eps": 3}})",
       R"({"norm": {"kind": "rmsnorm", "placement": "none", "final": true}})",
       R"({"norm": {"placement": "none"}})",
       R"({"init": {"kind": "xavier_uniform", "mode": "fan_out"}})",
       R"({"random": {"each": ["weights", "input"]}})",
       R"({"depth": 3, "report": {"layers": ["last", 3, 1], "line": "{{}} {forward_rms[last]:.3f}"}})",
       R"({"seeds": ["18446744073709551615"]})", R"({"width": 1, "depth": 1, "tokens": 1})",
       R"({"sweep": {"init.gain": [1, 0.5]}, "expect": [{"id": "a", "point": {"init.gain": 1.0},
              "column": "output_rms", "near": 1, "rel": 9}]})"}) {
    const auto error = testing::plan_error(text);
    EXPECT_FALSE(error.has_value()) << text << "\n" << error->what();
  }
}

}  // namespace
}  // namespace sigstab
