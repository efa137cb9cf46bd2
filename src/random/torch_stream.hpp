#pragma once
// PyTorch's CPU generator after torch.manual_seed(seed), as of 1.13 on a CPU with AVX2 and FMA.
//
// normal    torch.randn(n, dtype). Below 16 elements: double Box-Muller one by one, the second of
//           a pair cached for the next such call, of either dtype. From 16 on: torch_kernels.hpp
// uniform   torch.empty(n).uniform_(low, high): 24 bits in float32, 53 in float64
// integers  torch.randint(bound, (n,)): a 32-bit word modulo bound
// Accuracy: uniforms and integers exact; normals 4e-7 absolute + 4e-7 relative in float32, 4 ulp
// in float64. PyTorch's own float32 normals differ by as much between CPU types.

#include <optional>

#include "random/mt19937.hpp"
#include "random/stream.hpp"

namespace sigstab {

class TorchStream final : public Stream {
 public:
  // Seeds that agree in their low 32 bits give the same stream.
  explicit TorchStream(std::uint64_t seed) : bits_(seed) {}

  std::unique_ptr<Stream> clone() const override;
  void normal(TensorId id, std::span<float> out) override;
  void normal(TensorId id, std::span<double> out) override;
  void uniform(TensorId id, std::span<float> out, double low, double high) override;
  void uniform(TensorId id, std::span<double> out, double low, double high) override;
  void integers(TensorId id, std::span<std::int64_t> out, std::uint32_t bound) override;

 protected:
  std::unique_ptr<Pieces<float>> pieces_float32(TensorId id, const Law& d, std::uint64_t total,
                                                Relay* relay) override;
  std::unique_ptr<Pieces<double>> pieces_float64(TensorId id, const Law& d, std::uint64_t total,
                                                 Relay* relay) override;
  void skip_float32(TensorId id, const Law& d, std::uint64_t total) override;
  void skip_float64(TensorId id, const Law& d, std::uint64_t total) override;

 private:
  template <typename Real>
  class NormalPieces;
  template <typename Real>
  std::unique_ptr<Pieces<Real>> pieces_of(TensorId id, const Law& d, std::uint64_t total);
  template <typename Real>
  void skip_of(TensorId id, const Law& d, std::uint64_t total);
  double next_cached_normal();

  Mt19937 bits_;
  std::optional<double> cached_;
};

}  // namespace sigstab
