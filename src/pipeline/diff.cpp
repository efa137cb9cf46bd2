#include "pipeline/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/error.hpp"

namespace sigstab {
namespace {

struct Entry {
  std::string address;
  double value;
};

// A csv does not name its experiment; two files with one experiment each are compared all the same.
// A jsonl may hold a run more than once: the second value of an address is "ADDRESS #2".
std::vector<Entry> flatten(const std::vector<Result>& results) {
  std::vector<Entry> entries;
  std::unordered_map<std::string, int> uses;
  const auto add = [&](std::string address, double value) {
    const int use = ++uses[address];
    entries.push_back({use == 1 ? std::move(address) : fmt::format("{} #{}", address, use), value});
  };
  for (const Result& result : results) {
    const std::string experiment =
        results.size() == 1 || result.experiment.empty() ? "" : result.experiment + ": ";
    for (const CaseResult& one : result.cases) {
      std::string place = experiment + one.label();
      if (!one.seed.empty()) place += (place.empty() ? "seed " : ", seed ") + one.seed;
      if (!place.empty()) place += ", ";
      for (const NamedScalar& scalar : one.scalars) {
        if (const auto* value = std::get_if<double>(&scalar.value)) {
          add(place + scalar.name, *value);
        }
      }
      for (const Column& column : one.columns) {
        for (std::size_t i = 0; i < column.values.size(); ++i) {
          const std::int64_t row =
              one.row_numbers.empty() ? static_cast<std::int64_t>(i) + 1 : one.row_numbers[i];
          add(fmt::format("{}{}[{}]", place, column.name, row), column.values[i]);
        }
      }
    }
  }
  return entries;
}

std::string exact_text(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

double relative_difference(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
  const double largest = std::max(std::fabs(a), std::fabs(b));
  return largest == 0 ? 0 : std::fabs(a / largest - b / largest);
}

bool agree(double a, double b, Tolerance tolerance) {
  if (std::isnan(a) && std::isnan(b)) return true;
  if (a == b) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return relative_difference(a, b) <= tolerance.relative || std::fabs(a - b) <= tolerance.absolute;
}

}  // namespace

DiffVerdict diff(const std::vector<Result>& a, const std::vector<Result>& b, Tolerance tolerance) {
  const std::vector<Entry> left = flatten(a), right = flatten(b);
  std::unordered_map<std::string, double> right_values;
  for (const Entry& entry : right) right_values.emplace(entry.address, entry.value);
  DiffVerdict verdict;
  for (const Entry& entry : left) {
    const auto other = right_values.find(entry.address);
    if (other == right_values.end()) {
      verdict.differences.push_back({entry.address, exact_text(entry.value), "missing",
                                     std::numeric_limits<double>::infinity()});
      continue;
    }
    ++verdict.compared;
    if (!agree(entry.value, other->second, tolerance)) {
      verdict.differences.push_back({entry.address, exact_text(entry.value),
                                     exact_text(other->second),
                                     relative_difference(entry.value, other->second)});
    }
    right_values.erase(other);
  }
  for (const Entry& entry : right) {
    if (right_values.contains(entry.address)) {
      verdict.differences.push_back({entry.address, "missing", exact_text(entry.value),
                                     std::numeric_limits<double>::infinity()});
    }
  }
  if (verdict.compared == 0) {
    throw Error("", "the two files have no value in common",
                "compare results of the same experiment, in the same format");
  }
  std::ranges::stable_sort(verdict.differences, std::ranges::greater{}, &Difference::relative);
  return verdict;
}

}  // namespace sigstab
