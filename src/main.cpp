// The only exit: errors become messages and exit codes here and nowhere else.

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>

#include "base/error.hpp"
#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "commands/commands.hpp"

// Debian's libhwy measures the resolution of the timer while it is loaded, 4 ms that only its
// benchmark functions need. The dynamic linker takes this definition first.
namespace hwy::platform {
std::uint64_t TimerResolution();
std::uint64_t TimerResolution() { return 1; }
}  // namespace hwy::platform

int main(int argc, char** argv) {
  // A closed pipe and a full quota are then error codes of write().
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return static_cast<int>(sigstab::run_cli(argc, argv, sigstab::all_commands()));
  } catch (const sigstab::Error& error) {
    sigstab::print_error(error);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr,
                 "sigstab: error: out of memory\nhint: make width, depth or tokens smaller\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sigstab: %s\nhint: this is a fault of sigstab; please report it\n",
                 error.what());
  }
  return static_cast<int>(sigstab::ExitCode::cannot_run);
}
