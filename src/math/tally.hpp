#pragma once
// The sizes of many numbers, part by part: count, mean, spread, RMS, largest magnitude.
//
// A part's sums are of what its numbers are above its first, and its squares are taken again from
// its mean on where those would cancel: equal numbers have a spread of exactly 0.
// Parts are joined in long double (Chan, Golub & LeVeque 1983), whose range holds the squares of
// any double. Numbers that are not finite are counted and left out. The bits depend on the parts
// and their order alone, not on the instruction set.

#include <cstddef>
#include <cstdint>
#include <span>

namespace sigstab {

struct Tally {
  std::uint64_t finite = 0, not_finite = 0;
  long double mean = 0, squares = 0;  // squares: the sum of squared deviations from the mean
  double largest = 0;                 // |x|

  void add(const Tally& other);
  // Of the finite numbers; NaN without any. The spread divides by their count.
  double average() const;
  double spread() const;
  double root_mean_square() const;
  double largest_magnitude() const;
};

// Of one part, best as long as fits a level-1 cache.
Tally tally_of(std::span<const float> x);
Tally tally_of(std::span<const double> x);

}  // namespace sigstab
