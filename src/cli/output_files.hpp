#pragma once
// The one opener of outputs: what a command will write is claimed before anything runs, so that a
// mistake costs no result and no file that is read is replaced.

#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/extension.hpp"

namespace sigstab {

class OutputFiles {
 public:
  // `read`: the files that the command reads.
  explicit OutputFiles(std::vector<std::string> read) : read_(std::move(read)) {}

  // Errors, at flag and path: claimed already; a file that is read, whatever both are called; one
  // that cannot be written.
  void claim(const std::string& flag, const std::string& path);

  // The same, and the row of the table whose extension the path has.
  // Errors: as claim; an extension that no row has. `whose` ends that sentence.
  template <class Table>
  auto claim_by_extension(const Table& table, const std::string& flag, const std::string& path,
                          const std::string& whose = "unknown") -> decltype(std::data(table)) {
    const auto* row = find_by_extension(table, path);
    if (row == nullptr) {
      throw Error(flag + " " + path,
                  "the format follows from the extension, and this one is " + whose,
                  "known: " + joined(extensions_of(table)));
    }
    claim(flag, path);
    return row;
  }

 private:
  std::vector<std::string> read_;
  std::set<std::string> claimed_;
};

}  // namespace sigstab
