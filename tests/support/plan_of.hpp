#pragma once
// Shortcuts of the pipeline's tests: a plan from a config's text, and the error of a wrong one.

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "config/config.hpp"
#include "config/read_config.hpp"
#include "run/plan.hpp"

namespace sigstab::testing {

inline Plan plan_of(std::string_view text, const Overrides& overrides = {}) {
  return make_plan(read_config(text, "my.json", overrides));
}

// Nothing if `action` throws no Error.
template <class Action>
std::optional<Error> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

inline std::optional<Error> plan_error(std::string_view text, const Overrides& overrides = {}) {
  return error_of([&] { plan_of(text, overrides); });
}

}  // namespace sigstab::testing
