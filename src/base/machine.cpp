#include "base/machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace sigstab {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

double first_number(const std::filesystem::path& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : kUnknown;  // "max" is no number
}

// The number after `key` in a file of lines "key number", times `unit`.
double keyed_number(const std::filesystem::path& path, const std::string& wanted, double unit) {
  std::ifstream file(path);
  std::string key, rest;
  double value = 0;
  while (file >> key >> value) {
    std::getline(file, rest);
    if (key == wanted) return value * unit;
  }
  return kUnknown;
}

struct GroupFiles {
  const char *limit, *usage, *reclaimable;
};
constexpr GroupFiles kVersion2 = {"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles kVersion1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "total_inactive_file"};

// What the group at root/path and every group above it leave; page cache that can be dropped is
// free.
double group_available(const std::filesystem::path& root, std::filesystem::path path,
                       const GroupFiles& files) {
  double available = kUnknown;
  for (;; path = path.parent_path()) {
    const std::filesystem::path folder = root / path.relative_path();
    const double limit = first_number(folder / files.limit);
    const double usage = first_number(folder / files.usage);
    if (limit != kUnknown && usage != kUnknown) {
      const double cache = keyed_number(folder / "memory.stat", files.reclaimable, 1);
      const double used = cache == kUnknown ? usage : std::max(0.0, usage - cache);
      available = std::min(available, std::max(0.0, limit - used));
    }
    if (path.empty() || path == path.root_path()) return available;
  }
}

// Lines of /proc/self/cgroup: "0::/path" (version 2) and "9:memory:/path" (version 1).
double control_group_available() {
  std::ifstream file("/proc/self/cgroup");
  double available = kUnknown;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controller = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controller.empty()) {
      available = std::min(available, group_available("/sys/fs/cgroup", path, kVersion2));
    } else if (controller == "memory") {
      available = std::min(available, group_available("/sys/fs/cgroup/memory", path, kVersion1));
    }
  }
  return available;
}

double address_space_available() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  const double pages = first_number("/proc/self/statm");
  const double used = pages == kUnknown ? 0 : pages * static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

}  // namespace

double available_memory() {
  return std::min({keyed_number("/proc/meminfo", "MemAvailable:", 1024), control_group_available(),
                   address_space_available()});
}

}  // namespace sigstab
