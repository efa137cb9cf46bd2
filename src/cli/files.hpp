#pragma once
// Files and standard output, with errors that name the file and what is wrong with it.

#include <functional>
#include <optional>
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
using Sink = std::function<void(std::string_view)>;
// The same of a text that is made in pieces.
void write_file(const std::string& path, const std::function<void(const Sink&)>& make);
// A copy of a file's first bytes. Errors: as read_file.
void copy_start(const std::string& path, std::size_t bytes, const Sink& sink);

// A file written line by line, each there for good when `append` returns: what is in it stays
// whatever happens to the program. That takes no fsync, which would guard against the loss of power
// at the price of a disk's write a line.
class LineFile {
 public:
  // What is there stays until `keep` or `append`. Errors: as write_file; another program that
  // writes it line by line.
  explicit LineFile(const std::string& path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  // Keeps the first `bytes` of what is there, to append to them.
  void keep(std::size_t bytes);
  // Truncates what is not kept, the first time. Errors: a full disk.
  void append(std::string_view text);
  // The file anew, as write_file does it: its first bytes, then another text.
  void rewrite(std::size_t bytes, const std::function<void(const Sink&)>& make);
  std::size_t size() const { return size_; }

 private:
  void open();
  void close();

  std::string path_;
  int descriptor_ = -1;
  bool kept_ = false;
  std::size_t size_ = 0;  // of what is kept and appended
};

// Whether write_file has a chance, asked before anything is computed. Errors: as write_file.
void check_writable(const std::string& path);

// To stderr, as every error is told.
void print_error(const Error& error);

// Writes the file, or where that fails prints the text, so that no result is lost, and returns why.
std::optional<Error> write_or_print(const std::string& path, std::string_view text);

// To stdout, at once, but that what could steer a terminal, or is no text, is replaced. A closed
// pipe ends the output quietly; a full disk is an Error.
void print(std::string_view text);
// The same with every byte as it is.
void print_as_is(std::string_view text);

}  // namespace sigstab
