// --resume: what a run that was cut off left in its jsonl is continued to the same bytes.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "support/command.hpp"

namespace sigstab::testing {
namespace {

// Cases that differ in work, so that they are finished out of order; a unit whose cases draw from
// one stream, one after another; cases that share their weights; nothing drawn at all.
constexpr const char* kSweep = R"({"width": 32, "seeds": {"from": 0, "count": 8},
    "sweep": {"depth": [2, 40, 9]}})";
constexpr const char* kStream = R"({"width": 24, "depth": 30, "activation": "relu",
    "dtype": "float32", "random": {"generator": "torch"},
    "sweep": {"init.gain": [0.5, 1, 1.2, 1.4]}})";
constexpr const char* kShared = R"({"width": 24, "depth": 30, "seeds": [3, "18446744073709551616"],
    "random": {"generator": "numpy", "shared": ["weights", "upstream"], "each": ["input"]},
    "cases": [{"name": "plain \u00e9\ud83d\ude00"}, {"name": "he", "init": "he"},
              {"name": "skip", "residual": "plain"}]})";
constexpr const char* kDrawn[] = {"sweep.json", "stream.json", "shared.json"};

class Resume : public Command {
 protected:
  Resume() {
    write("sweep.json", kSweep);
    write("stream.json", kStream);
    write("shared.json", kShared);
  }

  Outcome run_all(const std::string& file, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"run"};
    arguments.insert(arguments.end(), std::begin(kDrawn), std::end(kDrawn));
    arguments.insert(arguments.end(), {"norm-arithmetic", "-o", file, "--threads", "2"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  // A run of all that was not disturbed.
  std::string whole() const {
    const Outcome outcome = run_all("whole.jsonl");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read("whole.jsonl");
  }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0, end = 0; from < text.size(); from = end + 1) {
    end = text.find('\n', from);
    lines.push_back(text.substr(from, end + 1 - from));
  }
  return lines;
}

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(Resume, ContinuesAFileThatIsCutAnywhere) {
  const std::string text = whole();
  // Within the first line, a name in UTF-8, a number, at a line's end and without its newline.
  const std::size_t emoji = text.find("\xf0\x9f\x98\x80");
  ASSERT_NE(emoji, std::string::npos);
  std::vector<std::size_t> cuts = {
      0, 1, 11, text.find('\n'), text.find('\n') + 1, emoji + 2, text.size() - 1};
  for (std::size_t i = 1; i < 8; ++i) cuts.push_back(i * text.size() / 8);
  for (std::size_t cut : cuts) {
    write("part.jsonl", text.substr(0, cut));
    const Outcome outcome = run_all("part.jsonl", {"--resume"});
    EXPECT_EQ(outcome.code, 0) << cut << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(has(outcome.err, "part.jsonl holds ")) << outcome.err;
    EXPECT_TRUE(read("part.jsonl") == text) << "cut at " << cut;
  }
}

TEST_F(Resume, RunsNothingTwice) {
  const std::string text = whole();
  write("part.jsonl", text.substr(0, text.find('\n') + 1));
  ASSERT_EQ(run_all("part.jsonl", {"--resume"}).code, 0);
  const auto before = fs::last_write_time(directory() / "part.jsonl");
  const Outcome again = run_all("part.jsonl", {"--resume"});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.err, "sigstab: part.jsonl is complete already: 41 results\n");
  EXPECT_EQ(fs::last_write_time(directory() / "part.jsonl"), before);
  EXPECT_TRUE(read("part.jsonl") == text);
  // Work of hours, were it to be done.
  const std::string vast = R"({"name": "vast", "width": 4096, "depth": 100000,
                               "cases": [{"name": "small", "width": 4, "depth": 3}]})";
  write("vast.json", vast);
  ASSERT_EQ(run({"run", "vast.json", "-o", "vast.jsonl"}).code, 0);
  EXPECT_EQ(run({"run", "vast.json", "-o", "vast.jsonl", "--resume"}).code, 0);
}

