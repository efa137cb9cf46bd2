#pragma once
// Verdicts as JUnit XML, which CI systems read.

#include <string>
#include <vector>

namespace sigstab {

struct JunitCase {
  std::string name;
  std::string failure;  // empty: it passed
  bool skipped = false;
  std::string error = "";  // why it could not be told; empty: it could
};
struct JunitSuite {
  std::string name;
  std::vector<JunitCase> cases;
};

// Text is escaped; what XML cannot hold becomes U+FFFD.
std::string junit_xml(const std::vector<JunitSuite>& suites);

}  // namespace sigstab
