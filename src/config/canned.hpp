#pragma once
// The configs that ship inside the binary; generated from configs/ by cmake/embed.cmake.

#include <span>
#include <string_view>

namespace sigstab {

struct CannedConfig {
  std::string_view name;    // the file's stem
  std::string_view folder;  // "article" or "examples"
  std::string_view text;
};

std::span<const CannedConfig> canned_configs();

}  // namespace sigstab
