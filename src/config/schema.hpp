#pragma once
// The field tables told to people and to editors: the same rows that the parser reads.

#include <string>
#include <vector>

#include "kinds/kind.hpp"

namespace sigstab {

struct KeyHelp {
  std::string key;   // "norm.placement"
  std::string text;  // "none, pre, ...; default ...: where it sits"
};

// Every key of a kind's config, nested ones with dots, in the tables' order.
std::vector<KeyHelp> keys_of(const Kind& kind);

// A JSON schema (draft 7) of every config, chosen by its `experiment`: editors complete and explain
// keys by it. What depends on other keys (ranges of layers, what a case may change) is left to the
// parser.
std::string json_schema();

}  // namespace sigstab
