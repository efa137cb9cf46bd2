#pragma once
// Words of a Pcg64 in bulk, ahead of the generator itself, which is moved once at the end.

#include <cstddef>
#include <cstdint>

#include "random/numpy_kernels.hpp"
#include "random/pcg64.hpp"

namespace sigstab {

class Pcg64Words {
 public:
  explicit Pcg64Words(Pcg64& bits) : bits_(bits) {}

  // The next words of the stream. Shapes: count a multiple of kGroup; words 64-byte aligned.
  void draw(std::uint64_t* words, std::size_t count) {
    if (!started_) {
      settle();
      lanes_ = pcg_start(bits_);
      started_ = true;
    }
    pcg_words(lanes_, words, count);
    drawn_ += count;
  }

  // Undraws the last `count` words.
  void put_back(std::size_t count) {
    drawn_ -= count;
    started_ = started_ && count == 0;
  }

  // Moves the generator behind what was drawn and not put back.
  void settle() {
    if (drawn_ != 0) bits_.skip(drawn_);
    drawn_ = 0;
    started_ = false;
  }

 private:
  Pcg64& bits_;
  PcgLanes lanes_;
  std::uint64_t drawn_ = 0;
  bool started_ = false;
};

}  // namespace sigstab
