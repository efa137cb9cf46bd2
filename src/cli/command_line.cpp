#include "cli/command_line.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sigstab {
namespace {

std::vector<std::string> words;

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void keep_command_line(int argc, const char* const* argv) { words.assign(argv, argv + argc); }

std::string command_with(const std::string& flag) {
  std::vector<std::string> all = words;
  if (std::ranges::find(all, flag) == all.end()) all.push_back(flag);
  std::string text;
  for (const std::string& word : all) text += (text.empty() ? "" : " ") + quoted(word);
  return text;
}

}  // namespace sigstab
