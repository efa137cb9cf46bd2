#include "report/junit.hpp"

#include <gtest/gtest.h>

namespace sigstab {
namespace {

TEST(Junit, CountsAndEscapes) {
  const std::string xml = junit_xml({{"a <b>",
                                      {{"passes", "", false},
                                       {"fails", "1 & \"2\"\n", false},
                                       {"later", "", true},
                                       {"broken", "", false, "<no> \"config\"\nhint: none"}}}});
  EXPECT_EQ(
      xml,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"a &lt;b&gt;\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">\n"
      "    <testcase classname=\"a &lt;b&gt;\" name=\"passes\"/>\n"
      "    <testcase classname=\"a &lt;b&gt;\" name=\"fails\"><failure message=\"1 &amp; "
      "&quot;2&quot;&#10;\"/></testcase>\n"
      "    <testcase classname=\"a &lt;b&gt;\" name=\"later\"><skipped/></testcase>\n"
      "    <testcase classname=\"a &lt;b&gt;\" name=\"broken\"><error message=\"&lt;no&gt; "
      "&quot;config&quot;&#10;hint: none\"/></testcase>\n"
      "  </testsuite>\n</testsuites>\n");
}

}  // namespace
}  // namespace sigstab
