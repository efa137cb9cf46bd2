#include "cli/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/error.hpp"

namespace sigstab {
namespace {

// The program's path; empty if there is none. As execvp would find it, but that an empty folder
// does not mean the current one: nobody wants a gnuplot from there.
std::string find_gnuplot() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (folder.empty()) continue;
    const std::string file = std::string(folder) + "/gnuplot";
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0) {
      return file;
    }
  }
  return "";
}

std::string gnuplot_path() {
  const std::string path = find_gnuplot();
  if (!path.empty()) return path;
  throw Error("", "pictures are drawn by gnuplot, and there is none on PATH",
              "apt-get install gnuplot-nox");
}

// Both ends of a pipe, closed on exec; closed here at the latest when this goes.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw Error("gnuplot", fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    }
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// Its signals are as a program expects them: ours ignores closed pipes, which a child would
// inherit.
pid_t start(const std::string& path, const Pipe& in, const Pipe& out, const Pipe& err) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, in.reader(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.writer(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.writer(), STDERR_FILENO);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::string name = "gnuplot", defaults_only = "-d";
  char* const argv[] = {name.data(), defaults_only.data(), nullptr};
  pid_t child = 0;
  const int code = ::posix_spawn(&child, path.c_str(), &actions, &attributes, argv, environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) throw Error(path, fmt::format("cannot start it: {}", std::strerror(code)));
  return child;
}

// Reads what is there; false at the end.
bool read_some(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

// Writes as much as the pipe takes; false when all is written, or nobody reads it any more.
bool write_some(int descriptor, std::string_view& text) {
  const ssize_t count = ::write(descriptor, text.data(), text.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.remove_prefix(static_cast<std::size_t>(count));
  return !text.empty();
}

struct Drawn {
  std::string out, err;
};

// Whatever order gnuplot reads and writes in, no pipe waits for another.
Drawn talk(Pipe& in, Pipe& out, Pipe& err, std::string_view script) {
  ::fcntl(in.writer(), F_SETFL, O_NONBLOCK);
  Drawn drawn;
  for (bool reading_out = true, reading_err = true; reading_out || reading_err;) {
    pollfd waits[] = {{in.writer(), POLLOUT, 0},
                      {reading_out ? out.reader() : -1, POLLIN, 0},
                      {reading_err ? err.reader() : -1, POLLIN, 0}};
    if (::poll(waits, std::size(waits), -1) < 0) continue;  // EINTR
    if (waits[0].revents != 0 && !write_some(in.writer(), script)) in.close(1);
    if (waits[1].revents != 0) reading_out = read_some(out.reader(), drawn.out);
    if (waits[2].revents != 0) reading_err = read_some(err.reader(), drawn.err);
  }
  return drawn;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// The last line that says something.
std::string last_words(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "it says nothing";
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin);
}

}  // namespace

void check_gnuplot() { gnuplot_path(); }

std::string draw(std::span<const Picture> pictures, const PictureFormat& format) {
  const std::string path = gnuplot_path();
  const std::string script = gnuplot_script(pictures, format);
  Pipe in, out, err;
  const pid_t child = start(path, in, out, err);
  in.close(0);
  out.close(1);
  err.close(1);
  Drawn drawn = talk(in, out, err, script);
  in.close(1);
  const int status = wait_for(child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || drawn.out.empty()) {
    throw Error(path, fmt::format("could not draw the picture: {}", last_words(drawn.err)),
                "gnuplot 5.4 or later is needed, with its cairo terminals for png and pdf");
  }
  return format.finish == nullptr ? drawn.out : format.finish(std::move(drawn.out));
}

std::string draw(const Picture& picture, const PictureFormat& format) {
  return draw(std::span(&picture, 1), format);
}

}  // namespace sigstab
