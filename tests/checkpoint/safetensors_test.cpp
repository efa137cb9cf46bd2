// The safetensors header as untrusted input: every rule of the format broken once, and thousands of
// random changes to a whole file, which may be refused but do nothing worse.

#include "checkpoint/safetensors.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "checkpoint/inspect.hpp"
#include "support/bad_config.hpp"
#include "support/paths.hpp"

namespace sigstab {
namespace {

using testing::error_of;

std::string entry(const std::string& name, const std::string& rest) {
  return "{\"" + name + "\": {" + rest + "}}";
}
const std::string kGood = R"("dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24])";

TEST(Safetensors, AHeaderIsReadIntoNamesFormatsShapesAndPlaces) {
  const auto tensors = parse_tensor_header(
      R"({"__metadata__": {"format": "pt"},
          "b": {"dtype": "BF16", "shape": [], "data_offsets": [24, 26]},
          "a": {"shape": [2, 3], "data_offsets": [0, 24], "dtype": "F32"},
          "c": {"dtype": "I64", "shape": [0, 7], "data_offsets": [26, 26]},
          "d": {"dtype": "F4", "shape": [3, 2], "data_offsets": [26, 29]}}   )",
      29, "m");
  ASSERT_EQ(tensors.size(), 4U);
  EXPECT_EQ(tensors[0].name, "a");
  EXPECT_EQ(tensors[0].format->name, "F32");
  EXPECT_EQ(tensors[0].shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(tensors[0].count(), 6U);
  EXPECT_EQ(tensors[1].begin, 24U);
  EXPECT_EQ(tensors[1].count(), 1U);
  EXPECT_EQ(shape_text(tensors[1].shape), "scalar");
  EXPECT_EQ(tensors[2].count(), 0U);
  EXPECT_FALSE(tensors[2].format->is_real());
  EXPECT_EQ(tensors[3].count(), 6U);
  EXPECT_TRUE(parse_tensor_header("{}", 0, "m").empty());
}

struct BadHeader {
  const char* name;
  std::string text;
  std::uint64_t data;
  const char* place;  // after "m"
  const char* message;
};

