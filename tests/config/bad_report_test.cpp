// Configs whose reports, lines of text or expected figures cannot be made from their results.

#include "support/bad_config.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sigstab {
namespace {

using testing::BadConfig;
using testing::check_all;

std::string line(const std::string& text) {
  return R"({"width": 4, "depth": 3, "report": {"line": ")" + text + "\"}}";
}
std::string expecting(const std::string& entry) {
  return R"({"width": 4, "depth": 3, "expect": [)" + entry + "]}";
}
const BadConfig kReports[] = {
    {"row 0", R"({"report": {"layers": [0]}})", ": /report/layers/0", "row, got 0", "[1, 50]"},
    {"row past the end", R"({"depth": 4, "report": {"layers": [1, 5]}})", ": /report/layers/1",
     "row, got 5", "[1, 4]"},
    {"rows a word", R"({"report": {"layers": "some"}})", ": /report/layers", "list of rows",
     "\"all\""},
    {"no rows", R"({"report": {"layers": []}})", ": /report/layers", "list of rows", "\"last\""},
    {"row a fraction", R"({"report": {"layers": [1.5]}})", ": /report/layers/0", "1.5", "numbers"},
    {"row past a swept depth", R"({"sweep": {"depth": [9, 3]}, "report": {"layers": [9]}})",
     ": /report/layers/0", "row, got 9", "[1, 3]"},
    {"rows of another kind", R"({"experiment": "norm_arithmetic", "report": {"layers": [1]}})",
     ": /report/layers", "unknown key", "entries"},
    {"unknown column", R"({"report": {"columns": ["forward_rsm"]}})", ": /report/columns/0",
     "forward_rsm", "did you mean \"forward_rms\""},
    {"column of another layer", R"({"report": {"columns": ["weight_gradient_rms.W1"]}})",
     ": /report/columns/0", "W1", "weight_gradient_rms.W"},
    {"gradient without upstream",
     R"({"upstream": "none", "report": {"columns": ["gradient_rms"]}})", ": /report/columns/0",
     "gradient_rms", "it needs a gradient"},
    {"cosine of one token", R"({"report": {"columns": ["cosine"]}})", ": /report/columns/0",
     "no \"cosine\"", "it needs an even number of tokens"},
    {"no matrix named", R"({"report": {"columns": ["weight_gradient_rms"]}})",
     ": /report/columns/0", "weight_gradient_rms", "weight_gradient_rms.W; its matrices: W"},
    {"a scalar as a column", R"({"report": {"columns": ["output_rms"]}})", ": /report/columns/0",
     "output_rms", "one number a case"},
    {"columns twice", R"({"report": {"columns": ["forward_rms", "forward_rms"]}})",
     ": /report/columns/1", "listed twice", "once"},
    {"statistics of each seed",
     R"({"seeds": [0, 1], "report": {"each_seed": true, "statistics": ["mean"]}})",
     ": /report/statistics", "themselves", "remove"},
    {"columns a word", R"({"report": {"columns": "forward_rms"}})", ": /report/columns", "list",
     "["},
    {"report a list", R"({"report": []})", ": /report", "expected an object", "layers"},
    {"report a word", R"({"report": "all"})", ": /report", "expected an object", "layers"},
    {"line a number", R"({"report": {"line": 5}})", ": /report/line", "expected text", "quotes"},
    {"open brace", line("a {name"), ": /report/line", "without its \"}\"", "{{"},
    {"closing brace", line("a } b"), ": /report/line", "without its \"{\"", "}}"},
    {"empty placeholder", line("{}"), ": /report/line", "empty placeholder", "{column[row]}"},
    {"unknown value", line("{output_rsm}"), ": /report/line", "output_rsm",
     "did you mean \"output_rms\""},
    {"unknown column in line", line("{backward[1]}"), ": /report/line", "backward", "forward_rms"},
    {"row 0 in line", line("{forward_rms[0]}"), ": /report/line", "[0]", "from 1"},
    {"row past the end in line", line("{forward_rms[4]}"), ": /report/line", "there are 3 rows",
     "[1, 3]"},
    {"row a word in line", line("{forward_rms[end]}"), ": /report/line", "[end]", "last"},
    {"no closing bracket", line("{forward_rms[1:.3g}"), ": /report/line", "lacks a \"]\"",
     "{column[row]}"},
    {"scalar as column", line("{output_rms[1]}"), ": /report/line", "output_rms", "forward_rms"},
    {"bad spec", line("{output_rms:.3q}"), ": /report/line", ".3q", "[.precision]"},
    {"spec of text for a number", line("{output_rms:.3s}"), ": /report/line", ".3s & real", ""},
    {"spec of a number for text", line("{name:.3g}"), ": /report/line", ".3g & text", ""},
    {"width 201", line("{name:201}"), ": /report/line", "width is above 200", "smaller"},
    {"precision 201", line("{output_rms:.201f}"), ": /report/line", "precision is above 200",
     "smaller"},
    {"spec for a whole column", line("{forward_rms:.3f}"), ": /report/line", "only a precision",
     "{forward_rms[1]:.3f}"},
};

