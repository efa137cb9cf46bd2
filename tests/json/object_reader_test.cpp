// The one reader of JSON values, on a table made for the test.
//
// Every wrong type, range, name and key is an Error with place, value and rule.

#include "json/object_reader.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/plan_of.hpp"

namespace sigstab {
namespace {

using testing::error_of;

Names colours() { return {"red", "green", "blue"}; }
constexpr Parameter kRedParameters[] = {{"depth", 0.5, 0, 1, "how red"},
                                        {"tone", kRequired, -kHuge, kHuge, "which red"}};
std::span<const Parameter> colour_parameters(std::string_view row) {
  return row == "red" ? std::span<const Parameter>(kRedParameters) : std::span<const Parameter>();
}
constexpr Field kColourFields[] = {{.name = "kind",
                                    .type = FieldType::name,
                                    .fallback = "\"green\"",
                                    .help = "the colour",
                                    .allowed = colours},
                                   {.name = "gain",
                                    .type = FieldType::number,
                                    .fallback = "1",
                                    .help = "a gain",
                                    .low = 0,
                                    .high = 10}};
constexpr ObjectTable kColourTable = {"kind", kColourFields, colour_parameters};
constexpr Field kFields[] = {
    {.name = "count",
     .type = FieldType::integer,
     .fallback = "3",
     .help = "a count",
     .low = 1,
     .high = 1048576},
    {.name = "size", .type = FieldType::number, .help = "a size", .low = -2.5},
    {.name = "on", .type = FieldType::boolean, .fallback = "true", .help = "a switch"},
    {.name = "title", .type = FieldType::text, .fallback = "\"none\"", .help = "a title"},
    {.name = "colour",
     .type = FieldType::name,
     .fallback = "\"red\"",
     .help = "a colour",
     .allowed = colours},
    {.name = "colours",
     .type = FieldType::names,
     .fallback = "[]",
     .help = "colours",
     .allowed = colours},
    {.name = "numbers", .type = FieldType::numbers, .fallback = "[1, 2]", .help = "numbers"},
    {.name = "seed", .type = FieldType::seed, .fallback = "0", .help = "a seed"},
    {.name = "paint",
     .type = FieldType::object,
     .fallback = "\"green\"",
     .help = "a paint",
     .table = &kColourTable}};
constexpr ObjectTable kTable = {"", kFields};

// A reader that owns its JSON.
struct Reading {
  explicit Reading(const std::string& text)
      : object(Json::parse(text)), reader(object, kTable, Place({{"f: ", &object}})) {}
  Json object;
  ObjectReader reader;
};

// "PLACE | MESSAGE" of reading the text; the action takes the reader.
template <class Action>
std::string refusal(const std::string& text, Action action) {
  const auto error = error_of([&] {
    const Reading reading(text);
    action(reading.reader);
  });
  return error ? error->where() + " | " + error->message() : "no error";
}

TEST(ObjectReader, GivesTheTablesDefaultsForMissingKeys) {
  const Reading r("{}");
  EXPECT_EQ(r.reader.integer("count"), 3);
  EXPECT_TRUE(r.reader.boolean("on"));
  EXPECT_EQ(r.reader.text("title"), "none");
  EXPECT_EQ(r.reader.name("colour"), "red");
  EXPECT_TRUE(r.reader.names("colours").empty());
  EXPECT_EQ(r.reader.numbers("numbers"), (std::vector<double>{1, 2}));
  EXPECT_EQ(r.reader.seed("seed"), Seed(0));
  EXPECT_EQ(r.reader.object("paint").name("kind"), "green");
  EXPECT_FALSE(r.reader.has("count"));
}

TEST(ObjectReader, AsksForAKeyWithoutDefault) {
  EXPECT_EQ(refusal("{}", [](const ObjectReader& r) { r.number("size"); }),
            "f | \"size\" is missing");
}

TEST(ObjectReader, TakesOnlyWholeNumbersInRangeForAnInteger) {
  const auto integer = [](const std::string& value) {
    return refusal("{\"count\": " + value + "}", [](const ObjectReader& r) { r.integer("count"); });
  };
  EXPECT_EQ(integer("1"), "no error");
  EXPECT_EQ(integer("1048576"), "no error");
  const std::string rule = "f: /count | expected an integer in [1, 1048576], got ";
  EXPECT_EQ(integer("0"), rule + "0 (number)");
  EXPECT_EQ(integer("-1"), rule + "-1 (number)");
  EXPECT_EQ(integer("1048577"), rule + "1048577 (number)");
  EXPECT_EQ(integer("3.7"), rule + "3.7 (number)");
  EXPECT_EQ(integer("3.0"), rule + "3.0 (number)");
  EXPECT_EQ(integer("18446744073709551615"), rule + "18446744073709551615 (number)");
  EXPECT_EQ(integer("\"64\""), rule + "\"64\" (string)");
  EXPECT_EQ(integer("true"), rule + "true (boolean)");
  EXPECT_EQ(integer("null"), rule + "null (null)");
  EXPECT_EQ(integer("[3]"), rule + "[3] (array)");
}

TEST(ObjectReader, TakesAnyNumberInRangeForAReal) {
  const auto number = [](const std::string& value) {
    return refusal("{\"size\": " + value + "}", [](const ObjectReader& r) { r.number("size"); });
  };
  EXPECT_EQ(number("-2.5"), "no error");
  EXPECT_EQ(number("7"), "no error");
  EXPECT_EQ(number("1e308"), "no error");
  EXPECT_EQ(number("-2.6"), "f: /size | expected a number >= -2.5, got -2.6 (number)");
  EXPECT_EQ(number("\"1\""), "f: /size | expected a number >= -2.5, got \"1\" (string)");
}

TEST(ObjectReader, RefusesOtherTypesForTextBooleansAndNames) {
  EXPECT_EQ(refusal(R"({"on": 1})", [](const ObjectReader& r) { r.boolean("on"); }),
            "f: /on | expected true or false, got 1 (number)");
  EXPECT_EQ(refusal(R"({"title": 1})", [](const ObjectReader& r) { r.text("title"); }),
            "f: /title | expected text, got 1 (number)");
  EXPECT_EQ(refusal(R"({"colour": "gren"})", [](const ObjectReader& r) { r.name("colour"); }),
            "f: /colour | unknown name \"gren\" (string)");
  EXPECT_EQ(refusal(R"({"colour": 3})", [](const ObjectReader& r) { r.name("colour"); }),
            "f: /colour | expected one of red, green, blue, got 3 (number)");
}

TEST(ObjectReader, RefusesWrongLists) {
  const auto names = [](const ObjectReader& r) { r.names("colours"); };
  EXPECT_EQ(refusal(R"({"colours": ["red", "red"]})", names),
            "f: /colours/1 | \"red\" is listed twice");
  EXPECT_EQ(refusal(R"({"colours": ["red", "rod"]})", names),
            "f: /colours/1 | unknown name \"rod\" (string)");
  EXPECT_EQ(refusal(R"({"colours": "red"})", names),
            "f: /colours | expected a list of names, got \"red\" (string)");
  const auto numbers = [](const ObjectReader& r) { r.numbers("numbers"); };
  EXPECT_EQ(refusal(R"({"numbers": []})", numbers),
            "f: /numbers | expected a list of numbers, got [] (array)");
}

TEST(ObjectReader, RefusesUnknownKeysWithTheNearestName) {
  const auto error = error_of([] { Reading(R"({"cuont": 3})"); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->where(), "f: /cuont");
  EXPECT_EQ(error->message(), "unknown key \"cuont\"");
  EXPECT_EQ(error->hint().substr(0, 23), "did you mean \"count\"? k");
}

TEST(ObjectReader, KnowsTheParametersOfTheNamedRow) {
  const Reading r(R"({"paint": {"kind": "red", "tone": -7}})");
  EXPECT_EQ(r.reader.object("paint").parameters(), (std::vector<double>{0.5, -7}));
  const auto paint = [](const ObjectReader& reader) { reader.object("paint").parameters(); };
  EXPECT_EQ(refusal(R"({"paint": {"kind": "red"}})", paint),
            "f: /paint | kind \"red\" needs \"tone\"");
  EXPECT_EQ(refusal(R"({"paint": {"kind": "blue", "tone": 1}})", paint),
            "f: /paint/tone | unknown key \"tone\" of kind \"blue\"");
  EXPECT_EQ(refusal(R"({"paint": {"kind": "red", "tone": 1, "depth": 2}})", paint),
            "f: /paint/depth | expected a number in [0, 1], got 2 (number)");
}

TEST(ObjectReader, TakesAnObjectOnlyWhereOneIsMeant) {
  const auto paint = [](const ObjectReader& reader) { reader.object("paint"); };
  EXPECT_EQ(refusal(R"({"paint": 5})", paint),
            "f: /paint | expected a name or an object, got 5 (number)");
  EXPECT_EQ(refusal("[1]", [](const ObjectReader&) {}), "f | expected an object, got [1] (array)");
}

TEST(ReadSeed, TakesNonNegativeIntegersOfAnySize) {
  const auto seed = [](const Json& value) {
    return read_seed(value, Place({{"f: ", &value}})).text();
  };
  EXPECT_EQ(seed(0), "0");
  EXPECT_EQ(seed(18446744073709551615U), "18446744073709551615");
  EXPECT_EQ(seed("0018446744073709551616"), "18446744073709551616");
  for (const Json& wrong :
       {Json(-1), Json(1.0), Json("x"), Json(""), Json("-1"), Json(true), Json()}) {
    EXPECT_TRUE(error_of([&] { seed(wrong); }).has_value()) << wrong;
  }
}

TEST(ApplyPatch, ChangesFieldsByObjectsAndReplacesByStrings) {
  const auto patched = [](const char* base, const char* patch) {
    Json object = Json::parse(base);
    expand_short_forms(object, kTable);
    apply_patch(object, Json::parse(patch), kTable);
    return object.dump();
  };
  const char* base = R"({"count": 4, "paint": {"kind": "red", "tone": 1}})";
  EXPECT_EQ(patched(base, R"({"paint": {"tone": 2}})"),
            R"({"count":4,"paint":{"kind":"red","tone":2}})");
  EXPECT_EQ(patched(base, R"({"paint": "blue"})"), R"({"count":4,"paint":{"kind":"blue"}})");
  EXPECT_EQ(patched(base, R"({"paint": null})"), R"({"count":4})");
  EXPECT_EQ(patched(base, R"({"paint": {"tone": null}, "count": 5})"),
            R"({"count":5,"paint":{"kind":"red"}})");
  EXPECT_EQ(patched(R"({"paint": "blue"})", R"({"paint": {"gain": 2}})"),
            R"({"paint":{"kind":"blue","gain":2}})");
}

}  // namespace
}  // namespace sigstab
