#pragma once
// A table of wrong configs, each refused before anything runs: with its place, the value or rule in
// the message, and the fix in the hint.

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

#include "support/plan_of.hpp"

namespace sigstab::testing {

struct BadConfig {
  const char* name;
  std::string text;
  std::string place;    // after "my.json": ":1:2", ": /depth", or nothing
  const char* message;  // its words, parted by " & "
  const char* hint;
};

inline void expect_words(const std::string& text, const std::string& words, const char* what) {
  for (std::size_t start = 0; start <= words.size();) {
    const std::size_t end = std::min(words.find(" & ", start), words.size());
    const std::string word = words.substr(start, end - start);
    EXPECT_NE(text.find(word), std::string::npos) << what << " \"" << text << "\" lacks " << word;
    start = end + 3;
  }
}

inline void check_all(std::span<const BadConfig> rows) {
  for (const BadConfig& row : rows) {
    SCOPED_TRACE(std::string(row.name) + ": " + row.text.substr(0, 200));
    try {
      const auto error = plan_error(row.text);
      if (!error) {
        ADD_FAILURE() << "it is accepted";
        continue;
      }
      EXPECT_EQ(error->where(), "my.json" + row.place) << error->what();
      expect_words(error->message(), row.message, "message");
      expect_words(error->hint(), row.hint, "hint");
    } catch (const std::exception& fault) {
      ADD_FAILURE() << "not an error for people: " << fault.what();
    }
  }
}

}  // namespace sigstab::testing
