#pragma once
// numpy.random.default_rng(seed): SeedSequence, PCG64 and the methods of Generator, bit for bit.
//
// normal    standard_normal(n, dtype); float32 has its own ziggurat, on 32-bit halves
// uniform   uniform(low, high, n). It has no dtype, so float32 is low + (high - low) * random(n,
//           dtype=float32) with low and high - low rounded to float32
// integers  integers(0, bound, n), int64: Lemire's method on 32-bit halves
// A half left over stays for the next call that wants one, whatever was drawn in between.

#include "random/pcg64.hpp"
#include "random/seed.hpp"
#include "random/stream.hpp"

namespace sigstab {

class NumpyStream final : public Stream {
 public:
  explicit NumpyStream(const Seed& seed) : bits_(seed) {}

  std::unique_ptr<Stream> clone() const override;
  void normal(TensorId id, std::span<float> out) override;
  void normal(TensorId id, std::span<double> out) override;
  void uniform(TensorId id, std::span<float> out, double low, double high) override;
  void uniform(TensorId id, std::span<double> out, double low, double high) override;
  void integers(TensorId id, std::span<std::int64_t> out, std::uint32_t bound) override;
  std::unique_ptr<Relay> relay(const Law& law) const override;

 protected:
  std::unique_ptr<Pieces<float>> pieces_float32(TensorId id, const Law& d, std::uint64_t total,
                                                Relay* relay) override;
  std::unique_ptr<Pieces<double>> pieces_float64(TensorId id, const Law& d, std::uint64_t total,
                                                 Relay* relay) override;
  void skip_float32(TensorId id, const Law& d, std::uint64_t total) override;
  void skip_float64(TensorId id, const Law& d, std::uint64_t total) override;

 private:
  Pcg64 bits_;
};

}  // namespace sigstab