const std::string kDeep = std::string(100'000, '[');

const BadHeader kBad[] = {
    {"no JSON", "{\"a\": ", 0, "", "no JSON & byte"},
    {"nothing", "", 0, "", "no JSON"},
    {"a list", "[]", 0, "", "expected an object of tensors, got a list"},
    {"text behind", "{} {}", 0, "", "no JSON"},
    {"not UTF-8", "{\"\xff\": {}}", 0, "", "no JSON"},
    {"a bomb", kDeep, 0, "", "got a list"},
    {"a bomb in a tensor", "{\"a\": " + kDeep, 0, ": tensor \"a\"", "got a list"},
    {"a bomb in a shape", "{\"a\": {\"shape\": [" + kDeep, 0, ": tensor \"a\": shape",
     "got a list"},
    {"a bomb of objects", "{\"a\": {\"shape\": {\"a\": ", 0, ": tensor \"a\": shape", "an object"},
    {"a bomb in the metadata", "{\"__metadata__\": {\"a\": " + kDeep, 0,
     ": tensor \"__metadata__\"", "expected texts, got a list"},
    {"a name twice",
     R"({"a": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]},
         "a": {"dtype": "F32", "shape": [], "data_offsets": [4, 8]}})",
     8, "", "\"a\" is there twice"},
    {"a key twice", entry("a", R"("dtype": "F32", "dtype": "F32")"), 0, ": tensor \"a\"",
     "\"dtype\" is there twice"},
    {"an unknown key", entry("a", R"("offset": 3)"), 0, ": tensor \"a\"", "unknown key \"offset\""},
    {"a number for a tensor", R"({"a": 3})", 0, ": tensor \"a\"", "expected an object & got 3"},
    {"an unknown dtype", entry("a", R"("dtype": "F31")"), 0, ": tensor \"a\"",
     "unknown dtype \"F31\""},
    {"a dtype that is no name", entry("a", R"("dtype": 32)"), 0, ": tensor \"a\": dtype",
     "expected a dtype's name, got 32"},
    {"no dtype", entry("a", R"("shape": [], "data_offsets": [0, 4])"), 4, ": tensor \"a\"",
     "it has no dtype"},
    {"no shape", entry("a", R"("dtype": "F32", "data_offsets": [0, 4])"), 4, ": tensor \"a\"",
     "it has no shape"},
    {"no offsets", entry("a", R"("dtype": "F32", "shape": [])"), 4, ": tensor \"a\"",
     "it has no data_offsets"},
    {"a negative side", entry("a", R"("shape": [-1])"), 0, ": tensor \"a\": shape",
     "whole numbers & got -1"},
    {"half a side", entry("a", R"("shape": [1.5])"), 0, ": tensor \"a\": shape", "got 1.5"},
    {"a side as text", entry("a", R"("shape": ["4"])"), 0, ": tensor \"a\": shape", "got \"4\""},
    {"a side beyond all", entry("a", R"("shape": [18446744073709551616])"), 0,
     ": tensor \"a\": shape", "got 18446744073709551616"},
    {"a side of 2^63", entry("a", R"("shape": [9223372036854775808])"), 0, ": tensor \"a\": shape",
     "got 9223372036854775808"},
    {"a number out of range", entry("a", R"("shape": [1e999])"), 0, "", "no JSON"},
    {"a product that overflows",
     entry("a", R"("dtype": "F32", "shape": [4294967296, 4294967296], "data_offsets": [0, 0])"), 0,
     ": tensor \"a\": shape", "4294967296x4294967296 F32 is more than any file holds"},
    {"an overflow before a zero",
     entry("a", R"("dtype": "F32", "shape": [4294967296, 4294967296, 0], "data_offsets": [0, 0])"),
     0, ": tensor \"a\": shape", "more than any file holds"},
    {"one offset", entry("a", R"("dtype": "F32", "shape": [], "data_offsets": [0])"), 4,
     ": tensor \"a\": data_offsets", "expected [begin, end]"},
    {"three offsets", entry("a", R"("dtype": "F32", "shape": [], "data_offsets": [0, 4, 8])"), 4,
     ": tensor \"a\": data_offsets", "got 8"},
    {"offsets the wrong way round",
     entry("a", R"("dtype": "F32", "shape": [], "data_offsets": [4, 0])"), 4,
     ": tensor \"a\": data_offsets", "begin <= end, got [4, 0]"},
    {"too few bytes", entry("a", R"("dtype": "F32", "shape": [2], "data_offsets": [0, 4])"), 4,
     ": tensor \"a\"", "2 F32 takes 64 bits & span 4 bytes"},
    {"half a byte", entry("a", R"("dtype": "F4", "shape": [3], "data_offsets": [0, 1])"), 1,
     ": tensor \"a\"", "3 F4 takes 12 bits"},
    {"data behind the end", entry("a", kGood), 23, ": tensor \"a\"",
     "ends at byte 24 & 23 bytes of data"},
    {"bytes that follow", entry("a", kGood), 25, "",
     "25 bytes of data, and the last tensor ends at 24"},
    {"a hole", entry("a", R"("dtype": "F32", "shape": [], "data_offsets": [4, 8])"), 8,
     ": tensor \"a\"", "begins at byte 4, with a hole behind"},
    {"an overlap",
     R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
         "b": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}})",
     12, ": tensor \"b\"", "begins at byte 4, within & ends at 8"},
    {"nothing within another",
     R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
         "b": {"dtype": "F32", "shape": [0], "data_offsets": [4, 4]}})",
     8, ": tensor \"b\"", "begins at byte 4, within"},
    {"a name that steers terminals", "{\"\\u001b[31m\": 3}", 0, ": tensor \"\\x1b[31m\"", "got 3"},
};

TEST(Safetensors, EveryWrongHeaderIsToldByTensorValueAndRule) {
  for (const BadHeader& bad : kBad) {
    SCOPED_TRACE(bad.name);
    const auto error = error_of([&] { parse_tensor_header(bad.text, bad.data, "m"); });
    ASSERT_TRUE(error) << "it is accepted";
    EXPECT_EQ(error->where(), std::string("m") + bad.place);
    testing::expect_words(error->message(), bad.message, "message");
    EXPECT_NE(error->hint(), "");
  }
}

TEST(Safetensors, AnIndexMapsNamesToPlainFiles) {
  const WeightMap map = parse_weight_map(
      R"({"metadata": {"total_size": 9, "x": [{"weight_map": 1}]}, "weight_map": {"b": "2.st", "a": "1.st"}})",
      "i");
  EXPECT_EQ(map, (WeightMap{{"b", "2.st"}, {"a", "1.st"}}));
  const auto refused = [](const std::string& text, const char* words) {
    const auto error = error_of([&] { parse_weight_map(text, "i"); });
    ASSERT_TRUE(error) << text;
    testing::expect_words(error->what(), words, "error");
  };
  for (const char* name :
       {"", ".", "..", "../x", "/etc/passwd", "a/b", "a\\\\b", "a\\u0000b", "a\\u001bb"}) {
    refused(fmt::format(R"({{"weight_map": {{"t": "{}"}}}})", name),
            "i: weight_map: \"t\" & plain name");
  }
  refused("{}", "no weight_map");
  refused(R"({"weight_map": {}})", "no weight_map, or an empty one");
  refused(R"({"weight_map": []})", "got a list");
  refused(R"({"weight_map": {"a": 3}})", "got 3");
  refused(R"({"weight_map": {"a": {"b": "c"}}})", "got an object");
  refused(R"({"weight_map": {"a": "1", "a": "2"}})", "twice");
  refused("[]", "got a list");
  refused("{\"metadata\": " + kDeep, "nested deeper than 64");
  refused("{\"weight_map\": ", "no JSON");
}

