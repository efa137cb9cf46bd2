#pragma once
// What the rest of the program sees of a random generator: one stream of tensors.
//
// A call draws one whole tensor, in row-major order, exactly as one call of the library named by
// the generator would: what a call of n elements gives is not what two calls of n/2 give. Values
// are of unit scale; the caller multiplies by the spread. Three generators implement it:
//   numpy   Generator(PCG64(SeedSequence(seed))), bit for bit
//   torch   the CPU generator (mt19937), integers and uniforms exactly, normals to the last units
//   philox  counter-based, this project's own: random access, no order
// A tensor that is never stored is drawn in pieces, which give what the one call would.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace sigstab {

// Which tensor is drawn. Sequential generators ignore it; philox makes it part of the counter.
struct TensorId {
  enum Role : std::uint32_t {
    kInput = 0,
    kUpstream = 1,
    kHead = 2,
    kTargets = 3,
    kWeights = 16,
    kBiases = 64
  };
  std::uint32_t role = kInput;  // kWeights, kBiases + index of the matrix within its block
  std::uint32_t layer = 0;      // from 1; 0 for what belongs to no layer
};

// How the elements are distributed: standard normals, or uniforms between low and high.
struct Law {
  enum Kind { kNormal, kUniform };
  Kind kind = kNormal;
  double low = 0.0, high = 1.0;

  bool operator==(const Law&) const = default;
  static Law normal() { return {}; }
  static Law uniform(double low, double high) { return {kUniform, low, high}; }
};

// A tensor on its way, from its first element to its last.
template <typename Real>
class Pieces {
 public:
  virtual ~Pieces() = default;
  // The next out.size() elements. Sizes are free; multiples of 16, from 1024 on, are fastest.
  // Errors: asserts that so many are left.
  virtual void next(std::span<Real> out) = 0;
  // Leaves out the next `count` elements, at most at the cost of drawing them.
  virtual void skip(std::uint64_t count);
};

// What members of a team that draw one tensor together, each some of its pieces, tell each other.
class Relay {
 public:
  virtual ~Relay() = default;
};

class Stream {
 public:
  virtual ~Stream() = default;
  // An independent copy that will draw the same values: at most 3 KB, so one can be kept for each
  // layer that will be drawn again.
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

  // One tensor of `total` elements in pieces, which joined are what normal or uniform would have
  // drawn. Until the last one is drawn nothing else may use the stream, which must outlive them; it
  // then stands where the one call would have left it.
  //
  // A team draws one tensor from clones of one stream, which share a `relay`: every piece is drawn
  // by one member and skipped by the others, each member's in order, all at the same time, or some
  // member waits for ever. Only the member that draws the last piece is left where the call ends.
  template <typename Real>
  std::unique_ptr<Pieces<Real>> pieces(TensorId id, const Law& law, std::uint64_t total,
                                       Relay* relay = nullptr) {
    if constexpr (sizeof(Real) == sizeof(float)) {
      return pieces_float32(id, law, total, relay);
    } else {
      return pieces_float64(id, law, total, relay);
    }
  }

  // For one tensor of a team. Null where a member needs none, for skipping costs it less than
  // drawing.
  virtual std::unique_ptr<Relay> relay(const Law& law) const;

  // Leaves the stream as drawing the tensor would. Cost: nothing for philox and numpy uniforms,
  // 0.05 ns a word for torch (a word a float32, two a float64), all of drawing for numpy normals.
  template <typename Real>
  void skip(TensorId id, const Law& law, std::uint64_t total) {
    if constexpr (sizeof(Real) == sizeof(float)) {
      skip_float32(id, law, total);
    } else {
      skip_float64(id, law, total);
    }
  }

 protected:
  virtual std::unique_ptr<Pieces<float>> pieces_float32(TensorId id, const Law& d,
                                                        std::uint64_t total, Relay* relay) = 0;
  virtual std::unique_ptr<Pieces<double>> pieces_float64(TensorId id, const Law& d,
                                                         std::uint64_t total, Relay* relay) = 0;
  virtual void skip_float32(TensorId id, const Law& d, std::uint64_t total) = 0;
  virtual void skip_float64(TensorId id, const Law& d, std::uint64_t total) = 0;
};

inline std::unique_ptr<Relay> Stream::relay(const Law& /*law*/) const { return nullptr; }

template <typename Real>
void Pieces<Real>::skip(std::uint64_t count) {
  std::array<Real, 2048> dropped;
  while (count > 0) {
    const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(dropped.size(), count));
    next(std::span(dropped).first(some));
    count -= some;
  }
}

}  // namespace sigstab
