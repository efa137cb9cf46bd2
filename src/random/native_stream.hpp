#pragma once
// This project's own stream: counter-based, so that neither order, threads nor an added case
// changes a draw. Frozen by tests/reference/philox_reference.json.
//
// key      stream_key(seed, case name, grid point), low word first
// counter  (block low, block high, layer, role); block b of a tensor holds its elements k b to
//          k b + k - 1 in row-major order, k = 4 in float32 and 2 in float64 and int64
// float32  words (0, 1) and (2, 3) are (radius, angle) of a normal pair; a word's top 24 bits are
//          a uniform
// float64  w0 + 2^32 w1 and w2 + 2^32 w3 are (radius, angle); the top 53 bits of one are a uniform
// int64    floor(x * bound / 2^64) for each of these two: biased by less than 2^-32

#include <string_view>

#include "random/philox.hpp"
#include "random/stream.hpp"

namespace sigstab {

// FNV-1a (64 bits) over the bytes of seed text, 0, case name, 0, grid point; then splitmix64's
// finaliser (xor-shift 30, multiply, xor-shift 27, multiply, xor-shift 31), which makes every key
// bit depend on every byte. seed_text is canonical decimal.
std::uint64_t stream_key(std::string_view seed_text, std::string_view case_name,
                         std::string_view grid_point);

// Different kinds and dtypes of draws for one TensorId come from the same words: draw a tensor
// once.
class NativeStream final : public Stream {
 public:
  explicit NativeStream(std::uint64_t key);

  std::unique_ptr<Stream> clone() const override;
  void normal(TensorId id, std::span<float> out) override;
  void normal(TensorId id, std::span<double> out) override;
  void uniform(TensorId id, std::span<float> out, double low, double high) override;
  void uniform(TensorId id, std::span<double> out, double low, double high) override;
  void integers(TensorId id, std::span<std::int64_t> out, std::uint32_t bound) override;

  // Elements first, first + 1, ... of the tensor: the same values as within the whole. Const, hence
  // safe to call from several threads.
  void normal_at(TensorId id, std::uint64_t first, std::span<float> out) const;
  void normal_at(TensorId id, std::uint64_t first, std::span<double> out) const;
  void uniform_at(TensorId id, std::uint64_t first, std::span<float> out, double low,
                  double high) const;
  void uniform_at(TensorId id, std::uint64_t first, std::span<double> out, double low,
                  double high) const;
  void integers_at(TensorId id, std::uint64_t first, std::span<std::int64_t> out,
                   std::uint32_t bound) const;

 protected:
  std::unique_ptr<Pieces<float>> pieces_float32(TensorId id, const Law& d, std::uint64_t total,
                                                Relay* relay) override;
  std::unique_ptr<Pieces<double>> pieces_float64(TensorId id, const Law& d, std::uint64_t total,
                                                 Relay* relay) override;
  void skip_float32(TensorId id, const Law& d, std::uint64_t total) override;
  void skip_float64(TensorId id, const Law& d, std::uint64_t total) override;

 private:
  PhiloxKey key_;
};

}  // namespace sigstab
