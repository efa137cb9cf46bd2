#pragma once
// Results as JSON, schema 1: the frame is fixed, and writers only ever add keys.
//
//   {"schema": 1, "experiment", "kind", "row", "title", "source", "config", "provenance",
//   "complete",
//    "cases": [{"name", "point", "seed", "layers": [{"layer": 1, "forward_rms", "gradient_rms",
//               "weight_gradients": [{"name": "W2", "rms", "frobenius"}]}], "output_rms", ...}],
//    "aggregates": [{"name", "point", "layers": [{"layer": 1, "forward_rms": {"mean", ...}}],
//                    "output_rms": {"mean", ...}}]}  where there are several seeds
// Doubles are written so that they read back the same; inf, -inf and nan are strings.

#include <string>
#include <string_view>
#include <vector>

#include "json/json.hpp"
#include "result/result.hpp"

namespace sigstab {

std::string write_json(const Result& result);
// The same frame on one line for each case; title, source, config and provenance on the first
// alone.
std::string write_jsonl(const Result& result);
// One of these lines, for a case of a result that is not finished.
std::string jsonl_line(const Result& frame, const CaseResult& one, bool first);
// How every one of them starts.
inline constexpr std::string_view kLineStart = "{\"schema\":";

// A result, or one line of a jsonl, that is parsed already. Errors: a foreign value, another
// schema.
Result result_from(const Json& value, const std::string& file);

// Whether the text is a result in json or jsonl, and no config: it says its schema.
bool holds_result(std::string_view text);

// Read back what these wrote: jsonl gives one result for each experiment.
// Errors: a malformed or foreign file, another schema.
Result read_json(std::string_view text, const std::string& file);
std::vector<Result> read_jsonl(std::string_view text, const std::string& file);

// Throws the Error of a file that is no result, which says why.
[[noreturn]] void refuse_result(const std::string& file, const std::string& why);

}  // namespace sigstab
