#include "pipeline/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sigstab {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
        result += "&#10;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    }
  }
  return result;
}

}  // namespace

std::string junit_xml(const std::vector<JunitSuite>& suites) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const JunitSuite& suite : suites) {
    const auto failures = std::ranges::count_if(
        suite.cases, [](const JunitCase& one) { return !one.failure.empty(); });
    const auto skipped = std::ranges::count_if(suite.cases, &JunitCase::skipped);
    text += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                        escaped(suite.name), suite.cases.size(), failures, skipped);
    for (const JunitCase& one : suite.cases) {
      text += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(suite.name),
                          escaped(one.name));
      if (one.skipped) {
        text += "><skipped/></testcase>\n";
      } else if (one.failure.empty()) {
        text += "/>\n";
      } else {
        text += fmt::format("><failure message=\"{}\"/></testcase>\n", escaped(one.failure));
      }
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace sigstab