// A figure of layer 1 with these keys.
std::string figure(const std::string& keys) {
  return expecting(R"({"id": "a", "layer": 1, "column": "forward_rms", )" + keys + "}");
}
const BadConfig kProtocolsAndRatios[] = {
    {"two tolerances", figure(R"("near": 1, "rel": 1, "factor": 10)"), ": /expect/0",
     "exactly one of rel, factor", "rel"},
    {"factor without near", figure(R"("printed": "1", "factor": 10)"), ": /expect/0/factor", "near",
     "remove"},
    {"factor below 1", figure(R"("near": 1, "factor": 0.5)"), ": /expect/0/factor", ">= 1 & 0.5",
     ""},
    {"factor of 0", figure(R"("near": 0, "factor": 10)"), ": /expect/0/near", "0 is no factor", ""},
    {"below and near", figure(R"("below": 1, "near": 1, "rel": 1)"), ": /expect/0", "exactly one",
     "printed"},
    {"below of text", expecting(R"({"id": "a", "column": "activation", "below": 1})"),
     ": /expect/0/below", "activation", "printed"},
    {"unknown protocol", figure(R"("printed": "1", "protocol": "formular")"),
     ": /expect/0/protocol", "formular", "did you mean \"formula\""},
    {"digits by order", figure(R"("printed": "1", "protocol": "order")"), ": /expect/0/protocol",
     "this rule is \"exact\"", "printed is exact or formula"},
    {"exact size", figure(R"("near": 1, "rel": 0, "protocol": "exact")"), ": /expect/0/protocol",
     "this rule is \"order\"", "near and below are order or formula"},
    {"protocol of what is unchecked", figure(R"("printed": "1", "protocol": "outside")"),
     ": /expect/0/protocol", "exact", "formula"},
    {"same id", expecting(R"({"id": "a", "later": "x"}, {"id": "a", "later": "y"})"),
     ": /expect/1/id", "\"a\" is the name of another figure", "rename"},
    {"outside with a value", figure(R"("outside": "x")"), ": /expect/0/layer", "not compared",
     "remove"},
    {"outside and later", expecting(R"({"id": "a", "outside": "x", "later": "x"})"),
     ": /expect/0/later", "outside", "remove"},
    {"outside without a reason", expecting(R"({"id": "a", "outside": ""})"), ": /expect/0/outside",
     "empty", "needs"},
    {"over a number", figure(R"("over": 2, "printed": "1")"), ": /expect/0/over",
     "expected an address, got 2", "{\"layer\": 1}"},
    {"over nothing", figure(R"("over": {}, "printed": "1")"), ": /expect/0/over",
     "expected an address", "differ"},
    {"over an unknown layer", figure(R"("over": {"layer": 4}, "printed": "1")"),
     ": /expect/0/over/layer", "[1, 3], got 4", "last"},
    {"over an unknown key", figure(R"("over": {"printed": "2"}, "printed": "1")"),
     ": /expect/0/over/printed", "unknown key", "column"},
    {"over an unknown case", figure(R"("over": {"case": "b"}, "printed": "1")"), ": /expect/0/over",
     "no result has", "no cases"},
    {"over text", figure(R"("over": {"layer": null, "column": "activation"}, "printed": "1")"),
     ": /expect/0/over/column", "activation", "row of a column"},
    {"text over a number",
     expecting(R"({"id": "a", "column": "init", "over": {"column": "output_rms"}, "printed": "1",
                   "format": ""})"),
     ": /expect/0/over", "init", "row of a column"},
    {"a line over a number", expecting(R"({"id": "a", "line": "x", "over": {"layer": 1}})"),
     ": /expect/0/over", "line", "remove"},
};

