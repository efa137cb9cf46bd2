#include "net/bias.hpp"

#include <algorithm>
#include <cmath>

namespace sigstab {
namespace {

constexpr Parameter kValue[] = {{"value", kRequired, -kHuge, kHuge, "every entry"}};
constexpr Parameter kSpread[] = {{"spread", kRequired, 0, kHuge, "standard deviation"}};
constexpr Parameter kLimit[] = {{"limit", kRequired, 0, kHuge, "biases lie in [-limit, limit)"}};

double zero(double, const ParameterValues&) { return 0; }
double given(double, const ParameterValues& p) { return p[0]; }
double inverse_root(double fan_in, const ParameterValues&) { return 1 / std::sqrt(fan_in); }

constexpr BiasRow kTable[] = {
    {"none", "no biases", false, false, {}, zero, Law::kNormal},
    {"zeros", "biases that start at 0", true, false, {}, zero, Law::kNormal},
    {"constant", "biases of one value", true, false, kValue, given, Law::kNormal},
    {"normal", "normal of a given spread", true, true, kSpread, given, Law::kNormal},
    {"uniform", "uniform of a given limit", true, true, kLimit, given, Law::kUniform},
    {"torch_default",
     "uniform within 1/sqrt(fan_in): PyTorch's nn.Linear",
     true,
     true,
     {},
     inverse_root,
     Law::kUniform},
};

template <class T>
void draw_bias(const Bias& bias, std::int64_t fan_in, TensorId id, Stream& stream,
               std::span<T> out) {
  const double size = bias.row->size(static_cast<double>(fan_in), bias.parameters);
  if (!bias.row->drawn) {
    std::ranges::fill(out, static_cast<T>(size));
    return;
  }
  if (bias.row->law == Law::kUniform) return stream.uniform(id, out, -size, size);
  stream.normal(id, out);
  for (T& v : out) v *= static_cast<T>(size);
}

}  // namespace

std::span<const BiasRow> bias_table() { return kTable; }

double Bias::spread(std::int64_t fan_in) const {
  const double size = std::fabs(row->size(static_cast<double>(fan_in), parameters));
  return row->law == Law::kUniform ? size / std::sqrt(3.0) : size;
}

void Bias::draw(std::int64_t fan_in, TensorId id, Stream& stream, std::span<float> out) const {
  draw_bias(*this, fan_in, id, stream, out);
}
void Bias::draw(std::int64_t fan_in, TensorId id, Stream& stream, std::span<double> out) const {
  draw_bias(*this, fan_in, id, stream, out);
}

}  // namespace sigstab
