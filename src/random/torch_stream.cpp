// The CPU kernels of torch.randn, uniform_ and randint over mt19937.
//
// The order of draws is theirs: all uniforms of a call first, then the transform, then, if the size
// is no multiple of 16, sixteen more uniforms for the end.

#include "random/torch_stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "base/error.hpp"
#include "random/torch_kernels.hpp"

namespace sigstab {
namespace {

// Elements transformed at a time, so that the uniforms are still in L1.
constexpr std::size_t kChunk = 2048;
static_assert(kChunk % kBoxMullerBlock == 0);

// Where it has FMA, PyTorch's kernel was contracted by its compiler: one rounding, not two. A plain
// multiply and add would differ in half of the values unless the range is a power of two.
template <typename Real>
void scaled_uniforms(Mt19937& bits, std::span<Real> out, double low, double high) {
  const auto start = static_cast<Real>(low);
  bits.fill_uniforms(out, static_cast<Real>(high) - start, start);
}

}  // namespace

std::unique_ptr<Stream> TorchStream::clone() const { return std::make_unique<TorchStream>(*this); }

double TorchStream::next_cached_normal() {
  if (cached_) {
    const double second = *cached_;
    cached_.reset();
    return second;
  }
  const double u1 = bits_.next_double();
  const double u2 = bits_.next_double();
  // 1 - u2 is exact, so this log is as good as the log1p of later versions; 1.13 has the log.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - u2));
  const double theta = 2.0 * std::numbers::pi * u1;
  cached_ = radius * std::sin(theta);
  return radius * std::cos(theta);
}

template <typename Real>
void TorchStream::draw_normals(std::span<Real> out) {
  constexpr std::size_t n = kBoxMullerBlock;
  if (out.size() < n) {
    for (Real& x : out) x = static_cast<Real>(next_cached_normal());
    return;
  }
  for (std::span<Real> rest = out; !rest.empty();) {
    const auto chunk = rest.first(std::min(kChunk, rest.size()));
    bits_.fill_uniforms(chunk, Real{1}, Real{0});
    box_muller_blocks(chunk.data(), chunk.size() / n * n);
    rest = rest.subspan(chunk.size());
  }
  if (out.size() % n != 0) {
    // The last 16 are drawn afresh, over values that were already transformed.
    const auto last = out.template last<n>();
    bits_.fill_uniforms(std::span<Real>(last), Real{1}, Real{0});
    box_muller_blocks(last.data(), n);
  }
}

void TorchStream::normal(TensorId /*id*/, std::span<float> out) { draw_normals(out); }

void TorchStream::normal(TensorId /*id*/, std::span<double> out) { draw_normals(out); }

void TorchStream::uniform(TensorId /*id*/, std::span<float> out, double low, double high) {
  scaled_uniforms(bits_, out, low, high);
}

void TorchStream::uniform(TensorId /*id*/, std::span<double> out, double low, double high) {
  scaled_uniforms(bits_, out, low, high);
}

void TorchStream::integers(TensorId /*id*/, std::span<std::int64_t> out, std::uint32_t bound) {
  SIGSTAB_ASSERT(bound >= 1);
  // Even bound 1 consumes a word for each element.
  for (std::int64_t& x : out) x = bits_.next32() % bound;
}

}  // namespace sigstab
