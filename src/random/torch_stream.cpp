// The CPU kernels of torch.randn, uniform_ and randint over mt19937.
//
// The order of draws is theirs. A call is one piece of its own total.

#include "random/torch_stream.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "base/error.hpp"
#include "random/pieces.hpp"
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

// From 16 elements on, normals come in blocks of 16. If the total is no multiple of 16, all its
// uniforms are drawn, and then the last 16 elements afresh, over values already transformed.
template <typename Real>
class TorchStream::NormalPieces final : public Pieces<Real> {
 public:
  NormalPieces(TorchStream& stream, std::uint64_t total)
      : stream_(stream), total_(total), last_(total % kBlock == 0 ? total : total - kBlock) {}

  void next(std::span<Real> out) override {
    SIGSTAB_ASSERT(out.size() <= total_ - position_);
    if (total_ < kBlock) {
      for (Real& x : out) x = static_cast<Real>(stream_.next_cached_normal());
      position_ += out.size();
      return;
    }
    while (!out.empty()) {
      const std::size_t count = draw_some(out);
      position_ += count;
      out = out.subspan(count);
    }
  }

  // Whole blocks are skipped as words; what is left of one, or of the redrawn end, is drawn.
  void skip(std::uint64_t count) override {
    SIGSTAB_ASSERT(count <= total_ - position_);
    if (total_ >= kBlock && position_ % kBlock == 0 && position_ < last_) {
      const std::uint64_t blocks = std::min(count, last_ - position_) / kBlock * kBlock;
      stream_.bits_.skip(blocks * kWords);
      drawn_ += blocks;
      position_ += blocks;
      count -= blocks;
    }
    Pieces<Real>::skip(count);
  }

 private:
  static constexpr std::size_t kBlock = kBoxMullerBlock;

  // Draws at least one element, all of them blocks as they are or all of them part of one block.
  std::size_t draw_some(std::span<Real> out) {
    if (position_ >= last_) {
      if (drawn_ < total_) {
        stream_.bits_.skip((total_ - drawn_) * kWords);
        drawn_ = total_;
        draw_blocks(std::span<Real>(block_));
      }
      return copy_block(position_ - last_, out);
    }
    const std::size_t offset = position_ % kBlock;
    const std::uint64_t before_last = last_ - position_;
    if (offset == 0) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(before_last, out.size()));
      const std::size_t whole = std::min(kChunk, count / kBlock * kBlock);
      const std::span<Real> blocks = whole > 0 ? out.first(whole) : std::span<Real>(block_);
      draw_blocks(blocks);
      drawn_ += blocks.size();
      if (whole > 0) return whole;
    }
    return copy_block(
        offset,
        out.first(static_cast<std::size_t>(std::min<std::uint64_t>(before_last, out.size()))));
  }

  void draw_blocks(std::span<Real> out) {
    stream_.bits_.fill_uniforms(out, Real{1}, Real{0});
    box_muller_blocks(out.data(), out.size());
  }

  std::size_t copy_block(std::size_t offset, std::span<Real> out) {
    const std::size_t count = std::min(kBlock - offset, out.size());
    std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
    return count;
  }

  static constexpr std::uint64_t kWords = sizeof(Real) / sizeof(std::uint32_t);

  TorchStream& stream_;
  std::uint64_t total_;
  std::uint64_t last_;              // where the redrawn block begins; the total if there is none
  std::uint64_t position_ = 0;      // of the next element
  std::uint64_t drawn_ = 0;         // uniforms, without those of the redrawn block
  std::array<Real, kBlock> block_;  // of which part was handed out
};

void TorchStream::normal(TensorId /*id*/, std::span<float> out) {
  NormalPieces<float>(*this, out.size()).next(out);
}

void TorchStream::normal(TensorId /*id*/, std::span<double> out) {
  NormalPieces<double>(*this, out.size()).next(out);
}

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

template <typename Real>
std::unique_ptr<Pieces<Real>> TorchStream::pieces_of(TensorId id, const Law& d,
                                                     std::uint64_t total) {
  if (d.kind == Law::kNormal) return std::make_unique<NormalPieces<Real>>(*this, total);
  return std::make_unique<ConsecutivePieces<Real>>(*this, id, d, total);
}

template <typename Real>
void TorchStream::skip_of(TensorId id, const Law& d, std::uint64_t total) {
  const bool normal = d.kind == Law::kNormal;
  if (normal && total < kBoxMullerBlock) return pieces_of<Real>(id, d, total)->skip(total);
  if (normal && total % kBoxMullerBlock != 0) total += kBoxMullerBlock;
  bits_.skip(total * (sizeof(Real) / sizeof(std::uint32_t)));
}

std::unique_ptr<Pieces<float>> TorchStream::pieces_float32(TensorId id, const Law& d,
                                                           std::uint64_t total, Relay* /*relay*/) {
  return pieces_of<float>(id, d, total);
}

std::unique_ptr<Pieces<double>> TorchStream::pieces_float64(TensorId id, const Law& d,
                                                            std::uint64_t total, Relay* /*relay*/) {
  return pieces_of<double>(id, d, total);
}

void TorchStream::skip_float32(TensorId id, const Law& d, std::uint64_t total) {
  skip_of<float>(id, d, total);
}

void TorchStream::skip_float64(TensorId id, const Law& d, std::uint64_t total) {
  skip_of<double>(id, d, total);
}

}  // namespace sigstab
