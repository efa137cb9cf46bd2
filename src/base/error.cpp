#include "base/error.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/markup.hpp"

namespace sigstab {
namespace {

// Told on terminals, and beyond a NUL by nobody: what a file brought along is made readable.
std::string whole_text(const std::string& where, const std::string& message,
                       const std::string& hint) {
  std::string text = where.empty() ? message : fmt::format("{}: {}", where, message);
  if (!hint.empty()) text += "\nhint: " + hint;
  return readable(text);
}

}  // namespace

Error::Error(std::string where, std::string message, std::string hint)
    : std::runtime_error(whole_text(where, message, hint)),
      where_(std::move(where)),
      message_(std::move(message)),
      hint_(std::move(hint)) {}

Error Error::within(const std::string& prefix) const {
  return Error(where_.empty() ? prefix : fmt::format("{}: {}", prefix, where_), message_, hint_);
}

void assertion_failed(const char* condition, const char* file, int line) {
  throw std::logic_error(
      fmt::format("internal error: {} does not hold at {}:{}", condition, file, line));
}

}  // namespace sigstab
