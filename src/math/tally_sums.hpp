#pragma once
// What the vector code of math/tally.cpp gives back.

namespace sigstab {

struct Sums {
  double sum = 0, squares = 0, largest = 0;
};

}  // namespace sigstab
