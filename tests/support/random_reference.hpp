#pragma once
// What the tests of random streams share: reading the reference files and comparing numbers.
//
// Reference numbers are C99 hex floats, so that nothing is lost in text.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "random/seed.hpp"
#include "random/stream.hpp"
#include "support/paths.hpp"

namespace sigstab::testing {

inline nlohmann::json read_reference(const std::string& name) {
  std::ifstream file(source_path("tests/reference/" + name));
  if (!file) throw std::runtime_error("cannot read tests/reference/" + name);
  return nlohmann::json::parse(file);
}

// The rows that tests/reference/make_random_reference.py wrote for "numpy" or "torch".
inline const nlohmann::json& random_reference(const char* library) {
  static const nlohmann::json reference = read_reference("random_reference.json");
  return reference.at(library);
}

inline double from_hex(const nlohmann::json& text) {
  return std::strtod(text.get_ref<const std::string&>().c_str(), nullptr);
}

inline std::vector<double> all_from_hex(const nlohmann::json& texts) {
  std::vector<double> values;
  for (const auto& text : texts) values.push_back(from_hex(text));
  return values;
}

inline Seed seed_of(const nlohmann::json& row) {
  return Seed::parse(row.at("seed").get<std::string>()).value();
}

// Steps between two numbers of the dtype; -0 and 0 are one number.
inline std::int64_t ulps(double a, double b) {
  const auto ordered = [](double x) {
    const auto bits = std::bit_cast<std::int64_t>(std::abs(x));
    return std::signbit(x) ? -bits : bits;
  };
  return std::abs(ordered(a) - ordered(b));
}

inline std::int64_t ulps(float a, float b) {
  const auto ordered = [](float x) -> std::int64_t {
    const auto bits = std::bit_cast<std::int32_t>(std::abs(x));
    return std::signbit(x) ? -bits : bits;
  };
  return std::abs(ordered(a) - ordered(b));
}

// A stream's calls with the tensor as the value; sequential streams ignore the id.
template <typename Real>
std::vector<Real> normals(Stream& stream, std::size_t count, TensorId id = {}) {
  std::vector<Real> out(count);
  stream.normal(id, std::span<Real>(out));
  return out;
}

template <typename Real>
std::vector<Real> uniforms(Stream& stream, std::size_t count, double low, double high,
                           TensorId id = {}) {
  std::vector<Real> out(count);
  stream.uniform(id, std::span<Real>(out), low, high);
  return out;
}

inline std::vector<std::int64_t> integers(Stream& stream, std::size_t count, std::uint32_t bound,
                                          TensorId id = {}) {
  std::vector<std::int64_t> out(count);
  stream.integers(id, out, bound);
  return out;
}

}  // namespace sigstab::testing
