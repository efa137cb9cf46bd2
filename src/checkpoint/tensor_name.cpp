#include "checkpoint/tensor_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <compare>

namespace sigstab {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(at, end - at);
}

// Of any length; leading zeros count last.
std::strong_ordering compare_numbers(std::string_view a, std::string_view b) {
  const auto strip = [](std::string_view digits) {
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
  };
  const std::string_view x = strip(a), y = strip(b);
  if (const auto order = x.size() <=> y.size(); order != 0) return order;
  if (const auto order = x <=> y; order != 0) return order;
  return a.size() <=> b.size();
}

bool is_number(std::string_view part) {
  return !part.empty() && std::ranges::all_of(part, is_digit);
}

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_norm(std::string_view name) {
  return std::ranges::any_of(parts_of(name), [](std::string_view part) {
    if (part.find("norm") != std::string_view::npos) return true;
    return part.starts_with("ln") && (part.size() == 2 || part[2] == '_' || is_digit(part[2]));
  });
}

bool is_embedding(std::string_view name) {
  return name.find("embed") != std::string_view::npos ||
         std::ranges::any_of(parts_of(name),
                             [](std::string_view part) { return part == "wte" || part == "wpe"; });
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view x = digits_at(a, i), y = digits_at(b, j);
      if (const auto order = compare_numbers(x, y); order != 0) return order < 0;
      i += x.size();
      j += y.size();
      continue;
    }
    if (a[i] != b[j]) return a[i] < b[j];
    ++i;
    ++j;
  }
  return a.size() - i < b.size() - j;
}

// The lengths of name that the pattern so far can match, moved on pattern item by pattern item: no
// pattern takes more than the product of the lengths.
bool matches(std::string_view pattern, std::string_view name) {
  std::vector<char> reach(name.size() + 1), next(name.size() + 1);
  reach[0] = 1;
  while (!pattern.empty()) {
    std::ranges::fill(next, 0);
    const bool any = pattern.front() == '*', layer = pattern.starts_with(kLayerMark);
    for (std::size_t at = 0; at <= name.size(); ++at) {
      if (any && (reach[at] != 0 || (at > 0 && next[at - 1] != 0))) next[at] = 1;
      if (at == name.size() || any) continue;
      if (layer) {
        if (is_digit(name[at]) && (reach[at] != 0 || next[at] != 0)) next[at + 1] = 1;
      } else if (reach[at] != 0 && (pattern.front() == '?' || pattern.front() == name[at])) {
        next[at + 1] = 1;
      }
    }
    pattern.remove_prefix(layer ? kLayerMark.size() : 1);
    std::swap(reach, next);
  }
  return reach.back() != 0;
}

std::string layer_pattern(std::string_view name) {
  for (std::string_view part : parts_of(name)) {
    if (!is_number(part)) continue;
    const auto at = static_cast<std::size_t>(part.data() - name.data());
    return fmt::format("{}{}{}", name.substr(0, at), kLayerMark, name.substr(at + part.size()));
  }
  return std::string(name);
}

std::string with_layer(std::string_view pattern, std::int64_t layer) {
  std::string name(pattern);
  const std::string number = fmt::format("{}", layer);
  for (std::size_t at = name.find(kLayerMark); at != std::string::npos;
       at = name.find(kLayerMark, at + number.size())) {
    name.replace(at, kLayerMark.size(), number);
  }
  return name;
}

TensorRole tensor_role(std::string_view name, const std::vector<std::int64_t>& shape) {
  if (shape.size() == 2) return is_embedding(name) ? TensorRole::embedding : TensorRole::matrix;
  if (shape.size() > 2) return TensorRole::kernel;
  if (shape.empty()) return TensorRole::other;
  if (name.ends_with("bias") || name.ends_with("beta")) return TensorRole::bias;
  return is_norm(name) ? TensorRole::norm_gain : TensorRole::other;
}

std::string_view role_name(TensorRole role) {
  constexpr std::array<std::string_view, 6> kNames = {"matrix",    "kernel", "embedding",
                                                      "norm gain", "bias",   "other"};
  return kNames[static_cast<std::size_t>(role)];
}

}  // namespace sigstab
