#pragma once
// A file that is read in parts, from several threads: a checkpoint is larger than memory may be.
//
// Reads are pread, not a mapping: a file that shrinks is then a short read, told as an Error, where
// a mapping would end the process by SIGBUS; and one pass is no slower (docs/design.md).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sigstab {

class InputFile {
 public:
  // Errors: it is missing, unreadable, or no regular file.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }  // when it was opened
  // Fills `into` with what is in the file from `offset` on. Errors: the file ends before that.
  void read(std::uint64_t offset, std::span<std::byte> into) const;

 private:
  std::string path_;
  int descriptor_;
  std::uint64_t size_;
};

}  // namespace sigstab
