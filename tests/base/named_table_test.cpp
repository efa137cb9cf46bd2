// Lookup by name, and the guess at what a mistyped name means.
//
// The distances are small enough to count by hand.

#include "base/named_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace sigstab {
namespace {

struct Row {
  std::string_view name;
  int value;
};
constexpr std::array<Row, 3> kRows = {{{"relu", 1}, {"gelu", 2}, {"tanh", 3}}};

TEST(NamedTable, FindsARowByItsExactName) {
  ASSERT_NE(find_row(kRows, "gelu"), nullptr);
  EXPECT_EQ(find_row(kRows, "gelu")->value, 2);
  EXPECT_EQ(find_row(kRows, "Gelu"), nullptr);
  EXPECT_EQ(find_row(kRows, "gelu "), nullptr);
  EXPECT_EQ(find_row(kRows, ""), nullptr);
}

TEST(NamedTable, NamesRowsInTheirOrder) {
  EXPECT_EQ(row_names(kRows), (Names{"relu", "gelu", "tanh"}));
  EXPECT_EQ(joined(row_names(kRows)), "relu, gelu, tanh");
  EXPECT_EQ(joined({"a", "b"}, "|"), "a|b");
  EXPECT_EQ(joined({}), "");
}

TEST(NearestName, AcceptsOneEditInAShortWord) {
  const Names names = row_names(kRows);
  EXPECT_EQ(nearest_name("rellu", names), "relu");  // one letter too many
  EXPECT_EQ(nearest_name("reu", names), "relu");    // one missing
  EXPECT_EQ(nearest_name("rely", names), "relu");   // one wrong
  EXPECT_EQ(nearest_name("tnah", names), "tanh");   // two swapped count once
  EXPECT_EQ(nearest_name("tn", names), std::nullopt);
}

TEST(NearestName, AllowsAThirdOfALongWord) {
  const Names names = {"xavier_uniform", "torch_default"};
  EXPECT_EQ(nearest_name("xavier_unfrm", names), "xavier_uniform");
  EXPECT_EQ(nearest_name("torchdefault", names), "torch_default");
  EXPECT_EQ(nearest_name("xavier_", names), std::nullopt);  // seven edits, two allowed
}

TEST(NearestName, IgnoresCaseAndPrefersTheNearestThenTheFirst) {
  EXPECT_EQ(nearest_name("RELU", row_names(kRows)), "relu");
  EXPECT_EQ(nearest_name("selu", {"relu", "selu"}), "selu");
  EXPECT_EQ(nearest_name("xelu", {"relu", "gelu"}), "relu");
}

TEST(NearestName, GuessesAtNothingEmptyOrEndless) {
  EXPECT_EQ(nearest_name("", row_names(kRows)), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100'000, 'a'), row_names(kRows)), std::nullopt);
  EXPECT_EQ(nearest_name("relu", {}), std::nullopt);
}

struct AliasedRow {
  std::string_view name, aliases;
};
constexpr std::array<AliasedRow, 3> kAliased = {
    {{"he", "kaiming kaiming_normal"}, {"silu", "swish"}, {"relu", ""}}};

TEST(NearestName, AnAliasMeansItsName) {
  const Names names = row_names(kAliased);
  EXPECT_EQ(names, (Names{"he", "silu", "relu"}));  // an alias is no name
  EXPECT_EQ(nearest_name("kaiming", names), "he");
  EXPECT_EQ(nearest_name("Kaiming_Normal", names), "he");
  EXPECT_EQ(nearest_name("kaimign", names), "he");
  EXPECT_EQ(nearest_name("swish", names), "silu");
  EXPECT_EQ(nearest_name("wish", names), "silu");
  EXPECT_EQ(nearest_name("", names), std::nullopt);
  EXPECT_EQ(name_hint("swish", names), "did you mean \"silu\"? known: he, silu, relu");
}

TEST(NearestName, ANameAsNearAsAnAliasWins) {
  Names names = {"gelu", "selu"};
  add_aliases(" xelu  yelu ", "selu", names);
  ASSERT_EQ(names.aliases.size(), 2U);
  EXPECT_EQ(nearest_name("zelu", names), "gelu");
  EXPECT_EQ(nearest_name("xelu", names), "selu");
  EXPECT_EQ(nearest_name("yelu", names), "selu");
}

TEST(NameHint, ListsWhatIsKnownAndGuesses) {
  EXPECT_EQ(name_hint("rleu", row_names(kRows)), "did you mean \"relu\"? known: relu, gelu, tanh");
  EXPECT_EQ(name_hint("swish", row_names(kRows)), "known: relu, gelu, tanh");
}

}  // namespace
}  // namespace sigstab
