#pragma once
// Formats that follow from a file's extension: rows of any table with `extension`, empty where a
// format has no file.

#include <filesystem>
#include <string>

#include "base/named_table.hpp"

namespace sigstab {

template <class Table>
Names extensions_of(const Table& table) {
  Names known;
  for (const auto& row : table) {
    if (!row.extension.empty()) known.push_back(row.extension);
  }
  return known;
}

// The row of the path's extension, or null.
template <class Table>
auto find_by_extension(const Table& table, const std::string& path) -> decltype(std::data(table)) {
  const std::string extension = std::filesystem::path(path).extension();
  for (const auto& row : table) {
    if (!row.extension.empty() && row.extension == extension) return &row;
  }
  return nullptr;
}

}  // namespace sigstab
