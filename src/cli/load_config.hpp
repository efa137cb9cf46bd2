#pragma once
// Finds configs by canned name or by path, with all that they extend.

#include <string>
#include <vector>

#include "config/config_chain.hpp"

namespace sigstab {

bool is_canned(const std::string& name);
// A canned name wins unless the argument has a "/" or ends in .json.
// Errors: neither a canned name nor a readable file.
NamedText load_text(const std::string& name);
// The same with all that it extends, each looked for beside the file that names it.
ConfigChain load_config(const std::string& name);
// Likewise for a text that is not in its file yet.
ConfigChain config_chain(const NamedText& text);
// The article's experiments, in the order of `list`.
std::vector<std::string> article_names();

}  // namespace sigstab
