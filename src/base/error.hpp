#pragma once
// The one exception type for what a user can mend: a bad config, a missing file, a full disk.
//
// It becomes, on stderr,
//   sigstab: error: my.json: /depth: expected an integer in [1, 100000], got "64" (string)
//   hint: ...
// Our own mistakes are SIGSTAB_ASSERT, which throws std::logic_error with file and line.

#include <stdexcept>
#include <string>

namespace sigstab {

// Process exit codes, documented in the README.
enum class ExitCode : int { ok = 0, difference = 1, cannot_run = 2, interrupted = 130 };

class Error : public std::runtime_error {
 public:
  // where: file and JSON pointer, or a flag; message: the value and the rule; hint: the fix. Any
  // but the message may be empty.
  Error(std::string where, std::string message, std::string hint = "");

  const std::string& where() const { return where_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }

  // The same error, with `prefix: ` before its place.
  Error within(const std::string& prefix) const;

 private:
  std::string where_, message_, hint_;
};

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace sigstab

#define SIGSTAB_ASSERT(condition) \
  ((condition) ? void(0) : ::sigstab::assertion_failed(#condition, __FILE__, __LINE__))
