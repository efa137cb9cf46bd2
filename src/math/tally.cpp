#include "math/tally.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/tally_sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/tally.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sigstab::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sixteen running sums, as one or more vectors: the same lanes on every target.
constexpr std::size_t kSums = 16;
using D = hn::CappedTag<double, 8>;
constexpr std::size_t kStep = hn::MaxLanes(D());
constexpr std::size_t kVectors = kSums / kStep;

template <class T>
HWY_INLINE hn::Vec<D> load(D d, const T* x) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return hn::LoadU(d, x);
  } else {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), x));
  }
}

HWY_INLINE void store(const hn::Vec<D>* vectors, double* lanes) {
  for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(vectors[v], D(), lanes + v * kStep);
}

HWY_INLINE double fold(double* sums) {
  for (std::size_t half = kSums / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

// The largest |x| of sixteen numbers, so many of T at a time.
template <class T>
struct Largest {
  using DT = hn::CappedTag<T, 64 / sizeof(T)>;
  static constexpr std::size_t kAtOnce = hn::MaxLanes(DT());
  static constexpr std::size_t kCount = kSums / kAtOnce;
  hn::Vec<DT> vectors[kCount];

  HWY_INLINE void start() {
    for (auto& vector : vectors) vector = hn::Zero(DT());
  }
  HWY_INLINE void see(const T* x) {
    for (std::size_t v = 0; v < kCount; ++v) {
      vectors[v] = hn::Max(vectors[v], hn::Abs(hn::LoadU(DT(), x + v * kAtOnce)));
    }
  }
  HWY_INLINE double most() const {
    HWY_ALIGN T lanes[kSums];
    for (std::size_t v = 0; v < kCount; ++v) hn::StoreU(vectors[v], DT(), lanes + v * kAtOnce);
    return static_cast<double>(*std::max_element(lanes, lanes + kSums));
  }
};

// Of x - origin its sum and the sum of its squares; of x the largest magnitude.
template <class T>
void sums_of(const T* x, std::size_t count, double origin, Sums& out) {
  const D d;
  const auto from = hn::Set(d, origin);
  hn::Vec<D> sums[kVectors], squares[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) sums[v] = squares[v] = hn::Zero(d);
  Largest<T> largest;
  largest.start();
  std::size_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto off = hn::Sub(load(d, x + i + v * kStep), from);
      sums[v] = hn::Add(sums[v], off);
      squares[v] = hn::Add(squares[v], hn::Mul(off, off));
    }
    largest.see(x + i);
  }
  HWY_ALIGN double sum_lanes[kSums];
  HWY_ALIGN double square_lanes[kSums];
  store(sums, sum_lanes);
  store(squares, square_lanes);
  out.largest = largest.most();
  for (; i < count; ++i) {
    const double here = static_cast<double>(x[i]), off = here - origin;
    sum_lanes[i % kSums] += off;
    square_lanes[i % kSums] += off * off;
    out.largest = std::max(out.largest, std::fabs(here));
  }
  out.sum = fold(sum_lanes);
  out.squares = fold(square_lanes);
}

void SumsFloat(const float* x, std::size_t count, double origin, Sums& sums) {
  sums_of(x, count, origin, sums);
}
void SumsDouble(const double* x, std::size_t count, double origin, Sums& sums) {
  sums_of(x, count, origin, sums);
}

}  // namespace sigstab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sigstab {

HWY_EXPORT(SumsFloat);
HWY_EXPORT(SumsDouble);

namespace {

Sums sums_of(std::span<const float> x, double origin) {
  Sums sums;
  HWY_DYNAMIC_DISPATCH(SumsFloat)(x.data(), x.size(), origin, sums);
  return sums;
}
Sums sums_of(std::span<const double> x, double origin) {
  Sums sums;
  HWY_DYNAMIC_DISPATCH(SumsDouble)(x.data(), x.size(), origin, sums);
  return sums;
}

// One by one, whatever they are.
template <class T>
Tally careful_tally(std::span<const T> x) {
  Tally tally;
  long double sum = 0;
  for (T v : x) {
    if (!std::isfinite(v)) {
      ++tally.not_finite;
      continue;
    }
    ++tally.finite;
    sum += static_cast<long double>(v);
    tally.largest = std::max(tally.largest, std::fabs(static_cast<double>(v)));
  }
  if (tally.finite == 0) return tally;
  tally.mean = sum / static_cast<long double>(tally.finite);
  for (T v : x) {
    if (!std::isfinite(v)) continue;
    const long double off = static_cast<long double>(v) - tally.mean;
    tally.squares += off * off;
  }
  return tally;
}

template <class T>
Tally tally_part(std::span<const T> x) {
  if (x.empty()) return {};
  // Within these, no square of a deviation that counts leaves the range of a double.
  constexpr double kSmallest = 1e-120, kLargest = 1e150;
  // A smaller share than this of the squares is left by more than 10 lost bits.
  constexpr double kCancels = 1e-3;
  const double n = static_cast<double>(x.size());
  const auto first = static_cast<double>(x[0]);
  const Sums sums = sums_of(x, first);
  const bool in_range =
      sums.largest == 0 || (sums.largest >= kSmallest && sums.largest <= kLargest);
  if (!std::isfinite(sums.sum) || !in_range) return careful_tally(x);
  const auto squares_about_mean = [n](const Sums& s) { return s.squares - s.sum * (s.sum / n); };
  double squares = squares_about_mean(sums);
  if (squares < kCancels * sums.squares) {
    squares = squares_about_mean(sums_of(x, first + sums.sum / n));
  }
  const long double mean = static_cast<long double>(first) + sums.sum / n;
  return {x.size(), 0, mean, squares, sums.largest};
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Tally tally_of(std::span<const float> x) { return tally_part(x); }
Tally tally_of(std::span<const double> x) { return tally_part(x); }

void Tally::add(const Tally& other) {
  not_finite += other.not_finite;
  if (other.finite == 0) return;
  const auto here = static_cast<long double>(finite),
             there = static_cast<long double>(other.finite);
  const long double step = other.mean - mean, share = there / (here + there);
  squares += other.squares + step * step * here * share;
  mean += step * share;
  finite += other.finite;
  largest = std::max(largest, other.largest);
}

double Tally::average() const { return finite == 0 ? kNone : static_cast<double>(mean); }
double Tally::spread() const {
  return finite == 0 ? kNone
                     : static_cast<double>(std::sqrt(squares / static_cast<long double>(finite)));
}
double Tally::root_mean_square() const {
  if (finite == 0) return kNone;
  return static_cast<double>(std::sqrt(squares / static_cast<long double>(finite) + mean * mean));
}
double Tally::largest_magnitude() const { return finite == 0 ? kNone : largest; }

}  // namespace sigstab
#endif  // HWY_ONCE
