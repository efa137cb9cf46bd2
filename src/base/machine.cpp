#include "base/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace sigstab {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

double first_number(const char* path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : kUnknown;  // "max" is no number
}

double meminfo_available() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  double kilobytes = 0;
  while (file >> key >> kilobytes) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return kilobytes * 1024;
  }
  return kUnknown;
}

}  // namespace

double available_memory() {
  double available = meminfo_available();
  const double limit = first_number("/sys/fs/cgroup/memory.max");
  if (limit != kUnknown) {
    const double used = first_number("/sys/fs/cgroup/memory.current");
    available = std::min(available, std::max(0.0, limit - (used == kUnknown ? 0 : used)));
  }
  return available;
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

}  // namespace sigstab
