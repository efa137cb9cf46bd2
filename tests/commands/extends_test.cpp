// Configs that extend others, as files: where they are looked for, and what the commands make of
// them.

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

TEST_F(Command, ExtendsAFileRelativeToTheOneThatSaysSo) {
  fs::create_directories(directory() / "deep");
  write("base.json", R"({"width": 4, "depth": 3})");
  write("deep/middle.json", R"({"extends": "../base.json", "depth": 2})");
  write("my.json", R"({"extends": "deep/middle.json", "title": "mine"})");
  const Outcome outcome = run({"run", "my.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "my: mine\n4 wide, 2 deep")) << outcome.out;
  EXPECT_EQ(run({"show", "my.json"}).out, read("my.json"));
}

TEST_F(Command, ExtendsACannedNameUnlessItIsAPath) {
  write("relu-depth", R"({"width": 4, "depth": 1})");
  write("canned.json", R"({"extends": "relu-depth"})");
  write("path.json", R"({"extends": "./relu-depth"})");
  EXPECT_TRUE(has(run({"run", "canned.json", "--dry-run"}).out, "2 results"));
  EXPECT_TRUE(has(run({"run", "path.json", "--dry-run"}).out, "1 result "));
}

TEST_F(Command, TellsAMissingOrMisspelledBaseWhereItIsNamed) {
  write("file.json", R"({"extends": "nowhere.json"})");
  expect_error(run({"validate", "file.json"}), {"file.json: /extends: nowhere.json: cannot open"});
  write("name.json", R"({"extends": "relu-dept"})");
  expect_error(run({"run", "name.json"}),
               {"name.json: /extends: ", "did you mean \"relu-depth\"?"});
}

TEST_F(Command, TellsACycleOfFiles) {
  fs::create_directories(directory() / "deep");
  write("my.json", R"({"extends": "deep/a.json"})");
  write("deep/a.json", R"({"extends": "../my.json"})");
  expect_error(run({"run", "my.json"}), {"my.json -> deep/a.json -> my.json"});
}

TEST_F(Command, EveryReaderOfAConfigFollowsIt) {
  write("base.json", R"({"width": 8, "depth": 4, "activation": "relu", "init": "he"})");
  write("my.json", R"({"extends": "base.json", "expect": [
      {"id": "a", "layer": 4, "column": "forward_rms", "near": 1, "factor": 100}]})");
  for (const char* command : {"run", "theory", "check", "advise", "validate"}) {
    const Outcome outcome = run({command, "my.json"});
    EXPECT_EQ(outcome.code, 0) << command << outcome.err;
  }
}

TEST_F(Command, NeverReplacesAConfigThatItExtends) {
  write("base.json", kSmall);
  write("my.json", R"({"extends": "base.json"})");
  expect_error(run({"run", "my.json", "-o", "base.json"}),
               {"-o base.json", "it is the file that is to be read"});
  EXPECT_EQ(read("base.json"), kSmall);
}

TEST_F(Command, ExtendsTheFileThatALinkedFolderLeadsTo) {
  for (const char* folder : {"A", "A/B", "C"}) fs::create_directory(directory() / folder);
  write("A/base.json", R"({"width": 6, "depth": 1})");
  write("C/base.json", R"({"width": 99, "depth": 1})");
  write("A/B/x.json", R"({"extends": "../base.json"})");
  fs::create_directory_symlink("../A/B", directory() / "C/link");
  EXPECT_EQ(run({"run", "C/link/x.json", "--dry-run"}).out,
            run({"run", "A/B/x.json", "--dry-run"}).out);
}

}  // namespace
}  // namespace sigstab::testing
