#include "cli/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/markup.hpp"

namespace sigstab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void system_error(const std::string& path, const char* what, int code,
                               const std::string& hint) {
  throw Error(path.empty() ? "\"\"" : path, fmt::format("{}: {}", what, std::strerror(code)), hint);
}

// Of a file, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  // False with errno set.
  bool close() {
    const int descriptor = std::exchange(descriptor_, -1);
    return descriptor < 0 || ::close(descriptor) == 0;
  }

 private:
  int descriptor_;
};

// Writes all of it; false with errno set.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string temporary_name(const std::string& path) {
  return fmt::format("{}.{}.tmp", path, ::getpid());
}

// Where a path leads: the file behind links, which stay links.
std::string behind_links(const std::string& path) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(path, failed);
  return failed || real.empty() ? path : real.string();
}

// A regular file, or none yet: replaced by renaming. Anything else is written in place.
bool is_replaceable(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);
}

// Whether the open file is the one that the path leads to.
bool is_still_at(int descriptor, const std::string& path) {
  struct stat open {
  }, now{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &now) == 0 &&
         open.st_dev == now.st_dev && open.st_ino == now.st_ino;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::string text;
  copy_start(path, std::string::npos, [&](std::string_view piece) { text += piece; });
  return text;
}

void copy_start(const std::string& path, std::size_t bytes, const Sink& sink) {
  const std::string hint =
      "check the name; `sigstab list` shows the experiments that come with sigstab";
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) system_error(path, "cannot open it", errno, hint);
  std::array<char, 65536> buffer;
  while (bytes > 0) {
    const ssize_t count = ::read(file.get(), buffer.data(), std::min(bytes, buffer.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int code = errno;
      system_error(path, "cannot read it", code, code == EISDIR ? "name a file in it" : "");
    }
    if (count == 0) break;
    sink({buffer.data(), static_cast<std::size_t>(count)});
    bytes -= static_cast<std::size_t>(count);
  }
}

void write_file(const std::string& path, std::string_view text) {
  write_file(path, [&](const Sink& sink) { sink(text); });
}

void write_file(const std::string& path, const std::function<void(const Sink&)>& make) {
  const bool replace = is_replaceable(path);
  const std::string real = behind_links(path);
  const std::string target = replace ? temporary_name(real) : path;
  const int flags = O_WRONLY | O_CLOEXEC | (replace ? O_CREAT | O_TRUNC : 0);
  Descriptor file(::open(target.c_str(), flags, 0666));
  if (!file) system_error(path, "cannot write it", errno, "name another place");
  const auto fail = [&](int code) {
    if (replace) ::unlink(target.c_str());
    system_error(path, "cannot write it", code, "free some space, or name another place");
  };
  make([&](std::string_view piece) {
    if (!write_all(file.get(), piece)) fail(errno);
  });
  if (!file.close() || (replace && ::rename(target.c_str(), real.c_str()) != 0)) fail(errno);
}

LineFile::LineFile(const std::string& path) : path_(path) { open(); }

LineFile::~LineFile() { close(); }

void LineFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

// The lock ends with the program, however it ends. Where a file system has none, none is needed.
void LineFile::open() {
  // A program that was just killed may take a moment to go.
  constexpr int kTries = 40;
  for (int tries = 0; tries < kTries; ++tries) {
    if (descriptor_ < 0) {
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    }
    if (descriptor_ < 0) system_error(path_, "cannot write it", errno, "name another place");
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::usleep(50'000);
      continue;
    }
    if (is_still_at(descriptor_, path_)) return;
    close();  // it was replaced meanwhile, and the lock is of a file that nobody finds
  }
  close();
  throw Error(path_, "another sigstab is writing it", "wait for its end, or name another file");
}

// What is no regular file has no length to change.
void LineFile::keep(std::size_t bytes) {
  kept_ = true;
  size_ = bytes;
  struct stat now {};
  if (::fstat(descriptor_, &now) == 0 &&
      (!S_ISREG(now.st_mode) || static_cast<std::size_t>(now.st_size) == bytes)) {
    return;
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0) return;
  system_error(path_, "cannot shorten it", errno, "name another place");
}

void LineFile::rewrite(std::size_t bytes, const std::function<void(const Sink&)>& make) {
  std::size_t size = 0;
  write_file(path_, [&](const Sink& sink) {
    const Sink counted = [&](std::string_view piece) {
      size += piece.size();
      sink(piece);
    };
    copy_start(path_, bytes, counted);
    make(counted);
  });
  close();
  open();
  size_ = size;
}

void LineFile::append(std::string_view text) {
  if (!kept_) keep(0);
  if (!write_all(descriptor_, text)) {
    system_error(path_, "cannot write it", errno, "free some space, or name another place");
  }
  size_ += text.size();
}

void check_writable(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw Error(path, "cannot write it: it is a directory", "name a file in it");
  }
  if (!is_replaceable(path)) {
    if (::access(path.c_str(), W_OK) != 0) system_error(path, "cannot write it", errno, "");
    return;
  }
  const std::string target = temporary_name(behind_links(path));
  const int descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) system_error(path, "cannot write it", errno, "name another place");
  ::close(descriptor);
  ::unlink(target.c_str());
}

void print_error(const Error& error) { std::fprintf(stderr, "sigstab: error: %s\n", error.what()); }

void print(std::string_view text) { print_as_is(readable(text)); }

std::optional<Error> write_or_print(const std::string& path, std::string_view text) {
  try {
    write_file(path, text);
    return std::nullopt;
  } catch (const Error& error) {
    print(text);
    return error;
  }
}

void print_as_is(std::string_view text) {
  static bool closed = false;
  if (closed || write_all(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) {
    closed = true;
    return;
  }
  system_error("standard output", "cannot write it", errno, "");
}

}  // namespace sigstab
