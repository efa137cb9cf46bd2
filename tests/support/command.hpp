#pragma once
// Runs the binary as a user would: in a fresh directory of its own, with stdout and stderr apart,
// and nothing on stdin unless a test gives it something.
//
// fork and exec, no shell, so that arguments need no quoting and the exit status is the program's.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "support/text.hpp"

namespace sigstab::testing {

namespace fs = std::filesystem;

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A config that runs at once.
inline constexpr const char* kSmall = R"({"width": 4, "depth": 3, "title": "small"})";

struct Outcome {
  int code;  // the exit code; 128 + n after signal n
  std::string out, err;
};

// A mistake of the user's: exit code 2, nothing on stdout, "sigstab: error: " and these parts.
inline void expect_error(const Outcome& outcome, const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.substr(0, 16), "sigstab: error: ") << outcome.err;
  EXPECT_FALSE(has(outcome.err, "fault of sigstab")) << outcome.err;
  for (const std::string& part : parts) EXPECT_TRUE(has(outcome.err, part)) << outcome.err << part;
}

struct Terminal {
  unsigned short columns;
  std::string kind = "xterm";  // TERM
};

class Command : public ::testing::Test {
 protected:
  Command() {
    std::string name = (fs::temp_directory_path() / "sigstab_XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~Command() override {
    fs::remove_all(directory_);
    fs::remove(input_path());
  }

  // Standard output goes to `out` if one is named, else into the outcome.
  Outcome run(const std::vector<std::string>& arguments, const std::string& out = "") const {
    const fs::path out_path = out.empty() ? fs::path(directory_.string() + ".out") : fs::path(out);
    const fs::path err_path = directory_.string() + ".err";
    const pid_t child = ::fork();
    if (child == 0) {
      redirect(out_path, STDOUT_FILENO);
      redirect(err_path, STDERR_FILENO);
      exec(arguments);
    }
    const int code = wait_for(child);
    Outcome outcome{code, out.empty() ? text_of(out_path) : "", text_of(err_path)};
    if (out.empty()) fs::remove(out_path);
    fs::remove(err_path);
    return outcome;
  }

  // Sends the signal as soon as `file` holds that many lines.
  Outcome run_until(const std::vector<std::string>& arguments, const std::string& file,
                    std::ptrdiff_t lines, int signal = SIGINT) const {
    return run_and_kill(arguments, signal, [&] {
      for (int tries = 0; tries < 20'000; ++tries) {
        const std::string text = read(file);
        if (std::count(text.begin(), text.end(), '\n') >= lines) break;
        ::usleep(1000);
      }
    });
  }

  // Sends the signal after so many microseconds, unless the program has ended.
  Outcome run_for(const std::vector<std::string>& arguments, int signal,
                  useconds_t microseconds) const {
    return run_and_kill(arguments, signal, [&] { ::usleep(microseconds); });
  }

  // On a terminal of its own, in whose `out` all that it shows is. Ctrl-C is typed as soon as a
  // part of that matches.
  Outcome run_on_terminal(const std::vector<std::string>& arguments, const Terminal& terminal,
                          const std::optional<std::regex>& enough) const {
    const winsize size{24, terminal.columns, 0, 0};
    int master = -1;
    const pid_t child = ::forkpty(&master, nullptr, nullptr, &size);
    if (child == 0) {
      ::setenv("TERM", terminal.kind.c_str(), 1);
      for (int heard : {SIGINT, SIGTERM}) std::signal(heard, SIG_DFL);
      exec(arguments);
    }
    Outcome outcome{0, "", ""};
    char buffer[4096];
    bool typed = false;
    for (;;) {
      const ssize_t count = ::read(master, buffer, sizeof buffer);
      if (count <= 0) break;  // the program has ended
      outcome.out.append(buffer, static_cast<std::size_t>(count));
      if (typed || !enough || !std::regex_search(outcome.out, *enough)) continue;
      typed = ::write(master, "\x03", 1) == 1;
    }
    ::close(master);
    outcome.code = wait_for(child);
    return outcome;
  }

  // The program's exit code when the reader of its output has gone already, and its stderr.
  Outcome run_into_closed_pipe(const std::vector<std::string>& arguments) const {
    int ends[2];
    if (::pipe(ends) != 0) return {-1, "", "no pipe"};
    const fs::path err_path = directory_.string() + ".err";
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      redirect(err_path, STDERR_FILENO);
      exec(arguments);
    }
    ::close(ends[0]);
    ::close(ends[1]);
    Outcome outcome{wait_for(child), "", ""};
    outcome.err = text_of(err_path);
    fs::remove(err_path);
    return outcome;
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const { return text_of(directory_ / name); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  const fs::path& directory() const { return directory_; }
  // From now on that stands on standard input.
  void give(const std::string& text) const {
    std::ofstream(input_path(), std::ios::binary) << text;
  }
  // From now on no file can grow beyond that: a disk that fills up in the middle of a write.
  void limit_files(rlim_t bytes) { file_limit_ = bytes; }

 private:
  template <class Wait>
  Outcome run_and_kill(const std::vector<std::string>& arguments, int signal,
                       const Wait& wait) const {
    const fs::path err_path = directory_.string() + ".err";
    const pid_t child = ::fork();
    if (child == 0) {
      redirect(err_path, STDERR_FILENO);
      redirect("/dev/null", STDOUT_FILENO);
      for (int heard : {SIGINT, SIGTERM}) std::signal(heard, SIG_DFL);
      exec(arguments);
    }
    wait();
    ::kill(child, signal);
    Outcome outcome{wait_for(child), "", ""};
    outcome.err = text_of(err_path);
    fs::remove(err_path);
    return outcome;
  }
  static void redirect(const fs::path& path, int descriptor) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
    ::close(file);
  }
  fs::path input_path() const { return directory_.string() + ".in"; }
  void open_input() const {
    const int given = ::open(input_path().c_str(), O_RDONLY);
    const int file = given >= 0 ? given : ::open("/dev/null", O_RDONLY);
    if (file < 0 || ::dup2(file, STDIN_FILENO) < 0) ::_exit(126);
    ::close(file);
  }
  [[noreturn]] void exec(const std::vector<std::string>& arguments) const {
    open_input();
    if (::chdir(directory_.c_str()) != 0) ::_exit(126);
    if (file_limit_ != RLIM_INFINITY) {
      const rlimit limit{file_limit_, file_limit_};
      std::signal(SIGXFSZ, SIG_IGN);  // write() then fails
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    const std::string binary = binary_path();
    std::vector<char*> argv = {const_cast<char*>(binary.c_str())};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(binary.c_str(), argv.data());
    ::_exit(126);
  }
  static int wait_for(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  fs::path directory_;
  rlim_t file_limit_ = RLIM_INFINITY;
};

}  // namespace sigstab::testing
