// Key, counters and what each dtype and kind makes of Philox's words.
//
// One loop serves all of them: it walks the blocks of a range, some in L1 at a time, and cuts what
// sticks out.

#include "random/native_stream.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/error.hpp"
#include "random/numpy_kernels.hpp"
#include "random/philox_kernels.hpp"

namespace sigstab {
namespace {

constexpr std::uint64_t kFnvPrime = 0x100000001b3;
constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325;

std::uint64_t fnv1a(std::uint64_t hash, std::string_view bytes) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * kFnvPrime;
  return hash;
}

constexpr std::size_t kChunkBlocks = 512;

// Elements first to first + out.size() - 1 of a tensor of which transform(words, count, out) makes
// kPerBlock from each block of words. Blocks that stick out at either end are computed whole and
// cut.
template <std::size_t kPerBlock, typename Value, typename Transform>
void draw_range(PhiloxKey key, TensorId id, std::uint64_t first, std::span<Value> out,
                Transform transform) {
  alignas(64) std::array<std::uint64_t, 2 * kChunkBlocks> words;
  alignas(64) std::array<Value, kChunkBlocks * kPerBlock> values;
  std::uint64_t block = first / kPerBlock;
  std::size_t skip = first % kPerBlock;
  while (!out.empty()) {
    const std::size_t needed = (skip + out.size() + kPerBlock - 1) / kPerBlock;
    const std::size_t blocks =
        std::min(kChunkBlocks, (needed + kPhiloxBlocks - 1) / kPhiloxBlocks * kPhiloxBlocks);
    philox_blocks(key, id.layer, id.role, block, blocks,
                  reinterpret_cast<std::uint32_t*>(words.data()));
    std::size_t count = blocks * kPerBlock;
    if (skip == 0 && count <= out.size()) {
      transform(words.data(), count, out.data());
    } else {
      transform(words.data(), count, values.data());
      count = std::min(count - skip, out.size());
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(skip), count, out.begin());
    }
    out = out.subspan(count);
    block += blocks;
    skip = 0;
  }
}

template <typename Real>
class NativePieces final : public Pieces<Real> {
 public:
  NativePieces(const NativeStream& stream, TensorId id, const Law& law, std::uint64_t total)
      : stream_(stream), id_(id), law_(law), total_(total) {}

  void next(std::span<Real> out) override {
    SIGSTAB_ASSERT(out.size() <= total_ - first_);
    if (law_.kind == Law::kNormal) {
      stream_.normal_at(id_, first_, out);
    } else {
      stream_.uniform_at(id_, first_, out, law_.low, law_.high);
    }
    first_ += out.size();
  }
  void skip(std::uint64_t count) override {
    SIGSTAB_ASSERT(count <= total_ - first_);
    first_ += count;
  }

 private:
  const NativeStream& stream_;
  TensorId id_;
  Law law_;
  std::uint64_t total_, first_ = 0;
};

}  // namespace

std::uint64_t stream_key(std::string_view seed_text, std::string_view case_name,
                         std::string_view grid_point) {
  constexpr std::string_view kSeparator("\0", 1);
  std::uint64_t hash = kFnvOffset;
  for (const std::string_view part : {seed_text, kSeparator, case_name, kSeparator, grid_point}) {
    hash = fnv1a(hash, part);
  }
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

NativeStream::NativeStream(std::uint64_t key)
    : key_{static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)} {}

std::unique_ptr<Stream> NativeStream::clone() const {
  return std::make_unique<NativeStream>(*this);
}

void NativeStream::normal(TensorId id, std::span<float> out) { normal_at(id, 0, out); }

void NativeStream::normal(TensorId id, std::span<double> out) { normal_at(id, 0, out); }

void NativeStream::uniform(TensorId id, std::span<float> out, double low, double high) {
  uniform_at(id, 0, out, low, high);
}

void NativeStream::uniform(TensorId id, std::span<double> out, double low, double high) {
  uniform_at(id, 0, out, low, high);
}

void NativeStream::integers(TensorId id, std::span<std::int64_t> out, std::uint32_t bound) {
  integers_at(id, 0, out, bound);
}

void NativeStream::normal_at(TensorId id, std::uint64_t first, std::span<float> out) const {
  draw_range<4>(
      key_, id, first, out, [](const std::uint64_t* words, std::size_t count, float* values) {
        box_muller_pairs(reinterpret_cast<const std::uint32_t*>(words), count / 2, values);
      });
}

void NativeStream::normal_at(TensorId id, std::uint64_t first, std::span<double> out) const {
  draw_range<2>(key_, id, first, out,
                [](const std::uint64_t* words, std::size_t count, double* values) {
                  box_muller_pairs(words, count / 2, values);
                });
}

void NativeStream::uniform_at(TensorId id, std::uint64_t first, std::span<float> out, double low,
                              double high) const {
  const auto start = static_cast<float>(low), range = static_cast<float>(high - low);
  draw_range<4>(key_, id, first, out,
                [=](const std::uint64_t* words, std::size_t count, float* values) {
                  uniforms_of_words(words, count, start, range, values);
                });
}

void NativeStream::uniform_at(TensorId id, std::uint64_t first, std::span<double> out, double low,
                              double high) const {
  draw_range<2>(key_, id, first, out,
                [=](const std::uint64_t* words, std::size_t count, double* values) {
                  uniforms_of_words(words, count, low, high - low, values);
                });
}

void NativeStream::integers_at(TensorId id, std::uint64_t first, std::span<std::int64_t> out,
                               std::uint32_t bound) const {
  SIGSTAB_ASSERT(bound >= 1);
  // No rejection, which would cost random access.
  draw_range<2>(key_, id, first, out,
                [=](const std::uint64_t* words, std::size_t count, std::int64_t* values) {
                  scale_words(words, count, bound, values);
                });
}

std::unique_ptr<Pieces<float>> NativeStream::pieces_float32(TensorId id, const Law& d,
                                                            std::uint64_t total, Relay* /*relay*/) {
  return std::make_unique<NativePieces<float>>(*this, id, d, total);
}

std::unique_ptr<Pieces<double>> NativeStream::pieces_float64(TensorId id, const Law& d,
                                                             std::uint64_t total,
                                                             Relay* /*relay*/) {
  return std::make_unique<NativePieces<double>>(*this, id, d, total);
}

// Nothing is left behind by a draw.
void NativeStream::skip_float32(TensorId /*id*/, const Law& /*d*/, std::uint64_t /*total*/) {}
void NativeStream::skip_float64(TensorId /*id*/, const Law& /*d*/, std::uint64_t /*total*/) {}

}  // namespace sigstab
