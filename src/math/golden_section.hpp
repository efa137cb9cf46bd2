#pragma once
// The peak of a function of one variable, by golden sections.

#include <cmath>
#include <limits>

namespace sigstab {

struct Peak {
  double at, value;
};

// The largest of the values that f takes on the way, and where: between low and high f rises to one
// peak and falls. Each section costs one call and narrows the interval to 0.618 of its width; NaN
// counts as no value.
template <class F>
Peak golden_peak(const F& f, double low, double high, int sections) {
  constexpr double kGolden = 0.61803398874989484820;
  Peak best{low, -std::numeric_limits<double>::infinity()};
  const auto at = [&](double x) {
    const double value = f(x);
    if (value > best.value) best = {x, value};
    return value;
  };
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  double at_left = at(left), at_right = at(right);
  for (int i = 0; i < sections; ++i) {
    if (at_left > at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = at(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = at(right);
    }
  }
  return best;
}

}  // namespace sigstab
