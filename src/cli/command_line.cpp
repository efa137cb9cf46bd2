#include "cli/command_line.hpp"

#include <algorithm>
#include <vector>

#include "base/shell.hpp"

namespace sigstab {
namespace {

std::vector<std::string> words;

}  // namespace

void keep_command_line(int argc, const char* const* argv) { words.assign(argv, argv + argc); }

std::string command_with(const std::string& flag) {
  std::vector<std::string> all = words;
  if (std::ranges::find(all, flag) == all.end()) all.push_back(flag);
  std::string text;
  for (const std::string& word : all) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

}  // namespace sigstab
