#include "base/named_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace sigstab {
namespace {

// Restricted Damerau-Levenshtein distance, case-insensitive.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

constexpr std::size_t kLongestName = 64;  // nothing longer is worth guessing at

}  // namespace

void add_aliases(std::string_view words, std::string_view name, Names& names) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) names.aliases.push_back({words.substr(0, end), name});
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

std::optional<std::string_view> nearest_name(std::string_view word, const Names& names) {
  if (word.empty() || word.size() > kLongestName) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  const auto consider = [&](std::string_view written, std::string_view name) {
    const std::size_t distance = edit_distance(word, written);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  };
  for (std::string_view name : names) consider(name, name);
  for (const Names::Alias& alias : names.aliases) consider(alias.word, alias.name);
  return best;
}

std::string name_hint(std::string_view word, const Names& names) {
  const std::string known = "known: " + joined(names);
  if (const auto near = nearest_name(word, names)) {
    return fmt::format("did you mean \"{}\"? {}", *near, known);
  }
  return known;
}

std::string joined(const Names& names, std::string_view separator) {
  return fmt::format("{}", fmt::join(names, separator));
}

}  // namespace sigstab
