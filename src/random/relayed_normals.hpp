#pragma once
// One tensor of NumPy's normals drawn by several threads at once.
//
// A ziggurat takes a variable number of words, so where a piece starts is known only when the piece
// before it is drawn. But a draw takes one word in 98.7% of cases: from a wrong start the draws
// fall into step with the true ones within a few words. So a member guesses, a little early, draws
// ahead, and when its neighbour tells the true start counts the draws that came too early and drops
// them. Where the guess never fell into step the piece is drawn again. The numbers are the same in
// any case.

#include <atomic>
#include <cstdint>
#include <span>

#include "random/pcg64.hpp"
#include "random/stream.hpp"

namespace sigstab {

// The end of the last piece that is drawn for good.
class PcgRelay final : public Relay {
 public:
  // `position` elements lie before `bits`. Called piece by piece in order.
  void pass(std::uint64_t position, const Pcg64& bits);
  // Blocks until a piece ends there. Only the member that draws the next piece may ask.
  Pcg64 wait(std::uint64_t position);

 private:
  std::atomic<std::uint64_t> position_{0};
  Pcg64 bits_{0, 1};
};

template <typename Real>
class RelayedNormals final : public Pieces<Real> {
 public:
  // Words (in float32 halves of words) that a draw takes on average, measured over 2 * 10^7 draws.
  static constexpr double kElementsPerDraw = 1.0222;

  // `bits` must stand at the tensor's start. Another elements_per_draw makes guesses bad, but
  // no number wrong.
  RelayedNormals(Pcg64& bits, std::uint64_t total, PcgRelay& relay,
                 double elements_per_draw = kElementsPerDraw)
      : bits_(bits), left_(total), relay_(relay), elements_per_draw_(elements_per_draw) {}

  void next(std::span<Real> out) override;
  void skip(std::uint64_t count) override;

 private:
  // Draws the piece from a guessed start; false if that is not worth it or went wrong.
  bool draw_ahead(std::span<Real> out);

  Pcg64& bits_;
  std::uint64_t left_;
  std::uint64_t at_ = 0, next_ = 0;  // the element at which bits_ stands; the next to draw
  PcgRelay& relay_;
  double elements_per_draw_;
};

}  // namespace sigstab