TEST_F(Resume, HasTheSameBytesAfterAnyNumberOfKills) {
  const std::string text = whole();
  int finished = 0;
  for (int tries = 0; tries < 60 && finished < 3; ++tries) {
    // Later and later, so that every part of the run is hit and the end is reached.
    const Outcome outcome =
        run_for({"run", "sweep.json", "stream.json", "shared.json", "norm-arithmetic", "-o",
                 "part.jsonl", "--threads", "2", "--resume"},
                SIGKILL, 20'000 * (tries % 20 + 1));
    if (outcome.code == 0) {
      EXPECT_TRUE(read("part.jsonl") == text) << tries;
      fs::remove(directory() / "part.jsonl");
      ++finished;
    } else {
      EXPECT_EQ(outcome.code, 128 + SIGKILL) << outcome.err;
    }
  }
  // Whatever a busy machine left of it.
  EXPECT_EQ(run_all("part.jsonl", {"--resume"}).code, 0);
  EXPECT_TRUE(read("part.jsonl") == text);
}

TEST_F(Resume, PutsLinesOfAnyOrderInOrder) {
  ASSERT_EQ(run({"run", "sweep.json", "-o", "whole.jsonl"}).code, 0);
  const std::string text = read("whole.jsonl");
  const std::vector<std::string> lines = lines_of(text);
  // As Ctrl-C leaves them: the case that carries the config first, then any other.
  write("part.jsonl", lines[0] + lines[20] + lines[3] + lines[7]);
  const Outcome outcome = run({"run", "sweep.json", "-o", "part.jsonl", "--resume"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "sigstab: part.jsonl holds 4 of 24 results\n");
  EXPECT_TRUE(read("part.jsonl") == text);
}

TEST_F(Resume, GivesOtherOutputsTheWholeResult) {
  for (const std::string config :
       {"sweep.json", "shared.json", "stream.json", "isometry", "norm-arithmetic", "variance-rules",
        "activation-moments", "init-spreads", "compounding", "aligned-update"}) {
    const std::vector<std::string> others = {"r.json", "r.csv", "r.md", "r.txt"};
    std::vector<std::string> arguments = {"run", config, "--format", "jsonl", "-o", "r.jsonl"};
    if (config == "isometry") arguments.insert(arguments.end(), {"--set", "width=8"});
    for (const std::string& name : others) arguments.insert(arguments.end(), {"-o", name});
    const Outcome whole_run = run(arguments);
    ASSERT_EQ(whole_run.code, 0) << whole_run.err;
    std::vector<std::string> expected;
    for (const std::string& name : others) expected.push_back(read(name));
    const std::string text = read("r.jsonl");
    for (std::size_t kept : {1UL, count_lines(text)}) {
      std::string part;
      for (std::size_t i = 0; i < kept; ++i) part += lines_of(text)[i];
      write("r.jsonl", part);
      for (const std::string& name : others) fs::remove(directory() / name);
      std::vector<std::string> again = arguments;
      again.push_back("--resume");
      const Outcome outcome = run(again);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_TRUE(outcome.out == whole_run.out) << config;
      for (std::size_t i = 0; i < others.size(); ++i) {
        EXPECT_TRUE(read(others[i]) == expected[i]) << config << " " << others[i];
      }
    }
  }
}

TEST_F(Resume, RefusesAnotherRunAndNamesTheFirstDifference) {
  write("a.json", R"({"width": 4, "depth": 3, "seeds": [0, 1]})");
  ASSERT_EQ(run({"run", "a.json", "-o", "a.jsonl"}).code, 0);
  const std::string text = read("a.jsonl");
  const auto refuse = [&](std::vector<std::string> arguments, const std::string& file,
                          const std::vector<std::string>& parts) {
    write("a.jsonl", file);
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"-o", "a.jsonl", "--resume"});
    expect_error(run(arguments), parts);
    EXPECT_TRUE(read("a.jsonl") == file) << parts.back();
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.substr(0, at) + to + text.substr(at + from.size());
  };
  refuse({"a.json", "--set", "width=5"}, text,
         {"a.jsonl line 1: /config/width is 4 (number) there and 5 (number) now", "hint: "});
  refuse({"sweep.json"}, text, {"line 1: /experiment is \"a\" (string) there and \"sweep\""});
  refuse({"a.json", "--seeds", "0..2"}, text, {"line 1: /config/seeds"});
  refuse({"a.json", "--layers", "1"}, text, {"line 1: /config/report"});
  refuse({"a.json"}, changed("\"schema\":1", "\"schema\":2"), {"line 1: /schema is 2"});
  refuse({"a.json"}, changed("\"version\":\"", "\"version\":\"9."),
         {"line 1: /provenance/version is \"9."});
  refuse({"a.json"}, changed("\"blas_core\":\"", "\"blas_core\":\"Old"),
         {"line 1: /provenance/blas_core is \"Old"});
  // A line that was written otherwise, or by hand.
  refuse({"a.json"}, changed("\"forward_rms\":", "\"forward_rms\": "), {"line 1: it is not as"});
  refuse({"a.json"}, changed("\"forward_rms\"", "\"backward_rms\""),
         {"line 1: /cases/0/layers/0/forward_rms is missing there"});
  refuse({"a.json"}, text + lines_of(text)[1], {"line 3: this case has a line before"});
  refuse({"a.json"}, lines_of(text)[1], {"line 1: not the first line of a sigstab result"});
  refuse({"a.json"}, text + text, {"line 3: it holds more than the 1 experiment asked for"});
  refuse({"a.json", "a.json"}, lines_of(text)[0] + lines_of(text)[0],
         {"line 2: an experiment begins before the one above it is complete"});
}

