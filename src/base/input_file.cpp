#include "base/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace sigstab {
namespace {

[[noreturn]] void cannot(const std::string& what, const std::string& path, int code) {
  throw Error(path.empty() ? "\"\"" : path, "cannot " + what + " it: " + std::strerror(code),
              code == ENOENT ? "check the name" : "");
}

}  // namespace

// Opening a pipe must not wait for its writer.
InputFile::InputFile(std::string path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) cannot("open", path_, errno);
  struct stat about {};
  const bool known = ::fstat(descriptor_, &about) == 0;
  if (known && S_ISREG(about.st_mode)) {
    size_ = static_cast<std::uint64_t>(about.st_size);
    return;
  }
  const int code = errno;
  ::close(descriptor_);
  if (!known) cannot("read", path_, code);
  throw Error(path_, "it is no regular file, and is read in parts", "name a file");
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(std::uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t count =
        ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) cannot("read", path_, errno);
    if (count == 0) {
      throw Error(path_,
                  "it ends at byte " + std::to_string(offset) + ", and had " +
                      std::to_string(size_) + " when it was opened",
                  "something has cut it since: copy it again");
    }
    offset += static_cast<std::uint64_t>(count);
    into = into.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace sigstab
