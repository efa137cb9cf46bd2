#pragma once
// Biases: one vector a weight matrix, added inside its product and drawn right after it.

#include <cstdint>
#include <span>
#include <string_view>

#include "base/parameter.hpp"
#include "random/stream.hpp"

namespace sigstab {

struct BiasRow {
  std::string_view name, help;
  bool present, drawn;
  std::span<const Parameter> parameters;
  // What multiplies a standard normal (normal) or is the limit of a uniform; the value itself where
  // nothing is drawn.
  double (*size)(double fan_in, const ParameterValues&);
  Law::Kind law;
};

std::span<const BiasRow> bias_table();

struct Bias {
  const BiasRow* row = nullptr;
  ParameterValues parameters{};

  bool present() const { return row != nullptr && row->present; }
  // Standard deviation over draws, and for constants their magnitude: the root of E b^2.
  double spread(std::int64_t fan_in) const;
  // Fills one bias with one call of the generator, if it is drawn.
  void draw(std::int64_t fan_in, TensorId id, Stream& stream, std::span<float> out) const;
  void draw(std::int64_t fan_in, TensorId id, Stream& stream, std::span<double> out) const;
};

}  // namespace sigstab
