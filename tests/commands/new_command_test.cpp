// new: a config out of an example, of flags, or of answers.

#include <pty.h>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

TEST_F(Command, NewCopiesAnExampleAsItIs) {
  const Outcome outcome = run({"new", "--from", "gpt2-small", "-o", "my.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "next: sigstab run my.json\n");
  EXPECT_EQ(read("my.json"), run({"show", "gpt2-small"}).out);
  EXPECT_EQ(run({"new", "--from", "gpt2-small"}).out, read("my.json"));
}

TEST_F(Command, NewChangesAnExampleAndDropsWhatDescribedIt) {
  const Outcome outcome = run({"new", "--from", "relu-depth", "--set", "depth=20", "--set",
                               "norm=layernorm", "--set", "norm.eps=0.001"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "\n  \"depth\": 20,\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\"norm\": { \"kind\": \"layernorm\", \"eps\": 0.001 }"));
  EXPECT_TRUE(has(outcome.out, "\"init\": \"lecun\"")) << outcome.out;
  for (const char* key : {"title", "source", "about", "expect", "\"layers\""}) {
    EXPECT_FALSE(has(outcome.out, key)) << outcome.out;
  }
  write("my.json", outcome.out);
  EXPECT_EQ(run({"run", "my.json"}).code, 0);
}

TEST_F(Command, NewKeepsWhatStillFitsOfAReport) {
  const std::string out = run({"new", "--from", "gpt2-small", "--set", "depth=4"}).out;
  EXPECT_TRUE(has(out, "\"columns\"")) << out;
  EXPECT_FALSE(has(out, "\"layers\"")) << out;
}

TEST_F(Command, NewWritesWhatFlagsSet) {
  const Outcome outcome =
      run({"new", "--set", "width=64", "--set", "residual=plain", "--schema", "./s.json"});
  EXPECT_EQ(outcome.out,
            "{\n  \"$schema\": \"./s.json\",\n  \"width\": 64,\n  \"residual\": \"plain\"\n}\n");
}

TEST_F(Command, NewRefusesWhatTheParserRefuses) {
  expect_error(run({"new", "--set", "depth=x", "-o", "my.json"}), {"--set: /depth", "an integer"});
  expect_error(run({"new", "--set", "init=hee"}), {"did you mean \"he\"?"});
  expect_error(run({"new", "--from", "gpt2-smal"}), {"did you mean \"gpt2-small\"?"});
  EXPECT_TRUE(files().empty());
}

TEST_F(Command, NewNeverReplacesAFileUnlessForced) {
  write("my.json", "precious");
  expect_error(run({"new", "--from", "he-30", "-o", "my.json"}), {"-o my.json", "--force"});
  EXPECT_EQ(read("my.json"), "precious");
  EXPECT_EQ(run({"new", "--from", "he-30", "-o", "my.json", "--force"}).code, 0);
  EXPECT_NE(read("my.json"), "precious");
  expect_error(run({"new", "--from", "he-30", "-o", "my.txt"}), {"-o my.txt", ".json"});
}

TEST_F(Command, NewWithoutATerminalAsksOnlyWhereItIsTold) {
  expect_error(run({"new"}), {"--from", "--set", "--ask"});
  expect_error(run({"new", "--ask", "--from", "he-30"}), {"--ask", "--from"});
}

TEST_F(Command, NewReadsAnswersLineByLine) {
  give("mlp\n64\n6\n?\ngelu\n{\"kind\": \"normal\", \"spread\": 0.02}\nplain\nlayernorm\npost\n");
  const Outcome outcome = run({"new", "--ask", "-o", "my.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "activation: the activation (? lists the names) [linear]"));
  EXPECT_TRUE(has(outcome.err, "leaky_relu")) << outcome.err;
  EXPECT_EQ(read("my.json"),
            "{\n  \"layer\": \"mlp\",\n  \"width\": 64,\n  \"depth\": 6,\n"
            "  \"activation\": \"gelu\",\n"
            "  \"init\": { \"kind\": \"normal\", \"spread\": 0.02 },\n"
            "  \"residual\": \"plain\",\n"
            "  \"norm\": { \"kind\": \"layernorm\", \"placement\": \"post\" }\n}\n");
}

TEST_F(Command, NewTakesDefaultsForEmptyAnswersAndAsksNothingTwice) {
  give("\n\n\n\n\n\n");
  const Outcome outcome = run({"new", "--ask", "--set", "width=32"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(has(outcome.err, "width: ")) << outcome.err;
  EXPECT_FALSE(has(outcome.err, "norm.placement: ")) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "\"width\": 32")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\"norm\": \"none\"")) << outcome.out;
}

TEST_F(Command, NewStopsAtAWrongAnswerOfAPipeAndWritesNothing) {
  give("dense\nwide\n");
  const Outcome wrong = run({"new", "--ask", "-o", "my.json"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "error: width: expected an integer")) << wrong.err;
  give("dense\n");
  const Outcome ended = run({"new", "--ask", "-o", "my.json"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(has(ended.err, "ended before \"width\" was answered")) << ended.err;
  EXPECT_TRUE(files().empty());
}

// What the program says to a person who types these lines on a terminal.
std::string on_a_terminal(const fs::path& directory, const std::string& typed, int& code) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    const std::string binary = binary_path();
    if (::chdir(directory.c_str()) != 0) ::_exit(126);
    ::execl(binary.c_str(), binary.c_str(), "new", "-o", "my.json", nullptr);
    ::_exit(126);
  }
  EXPECT_EQ(::write(terminal, typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
  std::string said;
  char buffer[4096];
  for (;;) {
    const ssize_t count = ::read(terminal, buffer, sizeof buffer);
    if (count <= 0) break;
    said.append(buffer, static_cast<std::size_t>(count));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return said;
}

TEST_F(Command, NewAsksAgainOnATerminal) {
  int code = 0;
  const std::string said =
      on_a_terminal(directory(), "dense\nwide\n16\n3\nrelo\nrelu\nhe\n\n\n", code);
  EXPECT_EQ(code, 0) << said;
  EXPECT_TRUE(has(said, "expected an integer")) << said;
  EXPECT_TRUE(has(said, "did you mean \"relu\"?")) << said;
  EXPECT_TRUE(has(read("my.json"), "\"width\": 16")) << said;
  EXPECT_TRUE(has(read("my.json"), "\"activation\": \"relu\"")) << said;
}

}  // namespace
}  // namespace sigstab::testing