TEST_F(Resume, LeavesForeignFilesAlone) {
  write("a.json", kSmall);
  for (const std::string file : {"my notes", "my notes\n", "{\"a\": 1}\n", "[]\n", "\n",
                                 "{\"schema\"]", "\xff\xfe\n", "{\"schema\":1,\"cases\":[]}\n"}) {
    write("a.jsonl", file);
    expect_error(run({"run", "a.json", "-o", "a.jsonl", "--resume"}), {"a.jsonl line 1: "});
    EXPECT_EQ(read("a.jsonl"), file);
  }
  write("a.jsonl", "");
  EXPECT_EQ(run({"run", "a.json", "-o", "a.jsonl", "--resume"}).code, 0);
  EXPECT_TRUE(has(read("a.jsonl"), "forward_rms"));
}

TEST_F(Resume, NeedsOneJsonl) {
  write("a.json", kSmall);
  expect_error(run({"run", "a.json", "--resume"}),
               {"--resume: there is no jsonl", "-o FILE.jsonl"});
  expect_error(run({"run", "a.json", "--resume", "-o", "a.json.json"}), {"there is no jsonl"});
  expect_error(run({"run", "a.json", "--resume", "-o", "a.jsonl", "-o", "b.jsonl"}),
               {"--resume: 2 jsonl files are named"});
  fs::create_directory(directory() / "d.jsonl");
  expect_error(run({"run", "a.json", "--resume", "-o", "d.jsonl"}), {"d.jsonl", "directory"});
}

