#pragma once
// Tables of rows that are found by name: activations, inits, norms, formats, ...
//
// A row is any struct with `std::string_view name`. Lists, help, lookup and did-you-mean all read
// the table, so that one row adds one thing everywhere. A row may have `std::string_view aliases`:
// what others call the same thing, separated by spaces. An alias is no name, so that a config says
// one thing in one way; did-you-mean answers it with the name.

#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sigstab {

// The names of a table in its order, with what else they are called.
struct Names : std::vector<std::string_view> {
  using std::vector<std::string_view>::vector;

  struct Alias {
    std::string_view word, name;
  };
  std::vector<Alias> aliases;
  std::vector<std::string_view> helps;  // of each name in turn, where the rows have them
};

// A table is any contiguous range of rows. The row of that name, or null.
template <class Table>
auto find_row(const Table& table, std::string_view name) -> decltype(std::data(table)) {
  for (const auto& row : table) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// Adds each word of `words` as an alias of `name`.
void add_aliases(std::string_view words, std::string_view name, Names& names);

template <class Table>
Names row_names(const Table& table) {
  Names names;
  for (const auto& row : table) {
    names.push_back(row.name);
    if constexpr (requires { row.help; }) names.helps.push_back(row.help);
    if constexpr (requires { row.aliases; }) add_aliases(row.aliases, row.name, names);
  }
  return names;
}

// The name that `word` most likely means: smallest edit distance (swaps of neighbours count once),
// at most a third of the word's length and at least 1; none if nothing is that near. A word near an
// alias means the alias's name, unless a name is as near.
std::optional<std::string_view> nearest_name(std::string_view word, const Names& names);

// The fix to print beside an unknown name: `did you mean "relu"? known: ...`.
std::string name_hint(std::string_view word, const Names& names);

// "a, b, c"
std::string joined(const Names& names, std::string_view separator = ", ");

}  // namespace sigstab
