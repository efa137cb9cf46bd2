#include "base/markup.hpp"

#include <gtest/gtest.h>

#include "config/read_config.hpp"
#include "report/junit.hpp"
#include "run/plan.hpp"

namespace sigstab {
namespace {

const std::string kMark = "\xEF\xBF\xBD";

TEST(Readable, KeepsWhatMarkupCanHold) {
  for (const char* text : {"", "a\tb\r\nc", "sigma \xCF\x83", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                           "\xC2\xA0", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBD"}) {
    EXPECT_EQ(readable(text), text);
  }
}

// Each byte of what is no character is replaced by itself, as browsers show it or more often.
TEST(Readable, ReplacesWhatMarkupCannotHold) {
  EXPECT_EQ(readable(std::string("a\0b", 3)), "a" + kMark + "b");
  EXPECT_EQ(readable("\x01\x1F\x7F"), kMark + kMark + kMark);
  EXPECT_EQ(readable("\xFF\xFE"), kMark + kMark);
  EXPECT_EQ(readable("\xC2\x85"), kMark + kMark);              // a control of Latin-1
  EXPECT_EQ(readable("\xC0\xAF"), kMark + kMark);              // "/", too long
  EXPECT_EQ(readable("\xE0\x80\xAF"), kMark + kMark + kMark);  // the same
  EXPECT_EQ(readable("\xED\xA0\x80"), kMark + kMark + kMark);  // a surrogate
  EXPECT_EQ(readable("\xEF\xBF\xBE"), kMark + kMark + kMark);  // U+FFFE
  EXPECT_EQ(readable("\xF4\x90\x80\x80"), kMark + kMark + kMark + kMark);
  EXPECT_EQ(readable("\xE2\x82"), kMark + kMark);  // cut off
  EXPECT_EQ(readable("\xE2\x82<b>"), kMark + kMark + "<b>");
}

TEST(Escaped, TextIsNeverMarkup) {
  EXPECT_EQ(escaped_markup("<a href=\"x\" id='y'> & ]]>\n"),
            "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt; &amp; ]]&gt;\n");
  EXPECT_EQ(escaped_markup("\xFF<"), kMark + "&lt;");
  EXPECT_EQ(escaped_attribute("a\tb\nc\rd<"), "a&#9;b&#10;c&#13;d&lt;");
}

TEST(Escaped, JunitHoldsAnyName) {
  const std::string xml = junit_xml({{"s", {{"\x1B[1m\xFF'", "got ]]> & <b>", false}}}});
  EXPECT_NE(xml.find("name=\"" + kMark + "[1m" + kMark + "&#39;\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("message=\"got ]]&gt; &amp; &lt;b&gt;\""), std::string::npos) << xml;
}

TEST(Escaped, AnExperimentNamedByItsFileIsReadable) {
  const Plan plan = make_plan(read_config(R"({"depth": 2, "width": 2})", "\xFF.json", {}));
  EXPECT_EQ(plan.experiment, kMark);
}

}  // namespace
}  // namespace sigstab