// --- whole files --------------------------------------------------------------------------------

class SafetensorsFile : public ::testing::Test {
 protected:
  SafetensorsFile() {
    std::string name = (std::filesystem::temp_directory_path() / "sigstab_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~SafetensorsFile() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& bytes, const char* name = "m.safetensors") const {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }
  static std::string file_of(std::uint64_t length, const std::string& header,
                             const std::string& data) {
    std::string bytes(8, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(length & 255);
      length >>= 8;
    }
    return bytes + header + data;
  }
  // Reads all of a file, as inspect does.
  static void inspect(const std::string& path) {
    const Checkpoint checkpoint(path);
    std::vector<InspectedTensors> rows = list_tensors(checkpoint, {});
    Team alone(1);
    measure_tensors(alone, rows);
  }

  std::filesystem::path folder_;
};

TEST_F(SafetensorsFile, LengthsThatCannotBeAreRefused) {
  const auto refused = [&](const std::string& bytes, const char* words) {
    const std::string path = write(bytes);
    const auto error = error_of([&] { read_safetensors(InputFile(path)); });
    ASSERT_TRUE(error) << words;
    testing::expect_words(error->what(), words, "error");
  };
  refused("", "0 bytes are no safetensors file");
  refused("1234567", "7 bytes");
  refused(file_of(3, "{}", ""), "its header would be 3 bytes & the file has 10");
  refused(file_of(100'000'001, "{}", ""), "its header would be 100000001 bytes & the most is");
  refused(file_of(~std::uint64_t{0}, "{}", ""), "18446744073709551615 bytes & the most is");
  refused("PK\3\4 a PyTorch archive, say", ".bin, .pt and .gguf files are not");
}

// The program must not die of it, as it would of a mapping.
TEST_F(SafetensorsFile, AFileThatIsCutAfterItsHeaderWasReadIsAnError) {
  const std::string header =
      entry("a", R"("dtype": "F32", "shape": [1000], "data_offsets": [0, 4000])");
  const std::string path = write(file_of(header.size(), header, std::string(4000, '\0')));
  const Checkpoint checkpoint(path);
  std::vector<InspectedTensors> rows = list_tensors(checkpoint, {});
  std::filesystem::resize_file(path, 2000);
  for (int threads : {1, 3}) {
    Team team(threads);
    const auto error = error_of([&] { measure_tensors(team, rows); });
    ASSERT_TRUE(error);
    testing::expect_words(error->what(), "it ends at byte 2000 & when it was opened", "error");
  }
}

TEST_F(SafetensorsFile, PipesAndFoldersAreNoFiles) {
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(std::system(("mkfifo '" + pipe + "'").c_str()), 0);
  testing::expect_words(error_of([&] { InputFile file(pipe); })->what(), "no regular file", "");
  testing::expect_words(error_of([&] { InputFile file(folder_.string()); })->what(),
                        "no regular file", "");
  testing::expect_words(error_of([&] { InputFile file("/nowhere/x"); })->what(),
                        "/nowhere/x: cannot open it", "");
}

// Bytes changed, cut out, doubled or cut off, mostly in the header, always the same ones. Whatever
// comes of it, it is read or refused; run under the sanitizers, it reads nothing else.
TEST_F(SafetensorsFile, RandomChangesAreReadOrRefusedAndDoNothingElse) {
  std::ifstream stream(testing::source_path("tests/reference/checkpoint/tiny.safetensors"),
                       std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_GT(good.size(), 1000U);
  const std::uint64_t header =
      static_cast<unsigned char>(good[0]) + 256U * static_cast<unsigned char>(good[1]);
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::string_view kLikely = "{}[]\",:0123456789-.eEF\\ \0\xff";
  int refused = 0;
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries; ++i) {
    std::string bytes = good;
    const std::size_t reach = i % 8 == 0 ? 8 : i % 8 == 1 ? good.size() : 8 + header;
    for (std::size_t change = 0, changes = 1 + below(3); change < changes; ++change) {
      const std::size_t at = below(std::min(reach, bytes.size()));
      switch (below(5)) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
          break;
        case 2:
          bytes[at] = kLikely[below(kLikely.size())];
          break;
        case 3:
          bytes.erase(at, 1 + below(4));
          break;
        default:
          bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(20)));
      }
      if (bytes.empty()) bytes = good;
    }
    if (below(10) == 0) bytes.resize(below(bytes.size()));
    const std::string path = write(bytes);
    refused += error_of([&] { inspect(path); }) ? 1 : 0;
  }
  EXPECT_GT(refused, kTries / 2);
  EXPECT_LT(refused, kTries);  // changes to data alone, and to names, are none of its business
}

}  // namespace
}  // namespace sigstab
