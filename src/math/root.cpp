#include "math/root.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace sigstab {

double root_between(const std::function<double(double)>& f, double low, double high) {
  constexpr int kMostSteps = 200;
  struct Point {
    double x, y;
  };
  // `best` and `other` enclose the root, |best.y| is the smaller; `last` is the best before.
  Point best{high, f(high)}, other{low, f(low)}, last = other;
  SIGSTAB_ASSERT(std::signbit(best.y) != std::signbit(other.y) || best.y == 0 || other.y == 0);
  double step = best.x - other.x, step_before = step;
  for (int i = 0; i < kMostSteps; ++i) {
    if (std::fabs(other.y) < std::fabs(best.y)) {
      last = best;
      std::swap(best, other);
    }
    const double tolerance = 2 * std::numeric_limits<double>::epsilon() * std::fabs(best.x);
    const double half = (other.x - best.x) / 2;
    if (std::fabs(half) <= tolerance || best.y == 0) break;
    bool interpolates = false;
    if (std::fabs(step_before) >= tolerance && std::fabs(last.y) > std::fabs(best.y)) {
      // The secant through two points, or the inverse parabola through three.
      const double s = best.y / last.y;
      double p = 2 * half * s, q = 1 - s;
      if (last.x != other.x) {
        const double r = best.y / other.y, t = last.y / other.y;
        p = s * (2 * half * t * (t - r) - (best.x - last.x) * (r - 1));
        q = (t - 1) * (r - 1) * (s - 1);
      }
      p > 0 ? q = -q : p = -p;
      interpolates =
          2 * p < std::fmin(3 * half * q - std::fabs(tolerance * q), std::fabs(step_before * q));
      if (interpolates) {
        step_before = std::exchange(step, p / q);
      }
    }
    if (!interpolates) step = step_before = half;
    last = best;
    best.x += std::fabs(step) > tolerance ? step : std::copysign(tolerance, half);
    best.y = f(best.x);
    if (std::signbit(best.y) == std::signbit(other.y)) {
      other = last;
      step = step_before = best.x - last.x;
    }
  }
  return best.x;
}

}  // namespace sigstab