TEST_F(Resume, WithoutItTheFileIsWrittenAnew) {
  write("a.json", kSmall);
  write("a.jsonl", std::string(100'000, 'x'));
  EXPECT_EQ(run({"run", "a.json", "-o", "a.jsonl"}).code, 0);
  const std::string text = read("a.jsonl");
  EXPECT_EQ(count_lines(text), 1U);
  EXPECT_TRUE(text.starts_with("{\"schema\":1,")) << text.substr(0, 99);
}

TEST_F(Resume, WithoutItAnUnfinishedPartOfThisRunIsNotDestroyed) {
  ASSERT_EQ(run({"run", "sweep.json", "-o", "whole.jsonl"}).code, 0);
  const std::string text = read("whole.jsonl");
  const std::vector<std::string> lines = lines_of(text);
  const std::string part = lines[0] + lines[20] + lines[3] + lines[7].substr(0, 9);
  write("part.jsonl", part);
  const std::vector<std::string> again = {"run", "sweep.json", "-o", "part.jsonl"};
  expect_error(run(again), {"-o part.jsonl: it holds 3 of the 24 results of this run",
                            "hint: add --resume to go on, or name another file"});
  EXPECT_TRUE(read("part.jsonl") == part);
  // What is complete, or of another run, is replaced.
  for (const std::string& old : {text, lines[0].substr(0, 99), lines[3], lines[0] + "notes\n"}) {
    write("part.jsonl", old);
    EXPECT_EQ(run(again).code, 0);
    EXPECT_TRUE(read("part.jsonl") == text);
  }
  write("part.jsonl", lines[0]);
  EXPECT_EQ(run({"run", "sweep.json", "--set", "width=8", "-o", "part.jsonl"}).code, 0);
  EXPECT_EQ(count_lines(read("part.jsonl")), 24U);
}

TEST_F(Resume, APipeGetsEveryLineOnceAndInOrder) {
  ASSERT_EQ(run({"run", "sweep.json", "--threads", "3", "-o", "whole.jsonl"}).code, 0);
  const fs::path pipe = directory() / "pipe.jsonl";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (int tries = 0; tries < 5; ++tries) {
    std::string got;
    std::thread reader([&] { got = text_of(pipe); });
    const Outcome outcome = run({"run", "sweep.json", "--threads", "3", "-o", "pipe.jsonl"});
    reader.join();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(got == read("whole.jsonl")) << count_lines(got);
  }
}

TEST_F(Resume, AFileThatIsReplacedWhileARunWaitsForItIsOpenedAnew) {
  write("a.json", kSmall);
  write("a.jsonl", "old\n");
  write("new", "new\n");
  const int held = ::open((directory() / "a.jsonl").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  std::thread writer([&] {
    ::usleep(400'000);
    fs::rename(directory() / "new", directory() / "a.jsonl");
    ::close(held);
  });
  const Outcome outcome = run({"run", "a.json", "-o", "a.jsonl"});
  writer.join();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(read("a.jsonl").starts_with("{\"schema\":1,")) << read("a.jsonl");
}

TEST_F(Resume, CtrlCSaysHowToGoOn) {
  write("long one.json", R"({"width": 64, "depth": 20, "seeds": {"from": 0, "count": 100000}})");
  for (int signal : {SIGINT, SIGTERM}) {
    fs::remove(directory() / "r.jsonl");
    const Outcome done =
        run_until({"run", "long one.json", "--threads", "3", "-o", "r.jsonl", "-o", "r.json"},
                  "r.jsonl", 5, signal);
    EXPECT_EQ(done.code, 130) << done.err;
    EXPECT_TRUE(has(done.err, " of 100000 results of long one are finished\nhint: go on with: "))
        << done.err;
    EXPECT_TRUE(done.err.ends_with(
        "sigstab run 'long one.json' --threads 3 -o r.jsonl -o r.json --resume\n"))
        << done.err;
    EXPECT_TRUE(has(read("r.json"), "\"complete\": false"));
    // What it left is taken up, and can be broken off again.
    const std::size_t before = count_lines(read("r.jsonl"));
    const Outcome next =
        run_until({"run", "long one.json", "--threads", "3", "-o", "r.jsonl", "--resume"},
                  "r.jsonl", static_cast<std::ptrdiff_t>(before + 5), signal);
    EXPECT_EQ(next.code, 130) << next.err;
    EXPECT_TRUE(has(next.err, "r.jsonl holds " + std::to_string(before) + " of 100000"))
        << next.err;
    EXPECT_TRUE(next.err.ends_with("-o r.jsonl --resume\n")) << next.err;
  }
  const Outcome none = run_for({"run", "long one.json", "-o", "r.csv"}, SIGINT, 300'000);
  EXPECT_EQ(none.code, 130);
  EXPECT_TRUE(has(none.err, "hint: to be able to go on, write -o FILE.jsonl")) << none.err;
}

}  // namespace
}  // namespace sigstab::testing
