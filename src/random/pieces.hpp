#pragma once
// Pieces for streams on which consecutive calls of one kind give what one call would have given.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.hpp"
#include "random/stream.hpp"

namespace sigstab {

template <typename Real>
class ConsecutivePieces final : public Pieces<Real> {
 public:
  ConsecutivePieces(Stream& stream, TensorId id, const Law& law, std::uint64_t total)
      : stream_(stream), id_(id), law_(law), left_(total) {}

  void next(std::span<Real> out) override {
    SIGSTAB_ASSERT(out.size() <= left_);
    left_ -= out.size();
    if (law_.kind == Law::kNormal) {
      stream_.normal(id_, out);
    } else {
      stream_.uniform(id_, out, law_.low, law_.high);
    }
  }

  void skip(std::uint64_t count) override {
    SIGSTAB_ASSERT(count <= left_);
    if (law_.kind == Law::kNormal) return Pieces<Real>::skip(count);
    left_ -= count;
    stream_.template skip<Real>(id_, law_, count);
  }

 private:
  Stream& stream_;
  TensorId id_;
  Law law_;
  std::uint64_t left_;
};

}  // namespace sigstab