const BadConfig kExpectations[] = {
    {"expect an object", R"({"expect": {}})", ": /expect", "list of figures", ""},
    {"entry a word", expecting("\"a\""), ": /expect/0", "expected an object", "keys"},
    {"no id", expecting(R"({"column": "output_rms", "printed": "1"})"), ": /expect/0",
     "\"id\" is missing", "add"},
    {"no column", expecting(R"({"id": "a", "printed": "1"})"), ": /expect/0",
     "\"column\" is missing", "add"},
    {"no rule", expecting(R"({"id": "a", "column": "output_rms"})"), ": /expect/0", "exactly one",
     "printed"},
    {"two rules",
     expecting(R"({"id": "a", "column": "output_rms", "printed": "1", "near": 1, "rel": 1})"),
     ": /expect/0", "exactly one", "printed"},
    {"near without rel", expecting(R"({"id": "a", "column": "output_rms", "near": 1})"),
     ": /expect/0", "exactly one of rel, factor", "rel"},
    {"rel without near",
     expecting(R"({"id": "a", "column": "output_rms", "printed": "1", "rel": 1})"),
     ": /expect/0/rel", "near", "remove"},
    {"negative rel", expecting(R"({"id": "a", "column": "output_rms", "near": 1, "rel": -1})"),
     ": /expect/0/rel", ">= 0", ""},
    {"format without printed",
     expecting(R"({"id": "a", "column": "output_rms", "near": 1, "rel": 1, "format": ".3g"})"),
     ": /expect/0/format", "printed", "remove"},
    {"bad format",
     expecting(R"({"id": "a", "column": "output_rms", "printed": "1", "format": ".3q"})"),
     ": /expect/0/format", ".3q", "[.precision]"},
    {"number format of text",
     expecting(R"({"id": "a", "column": "activation", "printed": "linear"})"), ": /expect/0/format",
     ".3g & text", "format"},
    {"near of text", expecting(R"({"id": "a", "column": "activation", "near": 1, "rel": 1})"),
     ": /expect/0/near", "activation", "printed"},
    {"near of a column", expecting(R"({"id": "a", "column": "forward_rms", "near": 1, "rel": 1})"),
     ": /expect/0/near", "forward_rms", "row"},
    {"layer past the end",
     expecting(R"({"id": "a", "layer": 4, "column": "forward_rms", "printed": "1"})"),
     ": /expect/0/layer", "[1, 3], got 4", "last"},
    {"layer of a scalar",
     expecting(R"({"id": "a", "layer": 1, "column": "output_rms", "printed": "1"})"),
     ": /expect/0/column", "output_rms", "forward_rms"},
    {"unknown column", expecting(R"({"id": "a", "column": "output", "printed": "1"})"),
     ": /expect/0/column", "\"output\"", "output_rms"},
    {"unknown key", expecting(R"({"id": "a", "columm": "output_rms", "printed": "1"})"),
     ": /expect/0/columm", "unknown key", "did you mean \"column\""},
    {"no such case",
     expecting(R"({"id": "a", "case": "b", "column": "output_rms", "printed": "1"})"),
     ": /expect/0", "no result has", "no cases"},
    {"no such seed", expecting(R"({"id": "a", "seed": 1, "column": "output_rms", "printed": "1"})"),
     ": /expect/0", "no result has", "seed"},
    {"one of several cases", R"({"width": 4, "cases": [{"name": "a"}, {"name": "b"}],
        "expect": [{"id": "a", "column": "output_rms", "printed": "1"}]})",
     ": /expect/0", "2 results have", "cases: a, b"},
    {"one of several seeds", R"({"width": 4, "seeds": [1, 2, 3],
        "expect": [{"id": "a", "column": "output_rms", "printed": "1"}]})",
     ": /expect/0", "3 results have", "seed"},
    {"one of several points", R"({"width": 4, "sweep": {"depth": [1, 2]},
        "expect": [{"id": "a", "point": {"depth": 3}, "column": "output_rms", "printed": "1"}]})",
     ": /expect/0", "no result has", "point"},
    {"point a number",
     expecting(R"({"id": "a", "point": 3, "column": "output_rms", "printed": "1"})"),
     ": /expect/0/point", "expected an object", "{\"depth\": 6}"},
};

TEST(BadConfig, WrongReportsAreRefused) { check_all(kReports); }
TEST(BadConfig, WrongExpectationsAreRefused) { check_all(kExpectations); }
TEST(BadConfig, WrongProtocolsAndRatiosAreRefused) { check_all(kProtocolsAndRatios); }

}  // namespace
}  // namespace sigstab
