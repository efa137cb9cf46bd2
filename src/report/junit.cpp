#include "report/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/markup.hpp"

namespace sigstab {

std::string junit_xml(const std::vector<JunitSuite>& suites) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const JunitSuite& suite : suites) {
    const auto failures = std::ranges::count_if(
        suite.cases, [](const JunitCase& one) { return !one.failure.empty(); });
    const auto skipped = std::ranges::count_if(suite.cases, &JunitCase::skipped);
    const auto errors =
        std::ranges::count_if(suite.cases, [](const JunitCase& one) { return !one.error.empty(); });
    text += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
        escaped_attribute(suite.name), suite.cases.size(), failures, errors, skipped);
    for (const JunitCase& one : suite.cases) {
      text += fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                          escaped_attribute(suite.name), escaped_attribute(one.name));
      if (!one.error.empty()) {
        text += fmt::format("><error message=\"{}\"/></testcase>\n", escaped_attribute(one.error));
      } else if (one.skipped) {
        text += "><skipped/></testcase>\n";
      } else if (one.failure.empty()) {
        text += "/>\n";
      } else {
        text +=
            fmt::format("><failure message=\"{}\"/></testcase>\n", escaped_attribute(one.failure));
      }
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace sigstab
