// JSON text to values: what is refused and where, how places and values are shown.

#include "json/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::error_of;

std::string place_of_error(const std::string& text) {
  const auto error = error_of([&] { parse_json(text, "my.json"); });
  return error ? error->where() : "no error";
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  const Json value = parse_json(R"({"b": 1, "a": 2, "c": 3})", "my.json");
  EXPECT_EQ(value.dump(), R"({"b":1,"a":2,"c":3})");
}

TEST(ParseJson, TellsLineAndColumnOfMalformedText) {
  EXPECT_EQ(place_of_error("{\n  \"depth\": 5,\n}"), "my.json:3:1");
  EXPECT_EQ(place_of_error("{\"depth\": 5"), "my.json:1:12");
  EXPECT_EQ(place_of_error("{'depth': 5}"), "my.json:1:2");
  EXPECT_EQ(place_of_error("{} {}"), "my.json:1:4");
  EXPECT_EQ(place_of_error("nul"), "my.json:1:4");
  EXPECT_EQ(place_of_error("{\"a\": NaN}"), "my.json:1:7");
  EXPECT_EQ(place_of_error("{\"a\": 01}"), "my.json:1:8");
  EXPECT_EQ(place_of_error("[1,\n2,\n\"\xff\"]"), "my.json:3:2");
}

TEST(ParseJson, RefusesDuplicateKeysAtAnyDepthWithTheirPointer) {
  EXPECT_EQ(place_of_error(R"({"a": 1, "b": 2, "a": 3})"), "my.json: /a");
  EXPECT_EQ(place_of_error(R"({"c": [{"x": 1}, {"y": 1, "y": 1}]})"), "my.json: /c/1/y");
  EXPECT_EQ(place_of_error(R"({"a/b": {"~": 1, "~": 1}})"), "my.json: /a~1b/~0");
  EXPECT_EQ(place_of_error(R"([{"a": 1}, {"a": 1}])"), "no error");
  EXPECT_EQ(place_of_error("{\"a\": 1, \"\\u0061\": 1}"), "my.json: /a");
}

TEST(ParseJson, RefusesNestingThatCouldExhaustTheStack) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(place_of_error(nested(64)), "no error");
  EXPECT_NE(place_of_error(nested(65)).find("my.json: /0/0"), std::string::npos);
  EXPECT_NE(place_of_error(std::string(1'000'000, '[')).find("my.json: /0/0"), std::string::npos);
}

TEST(ParseJson, RefusesNumbersBeyondADoubleWithTheirPointer) {
  EXPECT_EQ(place_of_error(R"({"a": {"b": 1e999}})"), "my.json: /a/b");
  EXPECT_EQ(place_of_error(R"({"a": [1, 2, -1e999]})"), "my.json: /a/2");
  EXPECT_EQ(place_of_error(R"([[1], [2, 3], 1e400])"), "my.json: /2");
  EXPECT_EQ(place_of_error("1e-999"), "no error");
  const auto error = error_of([&] { parse_json("[1e999]", "my.json"); });
  EXPECT_EQ(error->message(), "number out of range '1e999'");
}

TEST(ParseJson, RefusesAnEmptyFile) {
  for (const char* text : {"", " \n\t "}) EXPECT_EQ(place_of_error(text), "my.json");
}

TEST(ParseJson, KeepsItsErrorsShort) {
  const auto error =
      error_of([] { parse_json("{\"a\": \"" + std::string(1'000'000, 'x'), "my.json"); });
  ASSERT_TRUE(error.has_value());
  EXPECT_LT(std::string(error->what()).size(), 500U);
}

TEST(Place, NamesTheStrongestSourceThatHoldsTheValue) {
  const Json file = Json::parse(R"({"norm": {"kind": "layernorm", "eps": 1}, "depth": 5})");
  const Json patch = Json::parse(R"({"norm": {"eps": 2}})");
  const Place place({{"my.json: /cases/1", &patch}, {"my.json: ", &file}});
  EXPECT_EQ(place.child("norm").child("eps").text(), "my.json: /cases/1/norm/eps");
  EXPECT_EQ(place.child("norm").child("kind").text(), "my.json: /norm/kind");
  EXPECT_EQ(place.child("depth").text(), "my.json: /depth");
  EXPECT_EQ(place.child("missing").text(), "my.json: /missing");
  EXPECT_EQ(place.child("a/b").child("~").text(), "my.json: /a~1b/~0");
}

TEST(Place, ShowsAShortFormAsTheStringItself) {
  const Json file = Json::parse(R"({"norm": "layernorm", "list": [1, {"a": 2}]})");
  const Place place({{"my.json: ", &file}});
  EXPECT_EQ(place.child("norm").child("kind").text(), "my.json: /norm");
  EXPECT_EQ(place.child("list").child(1).child("a").text(), "my.json: /list/1/a");
  EXPECT_EQ(Place({{"my.json: ", &file}}).child("list").child(7).text(), "my.json: /list/7");
}

TEST(Shown, GivesValueAndTypeOnOneShortLine) {
  EXPECT_EQ(shown("64"), "\"64\" (string)");
  EXPECT_EQ(shown(3.7), "3.7 (number)");
  EXPECT_EQ(shown(nullptr), "null (null)");
  EXPECT_EQ(shown(Json::array({1, "a"})), "[1,\"a\"] (array)");
  EXPECT_EQ(shown("a\nb"), "\"a\\nb\" (string)");
  const std::string text = shown(std::string(1000, 'x'));
  EXPECT_EQ(text, "\"" + std::string(59, 'x') + "... (string)");
}

TEST(Shown, CutsBetweenCharacters) {
  std::string sigmas = "a";  // so that a character straddles the limit
  for (int i = 0; i < 100; ++i) sigmas += "\xcf\x83";
  EXPECT_NO_THROW(static_cast<void>(Json(shown(sigmas)).dump()));  // dump refuses broken UTF-8
  EXPECT_NO_THROW(static_cast<void>(Json(shown("a" + sigmas)).dump()));
}

TEST(ScalarFrom, KeepsNumbersBooleansAndTextAndWritesTheRest) {
  EXPECT_EQ(scalar_from(5), Scalar(std::int64_t{5}));
  EXPECT_EQ(scalar_from(5.0), Scalar(std::int64_t{5}));
  EXPECT_EQ(scalar_from(true), Scalar(true));
  EXPECT_EQ(scalar_from("a"), Scalar(std::string("a")));
  EXPECT_EQ(scalar_from(Json::array({1, 2})), Scalar(std::string("[1,2]")));
  EXPECT_EQ(scalar_from(nullptr), Scalar(std::string("null")));
}

TEST(ScalarFrom, NeverWrapsAnUnsignedNumberRound) {
  EXPECT_EQ(scalar_from(18446744073709551615U), Scalar(std::string("18446744073709551615")));
  EXPECT_EQ(scalar_from(9223372036854775807U), Scalar(std::int64_t{9223372036854775807}));
}

}  // namespace
}  // namespace sigstab
