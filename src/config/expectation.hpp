#pragma once
// A figure that a config expects: which value of the result, and what it must be.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/format_spec.hpp"
#include "config/value_address.hpp"
#include "json/json.hpp"

namespace sigstab {

// What agreement with a figure says. The last two are named and never count as passed.
enum class Protocol { exact, formula, order, spread, outside, later };
constexpr bool is_checked(Protocol protocol) { return protocol < Protocol::outside; }
struct ProtocolRow {
  std::string_view name, help;
  std::string_view total;  // in "68 exact, 20 by formula"
  Protocol protocol;
};
std::span<const ProtocolRow> protocol_table();
const ProtocolRow& protocol_row(Protocol protocol);

struct Expectation {
  std::string id, source;
  Protocol protocol = Protocol::exact;
  std::string unchecked;  // for outside and later: the command, or what it waits for

  ValueAddress value;
  std::optional<ValueAddress> over;  // the value is divided by this one

  // Exactly one rule, of all that are checked.
  std::optional<std::string> printed;  // our value through `format` is this text
  FormatSpec format;
  std::optional<double> near;       // with exactly one of the next three
  std::optional<double> rel;        // |ours - near| <= rel |near|
  std::optional<double> factor;     // ours / near lies strictly within 1/factor and factor
  std::optional<double> within_z;   // so many deviations of our mean over seeds
  std::optional<double> below;      // ours < below
  std::optional<std::string> line;  // the case's line of text

  bool is_checked() const { return unchecked.empty(); }
};

// The entries of `expect`, checked against the cases that the plan will run.
// Errors: as ObjectReader; an address that matches no case, column, row or seed; a repeated id.
std::vector<Expectation> read_expectations(const Json& list, const Place& place,
                                           const std::string& row_name,
                                           const std::vector<ComingCase>& cases);

}  // namespace sigstab
