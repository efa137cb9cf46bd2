#include "check/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.hpp"
#include "base/named_table.hpp"
#include "config/config_defaults.hpp"
#include "config/config_patch.hpp"
#include "config/read_config.hpp"
#include "json/json.hpp"
#include "json/json_difference.hpp"
#include "kinds/theory_columns.hpp"
#include "result/result_json.hpp"
#include "result/statistic.hpp"

namespace sigstab {
namespace {

// A value, or with several seeds to a side a mean of values.
struct Entry {
  std::string address, name;
  double value;
  double standard_error = 0;
  bool logarithmic = false;  // value is a mean of ln
};

// A csv does not name its experiment; two files with one experiment each are compared all the same.
std::string experiment_prefix(const Result& result, bool several) {
  return !several || result.experiment.empty() ? "" : result.experiment + ": ";
}

// Calls add(address, name, value) for every number of a case but scores; `place` is what comes
// before.
template <class Add>
void each_value(const CaseResult& one, const std::string& place, const Add& add) {
  for (const NamedScalar& scalar : one.scalars) {
    if (const auto* value = std::get_if<double>(&scalar.value); value && !is_score(scalar.name)) {
      add(place + scalar.name, scalar.name, *value);
    }
  }
  for (const Column& column : one.columns) {
    if (is_score(column.name)) continue;
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      const std::int64_t row =
          one.row_numbers.empty() ? static_cast<std::int64_t>(i) + 1 : one.row_numbers[i];
      add(fmt::format("{}{}[{}]", place, column.name, row), column.name, column.values[i]);
    }
  }
}

// A jsonl may hold a run more than once: the second value of an address is "ADDRESS #2".
std::vector<Entry> flatten(const std::vector<Result>& results, bool several) {
  std::vector<Entry> entries;
  std::unordered_map<std::string, int> uses;
  for (const Result& result : results) {
    for (const CaseResult& one : result.cases) {
      std::string place = experiment_prefix(result, several) + one.label();
      if (!one.seed.empty()) place += (place.empty() ? "seed " : ", seed ") + one.seed;
      if (!place.empty()) place += ", ";
      each_value(one, place, [&](std::string address, const std::string& name, double value) {
        const int use = ++uses[address];
        if (use > 1) address += fmt::format(" #{}", use);
        entries.push_back({std::move(address), name, value});
      });
    }
  }
  return entries;
}

// The mean of an address's values over seeds, of their logarithms where all are positive.
Entry pooled(const std::string& address, const std::string& name, std::vector<double> values) {
  if (values.size() < 2) {
    throw Error("", address + " has one seed", "run both sides with --seeds a..b");
  }
  const bool positive = std::ranges::all_of(values, [](double v) { return v > 0; });
  if (positive) {
    for (double& v : values) v = std::log(v);
  }
  return {address, name, mean_of(values),
          standard_deviation_of(values) / std::sqrt(static_cast<double>(values.size())), positive};
}

// A seed that a file holds twice counts once.
std::vector<Entry> pool_seeds(const std::vector<Result>& results, bool several) {
  std::vector<std::pair<std::string, std::string>> order;  // address, name
  std::unordered_map<std::string, std::vector<double>> values;
  std::unordered_set<std::string> known;
  for (const Result& result : results) {
    for (const CaseResult& one : result.cases) {
      std::string place = experiment_prefix(result, several) + one.label();
      if (!known.insert(place + "\n" + one.seed).second) continue;
      if (!place.empty()) place += ", ";
      each_value(one, place, [&](const std::string& address, const std::string& name, double v) {
        std::vector<double>& of_address = values[address];
        if (of_address.empty()) order.emplace_back(address, name);
        of_address.push_back(v);
      });
    }
  }
  std::vector<Entry> entries;
  for (const auto& [address, name] : order) {
    entries.push_back(pooled(address, name, values[address]));
  }
  return entries;
}

std::string exact_text(const Entry& entry) {
  if (std::isnan(entry.value)) return "nan";
  if (entry.standard_error == 0 && !entry.logarithmic) return fmt::format("{}", entry.value);
  if (!entry.logarithmic) return fmt::format("{:.6g} +- {:.2g}", entry.value, entry.standard_error);
  return fmt::format("{:.6g} +- {:.2g}%", std::exp(entry.value), 100 * entry.standard_error);
}

double relative_difference(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
  const double largest = std::max(std::fabs(a), std::fabs(b));
  return largest == 0 ? 0 : std::fabs(a / largest - b / largest);
}

bool agree(double a, double b, const Tolerance& tolerance, bool nan_equal) {
  if (std::isnan(a) && std::isnan(b)) return nan_equal;
  if (a == b) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  const bool near_in_log = a > 0 && b > 0 && tolerance.logarithmic > 0 &&
                           std::fabs(std::log(a) - std::log(b)) <= tolerance.logarithmic;
  return near_in_log || relative_difference(a, b) <= tolerance.relative ||
         std::fabs(a - b) <= tolerance.absolute;
}

struct Distance {
  double size;
  std::string_view unit;
};

// Of two values that do not agree.
Distance distance(double a, double b, const Tolerance& tolerance) {
  if (tolerance.logarithmic > 0 && a > 0 && b > 0) {
    return {std::fabs(std::log(a) - std::log(b)), "ln"};
  }
  return {relative_difference(a, b), "relative"};
}

// How many standard errors apart, if that is too far.
std::optional<double> too_far(const Entry& a, const Entry& b, const DiffRules& rules) {
  if (std::isnan(a.value) && std::isnan(b.value) && rules.nan_equal) return std::nullopt;
  if (a.logarithmic != b.logarithmic) return std::numeric_limits<double>::infinity();
  if (a.value == b.value) return std::nullopt;
  const double z = std::fabs(a.value - b.value) / std::hypot(a.standard_error, b.standard_error);
  if (z <= rules.z) return std::nullopt;
  return std::isnan(z) ? std::numeric_limits<double>::infinity() : z;
}

std::optional<Distance> disagreement(const Entry& a, const Entry& b, const DiffRules& rules) {
  if (rules.z > 0) {
    const auto z = too_far(a, b, rules);
    return z ? std::optional(Distance{*z, "z"}) : std::nullopt;
  }
  const Tolerance& tolerance = rules.of(a.name);
  if (agree(a.value, b.value, tolerance, rules.nan_equal)) return std::nullopt;
  return distance(a.value, b.value, tolerance);
}

// With every default in its place, so that a key left out is the same as its default.
Json with_defaults(const std::string& config) {
  const Json written = Json::parse(config);
  if (written.empty()) return written;  // a csv does not hold it
  try {
    return Json::parse(resolved_text(read_result_config(config, "")));
  } catch (const Error&) {
    return written;  // of a version with other keys
  }
}

}  // namespace

