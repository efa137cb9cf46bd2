#pragma once
// Files and standard output, with errors that name the file and what is wrong with it.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace sigstab {

// Errors: a missing or unreadable file, a directory.
std::string read_file(const std::string& path);

// Writes the whole file or nothing: under a temporary name in the same folder, renamed when
// complete. A device or pipe is written in place. Errors: an unwritable place, a full disk.
void write_file(const std::string& path, std::string_view text);
// A file written line by line, each there for good when `append` returns: what is in it stays
// whatever happens to the program.
class LineFile {
 public:
  // Truncates what is there. Errors: as write_file.
  explicit LineFile(const std::string& path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  // Errors: a full disk.
  void append(std::string_view text);

 private:
  std::string path_;
  int descriptor_;
};

// Whether write_file has a chance, asked before anything is computed. Errors: as write_file.
void check_writable(const std::string& path);

// That an output is none of the files that are read. Errors: it is, whatever both are called.
void check_not_read(const std::string& flag, const std::string& path,
                    const std::vector<std::string>& read);

// To stderr, as every error is told.
void print_error(const Error& error);

// To stdout, at once. A closed pipe ends the output quietly; a full disk is an Error.
void print(std::string_view text);

}  // namespace sigstab
