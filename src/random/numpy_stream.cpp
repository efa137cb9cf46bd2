// The methods of numpy.random.Generator over PCG64; the ziggurats are in ziggurat.cpp.
//
// Products and sums are rounded one by one, as in NumPy, which is built without fused multiply-add.

#include "random/numpy_stream.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "random/numpy_kernels.hpp"
#include "random/pieces.hpp"
#include "random/relayed_normals.hpp"
#include "random/ziggurat.hpp"

namespace sigstab {
namespace {

// In [0, bound), without bias. Source: Lemire, "Fast Random Integer Generation in an Interval",
// ACM TOMACS 29 (2019).
std::uint32_t bounded(Pcg64& bits, std::uint32_t bound) {
  std::uint64_t product = std::uint64_t{bits.next32()} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    // 2^32 mod bound low parts are one too many for an even share.
    const std::uint32_t excess = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < excess) {
      product = std::uint64_t{bits.next32()} * bound;
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

// Does not move the generator.
template <std::size_t kPerWord, typename Real>
void draw_uniforms(Pcg64& bits, std::span<Real> out, Real start, Real range) {
  constexpr std::size_t kWords = 1024;
  alignas(64) std::array<std::uint64_t, kWords> words;
  PcgLanes lanes = pcg_start(bits);
  while (!out.empty()) {
    const std::size_t count = std::min(kWords * kPerWord, out.size());
    pcg_words(lanes, words.data(), (count + kPerWord * kGroup - 1) / (kPerWord * kGroup) * kGroup);
    uniforms_of_words(words.data(), count, start, range, out.data());
    out = out.subspan(count);
  }
}

}  // namespace

std::unique_ptr<Stream> NumpyStream::clone() const { return std::make_unique<NumpyStream>(*this); }

void NumpyStream::normal(TensorId /*id*/, std::span<float> out) { ziggurat_normals(bits_, out); }

void NumpyStream::normal(TensorId /*id*/, std::span<double> out) { ziggurat_normals(bits_, out); }

void NumpyStream::uniform(TensorId /*id*/, std::span<float> out, double low, double high) {
  const auto start = static_cast<float>(low), range = static_cast<float>(high - low);
  if (!out.empty() && bits_.has_half()) {
    out[0] = start + range * bits_.next_float();
    out = out.subspan(1);
  }
  draw_uniforms<2>(bits_, out, start, range);
  bits_.skip_halves(out.size());
}

void NumpyStream::uniform(TensorId /*id*/, std::span<double> out, double low, double high) {
  draw_uniforms<1>(bits_, out, low, high - low);
  bits_.skip(out.size());
}

void NumpyStream::integers(TensorId /*id*/, std::span<std::int64_t> out, std::uint32_t bound) {
  SIGSTAB_ASSERT(bound >= 1);
  // NumPy draws nothing when there is no choice.
  if (bound == 1) return std::fill(out.begin(), out.end(), 0);
  for (std::int64_t& x : out) x = bounded(bits_, bound);
}

std::unique_ptr<Pieces<float>> NumpyStream::pieces_float32(TensorId id, const Law& d,
                                                           std::uint64_t total, Relay* relay) {
  if (relay != nullptr) {
    return std::make_unique<RelayedNormals<float>>(bits_, total, static_cast<PcgRelay&>(*relay));
  }
  return std::make_unique<ConsecutivePieces<float>>(*this, id, d, total);
}

std::unique_ptr<Pieces<double>> NumpyStream::pieces_float64(TensorId id, const Law& d,
                                                            std::uint64_t total, Relay* relay) {
  if (relay != nullptr) {
    return std::make_unique<RelayedNormals<double>>(bits_, total, static_cast<PcgRelay&>(*relay));
  }
  return std::make_unique<ConsecutivePieces<double>>(*this, id, d, total);
}

std::unique_ptr<Relay> NumpyStream::relay(const Law& law) const {
  if (law.kind != Law::kNormal) return nullptr;
  return std::make_unique<PcgRelay>();
}

void NumpyStream::skip_float32(TensorId id, const Law& d, std::uint64_t total) {
  if (d.kind == Law::kNormal) {
    return pieces_float32(id, d, total, nullptr)->skip(total);
  }
  skip_ziggurat_elements<float>(bits_, total);
}

void NumpyStream::skip_float64(TensorId id, const Law& d, std::uint64_t total) {
  if (d.kind == Law::kNormal) {
    return pieces_float64(id, d, total, nullptr)->skip(total);
  }
  bits_.skip(total);
}

}  // namespace sigstab