std::vector<std::string> differing_keys(const Result& a, const Result& b, bool seeds_count) {
  const Json left = with_defaults(a.config), right = with_defaults(b.config);
  std::vector<std::string> keys;
  if (left.empty() || right.empty()) return keys;
  const auto compare = [&](const std::string& key) {
    if (key == "report" || std::ranges::count(keys_of_one_file(), key) > 0) return;
    if (key == "seeds" && !seeds_count) return;
    Json x = left.value(key, Json()), y = right.value(key, Json());
    if (key == "random" && !seeds_count && x.is_object() && y.is_object()) {
      x.erase("seed");
      y.erase("seed");
    }
    if (x != y) keys.push_back(key);
  };
  for (const auto& [key, value] : left.items()) compare(key);
  for (const auto& [key, value] : right.items()) {
    if (!left.contains(key)) compare(key);
  }
  return keys;
}

std::optional<KeyDifference> first_differing_key(const Result& a, const Result& b) {
  const std::vector<std::string> keys = differing_keys(a, b, true);
  if (keys.empty()) return std::nullopt;
  const auto part = [&](const Result& of) {
    const Json all = with_defaults(of.config);
    Json one = Json::object();
    if (all.contains(keys.front())) one[keys.front()] = all[keys.front()];
    return one;
  };
  auto found = first_difference(part(a), part(b), "");
  SIGSTAB_ASSERT(found.has_value());
  std::string key = found->pointer.substr(1);
  std::ranges::replace(key, '/', '.');
  const auto without_type = [](const std::string& shown) {
    return shown.substr(0, shown.rfind(" ("));
  };
  return KeyDifference{key, without_type(found->kept), without_type(found->now)};
}

bool is_score(std::string_view name) {
  return std::ranges::any_of(theory_column_table(), [&](const TheoryColumn& column) {
    return column.role == ColumnRole::score && !name.empty() &&
           (name == column.name || name == column.input_scalar || name == column.output_scalar);
  });
}

