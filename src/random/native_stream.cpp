// Key, counters and the transforms of one Philox block for each dtype and kind.
//
// One loop serves all of them: it walks the blocks of a range and cuts what sticks out.

#include "random/native_stream.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/error.hpp"
#include "random/box_muller.hpp"
#include "random/pcg64.hpp"  // Uint128

namespace sigstab {
namespace {

constexpr std::uint64_t kFnvPrime = 0x100000001b3;
constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325;

std::uint64_t fnv1a(std::uint64_t hash, std::string_view bytes) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * kFnvPrime;
  return hash;
}

constexpr std::uint64_t low_half(const PhiloxBlock& w) { return std::uint64_t{w[1]} << 32 | w[0]; }
constexpr std::uint64_t high_half(const PhiloxBlock& w) { return std::uint64_t{w[3]} << 32 | w[2]; }

// Elements first to first + out.size() - 1 of a tensor of which `transform` makes kPerBlock from
// each block of words. Blocks that stick out at either end are computed whole and cut.
template <std::size_t kPerBlock, typename Value, typename Transform>
void draw_range(PhiloxKey key, TensorId id, std::uint64_t first, std::span<Value> out,
                Transform transform) {
  std::uint64_t block = first / kPerBlock;
  std::size_t skip = first % kPerBlock;
  for (std::size_t done = 0; done < out.size(); ++block) {
    const PhiloxBlock words =
        philox4x32_10({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                       id.layer, id.role},
                      key);
    const std::array<Value, kPerBlock> values = transform(words);
    const std::size_t count = std::min(kPerBlock - skip, out.size() - done);
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(skip), count,
                out.begin() + static_cast<std::ptrdiff_t>(done));
    done += count;
    skip = 0;
  }
}

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
  draw_range<4>(key_, id, first, out, [](const PhiloxBlock& w) {
    const auto a = box_muller_pair(w[0], w[1]), b = box_muller_pair(w[2], w[3]);
    return std::array{a.cosine, a.sine, b.cosine, b.sine};
  });
}

void NativeStream::normal_at(TensorId id, std::uint64_t first, std::span<double> out) const {
  draw_range<2>(key_, id, first, out, [](const PhiloxBlock& w) {
    const auto pair = box_muller_pair(low_half(w), high_half(w));
    return std::array{pair.cosine, pair.sine};
  });
}

void NativeStream::uniform_at(TensorId id, std::uint64_t first, std::span<float> out, double low,
                              double high) const {
  const auto start = static_cast<float>(low), range = static_cast<float>(high - low);
  const auto scaled = [=](std::uint32_t word) {
    return start + range * (static_cast<float>(word >> 8) * 0x1p-24F);
  };
  draw_range<4>(key_, id, first, out, [=](const PhiloxBlock& w) {
    return std::array{scaled(w[0]), scaled(w[1]), scaled(w[2]), scaled(w[3])};
  });
}

void NativeStream::uniform_at(TensorId id, std::uint64_t first, std::span<double> out, double low,
                              double high) const {
  const double range = high - low;
  const auto scaled = [=](std::uint64_t word) {
    return low + range * (static_cast<double>(word >> 11) * 0x1p-53);
  };
  draw_range<2>(key_, id, first, out, [=](const PhiloxBlock& w) {
    return std::array{scaled(low_half(w)), scaled(high_half(w))};
  });
}

void NativeStream::integers_at(TensorId id, std::uint64_t first, std::span<std::int64_t> out,
                               std::uint32_t bound) const {
  SIGSTAB_ASSERT(bound >= 1);
  // No rejection, which would cost random access.
  const auto scaled = [=](std::uint64_t word) {
    return static_cast<std::int64_t>((Uint128{word} * bound) >> 64);
  };
  draw_range<2>(key_, id, first, out, [=](const PhiloxBlock& w) {
    return std::array{scaled(low_half(w)), scaled(high_half(w))};
  });
}

}  // namespace sigstab
