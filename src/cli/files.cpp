#include "cli/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"

namespace sigstab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void system_error(const std::string& path, const char* what, int code,
                               const std::string& hint) {
  throw Error(path.empty() ? "\"\"" : path, fmt::format("{}: {}", what, std::strerror(code)), hint);
}

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

}  // namespace

std::string read_file(const std::string& path) {
  const std::string hint =
      "check the name; `sigstab list` shows the experiments that come with sigstab";
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) system_error(path, "cannot open it", errno, hint);
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int code = errno;
      ::close(descriptor);
      system_error(path, "cannot read it", code, code == EISDIR ? "name a file in it" : "");
    }
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(descriptor);
  return text;
}

void write_file(const std::string& path, std::string_view text) {
  const bool replace = is_replaceable(path);
  const std::string real = behind_links(path);
  const std::string target = replace ? temporary_name(real) : path;
  const int flags = O_WRONLY | O_CLOEXEC | (replace ? O_CREAT | O_TRUNC : 0);
  const int descriptor = ::open(target.c_str(), flags, 0666);
  if (descriptor < 0) system_error(path, "cannot write it", errno, "name another place");
  const bool written = write_all(descriptor, text);
  const int write_code = errno;
  const bool closed = ::close(descriptor) == 0;
  if (written && closed && (!replace || ::rename(target.c_str(), real.c_str()) == 0)) return;
  const int code = written ? errno : write_code;
  if (replace) ::unlink(target.c_str());
  system_error(path, "cannot write it", code, "free some space, or name another place");
}

LineFile::LineFile(const std::string& path)
    : path_(path),
      descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) system_error(path, "cannot write it", errno, "name another place");
}

LineFile::~LineFile() { ::close(descriptor_); }

void LineFile::append(std::string_view text) {
  if (!write_all(descriptor_, text)) {
    system_error(path_, "cannot write it", errno, "free some space, or name another place");
  }
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

void check_not_read(const std::string& flag, const std::string& path,
                    const std::vector<std::string>& read) {
  for (const std::string& name : read) {
    std::error_code missing;
    if (!fs::equivalent(name, path, missing)) continue;
    throw Error(flag + " " + path, "it is the file that is to be read", "name another file");
  }
}

void print_error(const Error& error) { std::fprintf(stderr, "sigstab: error: %s\n", error.what()); }

void print(std::string_view text) {
  static bool closed = false;
  if (closed || write_all(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) {
    closed = true;
    return;
  }
  system_error("standard output", "cannot write it", errno, "");
}

}  // namespace sigstab