void check_rules(const DiffRules& rules, const std::vector<Result>& a,
                 const std::vector<Result>& b) {
  std::set<std::string_view> all, compared;  // of a matrix's column also the part before the dot
  const auto add = [&](std::string_view name) {
    if (is_score(name)) return;
    all.insert(name);
    compared.insert(name.substr(0, name.find('.')));
  };
  for (const std::vector<Result>* side : {&a, &b}) {
    for (const Result& result : *side) {
      for (const CaseResult& one : result.cases) {
        for (const Column& column : one.columns) add(column.name);
        for (const NamedScalar& scalar : one.scalars) {
          if (std::holds_alternative<double>(scalar.value)) add(scalar.name);
        }
      }
    }
  }
  for (const DiffRules::OfColumn& one : rules.columns) {
    if (all.contains(one.name) || compared.contains(one.name)) continue;
    const std::string where = "--tol " + one.name;
    if (is_score(one.name)) {
      throw Error(where, "scores are not compared", "compare the sizes that they follow from");
    }
    throw Error(where, "neither result has this column",
                name_hint(one.name, Names(compared.begin(), compared.end())));
  }
}

namespace {

bool has_several_seeds(const Result& result) {
  return std::ranges::any_of(
      result.cases, [&](const CaseResult& one) { return one.seed != result.cases.front().seed; });
}

void refuse_other_configs(const std::vector<Result>& a, const std::vector<Result>& b,
                          const DiffRules& rules) {
  for (const Result& left : a) {
    // Two files of one experiment each are compared whatever its name.
    const bool pair = a.size() == 1 && b.size() == 1;
    const auto right =
        pair ? b.begin() : std::ranges::find(b, left.experiment, &Result::experiment);
    if (right == b.end()) continue;
    const std::vector<std::string> keys = differing_keys(left, *right, rules.z == 0);
    if (keys.empty()) continue;
    const bool draws_alone = differing_keys(left, *right, false).empty();
    const bool means = draws_alone && has_several_seeds(left) && has_several_seeds(*right);
    const Names names(keys.begin(), keys.end());
    throw Error("", fmt::format("these are results of different configs: {}", joined(names)),
                means ? "compare means over seeds with --z 3"
                      : "compare them all the same with --any-config");
  }
}

}  // namespace

const Tolerance& DiffRules::of(std::string_view column) const {
  for (const OfColumn& one : columns) {
    if (one.name == column || one.name == column.substr(0, column.find('.'))) return one.tolerance;
  }
  return all;
}

void check_whole(const std::vector<Result>& results, const std::string& file) {
  for (const Result& result : results) {
    if (result.complete) continue;
    throw Error(file, "this run was interrupted, and not all of it is there", "run it to its end");
  }
}

DiffVerdict compare_values(const std::vector<Result>& a, const std::vector<Result>& b,
                           const DiffRules& rules) {
  const bool several = a.size() > 1 || b.size() > 1;
  const auto entries = [&](const std::vector<Result>& results) {
    return rules.z == 0 ? flatten(results, several) : pool_seeds(results, several);
  };
  const std::vector<Entry> left = entries(a), right = entries(b);
  std::unordered_map<std::string, const Entry*> others;
  for (const Entry& entry : right) others.emplace(entry.address, &entry);
  DiffVerdict verdict;
  for (const Entry& entry : left) {
    const auto found = others.find(entry.address);
    if (found == others.end()) {
      verdict.only_a.push_back(entry.address);
      continue;
    }
    ++verdict.compared;
    if (const auto far = disagreement(entry, *found->second, rules)) {
      verdict.differences.push_back(
          {entry.address, exact_text(entry), exact_text(*found->second), far->size, far->unit});
    }
    others.erase(found);
  }
  for (const Entry& entry : right) {
    if (others.contains(entry.address)) verdict.only_b.push_back(entry.address);
  }
  std::ranges::stable_sort(verdict.differences, std::ranges::greater{}, &Difference::distance);
  return verdict;
}

DiffVerdict diff(const std::vector<Result>& a, const std::vector<Result>& b,
                 const DiffRules& rules) {
  if (!rules.any_config) refuse_other_configs(a, b, rules);
  DiffVerdict verdict = compare_values(a, b, rules);
  if (verdict.compared == 0) {
    throw Error(
        "", "the two files have no value in common",
        "compare results of the same experiment, in the same format; scores such as forward_z "
        "are not compared");
  }
  return verdict;
}

}  // namespace sigstab
