// The completion scripts in the shells that they are for, and the reference of all commands.

#include <gtest/gtest.h>

#include <cstdio>
#include <regex>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

class Completion : public Command {
 protected:
  Completion() {
    write("mine.json", kSmall);
    write("mine.jsonl", "");
  }

  // What a shell prints, in the test's folder and with the program in its path.
  std::string shell(const std::string& program, const std::string& script) const {
    write("script", script);
    const std::string folder = fs::path(binary_path()).parent_path().string();
    const std::string line = "cd '" + directory().string() + "' && PATH='" + folder +
                             "':\"$PATH\" " + program + " script 2>&1 </dev/null";
    std::string text;
    FILE* pipe = ::popen(line.c_str(), "r");
    for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    ::pclose(pipe);
    return text;
  }
  bool is_missing(const std::string& program) const {
    return shell("sh", "command -v " + program).empty();
  }

  // What bash offers for these words, the last of which is typed so far.
  std::string bash(const std::string& words) const {
    return shell("bash", "source <(sigstab completion bash)\nCOMP_WORDS=(" + words +
                             ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n_sigstab\n"
                             "echo \"${COMPREPLY[*]}\"\n");
  }
  std::string fish(const std::string& line) const {
    return shell("fish --no-config", "sigstab completion fish | source\ncomplete -C '" + line +
                                         "' | string replace -r '\\t.*' ''\n");
  }
};

TEST_F(Completion, BashOffersCommandsFlagsAndValues) {
  EXPECT_TRUE(has(bash("sigstab ''"), " check "));
  EXPECT_TRUE(has(bash("sigstab ''"), " --version --help\n"));
  EXPECT_EQ(bash("sigstab val"), "validate\n");
  EXPECT_EQ(bash("sigstab run --form"), "--format\n");
  EXPECT_EQ(bash("sigstab run --format j"), "json jsonl\n");
  EXPECT_EQ(bash("sigstab run --format = j"), "json jsonl\n");  // --format=j
  EXPECT_EQ(bash("sigstab run --format ="), "table article csv json jsonl markdown\n");
  EXPECT_EQ(bash("sigstab run tanh"), "tanh-residual\n");
  EXPECT_EQ(bash("sigstab run tanh-residual mine.jsonl"), "mine.jsonl\n");
  EXPECT_EQ(bash("sigstab run -o mine.jsonl"), "mine.jsonl\n");
  EXPECT_EQ(bash("sigstab run --output mine.jsonl"), "mine.jsonl\n");
  EXPECT_EQ(bash("sigstab run x --set norm.pl"), "norm.placement=\n");
  EXPECT_EQ(bash("sigstab run tanh-residual --set activation = ge"), "\n");  // no experiment
  EXPECT_EQ(bash("sigstab run --threads ''"), "\n");  // a value that nobody can guess
  EXPECT_EQ(bash("sigstab list act"), "activations\n");
  EXPECT_EQ(bash("sigstab inspect mine.jsonl"), "mine.jsonl\n");
  EXPECT_EQ(bash("sigstab gains swig"), "swiglu\n");
  EXPECT_EQ(bash("sigstab completion ''"), "bash zsh fish\n");
  EXPECT_EQ(bash("sigstab nonsense ''"), "\n");
}

TEST_F(Completion, FishOffersCommandsFlagsAndValues) {
  if (is_missing("fish")) GTEST_SKIP() << "fish is not installed: apt-get install fish";
  EXPECT_EQ(fish("sigstab val"), "validate\n");
  EXPECT_EQ(fish("sigstab run --form"), "--format\n");
  EXPECT_EQ(fish("sigstab run --format js"), "json\njsonl\n");
  EXPECT_EQ(fish("sigstab run tanh"), "tanh-residual\n");
  EXPECT_EQ(fish("sigstab run tanh-residual mi"), "mine.json\nmine.jsonl\n");
  EXPECT_EQ(fish("sigstab run -o mine.jsonl"), "mine.jsonl\n");
  EXPECT_EQ(fish("sigstab list act"), "activations\n");
}

// zsh completes only what is typed: a second zsh on a terminal of its own, where the command prints
// what it was given.
TEST_F(Completion, ZshCompletesCommandsFlagsAndValues) {
  if (is_missing("zsh")) GTEST_SKIP() << "zsh is not installed: apt-get install zsh";
  const std::string text = shell("zsh -f", R"(
zmodload zsh/zpty
zpty -b shell 'TERM=dumb zsh -f -i'
wait_for() {
  local all= part
  for ((i = 0; i < 200; ++i)); do
    while zpty -rt shell part; do all+=$part; done
    [[ $all == *$1* ]] && break
    sleep 0.1
  done
  print -rn -- $all
}
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -u -D; source <(sigstab completion zsh); sigstab() { print -r -- "GOT<$*>" }; print READ''Y'
wait_for READY
zpty -w -n shell $'sigstab run --format mark\t relu-w\t -o mine.jsonl\t --set norm.pl\tpre --resu\t\n'
wait_for '>'
zpty -w -n shell $'sigstab comp\tfi\t\n'
wait_for '>'
zpty -d shell
)");
  EXPECT_TRUE(has(text,
                  "GOT<run --format markdown relu-widths -o mine.jsonl --set "
                  "norm.placement=pre --resume>"))
      << text;
  EXPECT_TRUE(has(text, "GOT<completion fish>")) << text;
}

TEST_F(Completion, NamesTheShellsThereAre) {
  expect_error(run({"completion", "bsah"}), {"unknown name \"bsah\"", "did you mean \"bash\""});
  expect_error(run({"completion"}), {"required"});
  EXPECT_TRUE(has(run({"completion", "--help"}).out, "source <(sigstab completion bash)"));
}

TEST_F(Completion, TheReferenceOfCommandsIsWrittenFromThem) {
  EXPECT_EQ(run({"man", "--format", "markdown"}).out, text_of(source_path("docs/commands.md")))
      << "write it anew: sigstab man --format markdown > docs/commands.md";
  const std::string page = run({"man"}).out;
  for (const char* part :
       {".TH SIGSTAB 1", ".SH NAME\n", ".SS \"sigstab run [OPTION]... CONFIG...\"",
        "\\fB\\-o, \\-\\-output FILE\\fR", ".SH EXIT STATUS\n0 done"}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
  // No text of ours is taken for a request of roff's.
  const std::regex request("\n\\.(?!(TH|SH|SS|TP|PP|nf|fi)\\b)");
  EXPECT_FALSE(std::regex_search(page, request));
  if (is_missing("groff")) GTEST_SKIP() << "groff is not installed: apt-get install groff";
  EXPECT_EQ(shell("sh", "sigstab man | groff -man -ww -Tutf8 -z"), "");
}

}  // namespace
}  // namespace sigstab::testing
