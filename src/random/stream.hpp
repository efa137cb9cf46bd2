#pragma once
// What the rest of the program sees of a random generator: one stream of tensors.
//
// A call draws one whole tensor, in row-major order, exactly as one call of the library named by
// the generator would: what a call of n elements gives is not what two calls of n/2 give. Values
// are of unit scale; the caller multiplies by the spread. Three generators implement it:
//   numpy   Generator(PCG64(SeedSequence(seed))), bit for bit
//   torch   the CPU generator (mt19937), integers and uniforms exactly, normals to the last units
//   philox  counter-based, this project's own: random access, no order

#include <cstdint>
#include <memory>
#include <span>

namespace sigstab {

// Which tensor is drawn. Sequential generators ignore it; philox makes it part of the counter.
struct TensorId {
  enum Role : std::uint32_t { kInput = 0, kUpstream = 1, kHead = 2, kTargets = 3, kWeights = 16 };
  std::uint32_t role = kInput;  // kWeights + index of the matrix within its block
  std::uint32_t layer = 0;      // from 1; 0 for what belongs to no layer
};

class Stream {
 public:
  virtual ~Stream() = default;
  // An independent copy that will draw the same values.
  virtual std::unique_ptr<Stream> clone() const = 0;

  // Standard normals. Numpy float32 is standard_normal(dtype=float32), not a cast.
  virtual void normal(TensorId id, std::span<float> out) = 0;
  virtual void normal(TensorId id, std::span<double> out) = 0;
  // Uniform between low and high (low included), by the library's own formula in its own precision:
  // torch u * (high - low) + low, the others low + (high - low) * u, with u in [0, 1).
  virtual void uniform(TensorId id, std::span<float> out, double low, double high) = 0;
  virtual void uniform(TensorId id, std::span<double> out, double low, double high) = 0;
  // Integers in [0, bound), 1 <= bound <= 2^32 - 1: torch.randint, Generator.integers.
  virtual void integers(TensorId id, std::span<std::int64_t> out, std::uint32_t bound) = 0;
};

}  // namespace sigstab
