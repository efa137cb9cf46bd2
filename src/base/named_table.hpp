#pragma once
// Tables of rows that are found by name: activations, inits, norms, formats, ...
//
// A row is any struct with `std::string_view name`. Lists, help, lookup and did-you-mean all read
// the table, so that one row adds one thing everywhere.

#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sigstab {

using Names = std::vector<std::string_view>;

// A table is any contiguous range of rows. The row of that name, or null.
template <class Table>
auto find_row(const Table& table, std::string_view name) -> decltype(std::data(table)) {
  for (const auto& row : table) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

template <class Table>
Names row_names(const Table& table) {
  Names names;
  for (const auto& row : table) names.push_back(row.name);
  return names;
}

// The name that `word` most likely means: smallest edit distance (swaps of neighbours count once),
// at most a third of the word's length and at least 1; none if nothing is that near.
std::optional<std::string_view> nearest_name(std::string_view word, const Names& names);

// The fix to print beside an unknown name: `did you mean "relu"? known: ...`.
std::string name_hint(std::string_view word, const Names& names);

// "a, b, c"
std::string joined(const Names& names, std::string_view separator = ", ");

}  // namespace sigstab
