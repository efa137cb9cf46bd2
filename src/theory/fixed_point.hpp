#pragma once
// The size of a signal from layer to layer at infinite width, x -> f(W x + b): the map of mean
// squares, where it stands still, and where it neither forgets nor scrambles its input.
//
// Notation: q is the preactivation's mean square, sw2 = fan_in Var(W), sb2 = Var(b), z ~ N(0, q).
//   Q(q)   = sw2 E f(z)^2 + sb2   the size map; q* with Q(q*) = q* is a fixed point
//   Q'(q*)                        what a relative error of the SIZE is multiplied by
//   chi_1  = sw2 E f'(z)^2        what the mean square of the GRADIENT is multiplied by, and the
//                                 slope of the correlation map at correlation 1
// For ReLU both are sw2 / 2; in general they differ. The edge of chaos is chi_1(q*) = 1.
// Everything is a function of ln q, since depth moves sizes over any number of decades.
// Source: Poole et al. 2016, arXiv 1606.05340; Schoenholz et al. 2017, arXiv 1611.01232.

#include <map>
#include <vector>

#include "net/activation.hpp"

namespace sigstab {

struct LayerVariances {
  double weights;     // sw2
  double biases = 0;  // sb2
};

// The moments at one ln q.
struct LogMoments {
  double second;        // ln E f(z)^2
  double slope_second;  // ln E f'(z)^2
};

// The moments of one activation at any ln q. Beyond q = e^-300 and e^300, and beyond 10^6 for an
// activation that oscillates, they continue as the powers of q that they are near there.
// Accuracy: 12 digits, as gaussian_mean. Remembers what it has computed: not for several threads.
class SizeMap {
 public:
  explicit SizeMap(const Activation& f);

  const Activation& activation() const { return f_; }
  const LogMoments& at(double log_q) const;
  // d ln E f(z)^2 / d ln q. Accuracy: 1e-12, absolute.
  double growth(double log_q) const;
  // Below this ln q moments are powers of q, and roots are searched for up to there.
  double search_end() const;

 private:
  LogMoments compute(double log_q) const;

  Activation f_;
  double low_end_, high_end_;  // of what is integrated
  mutable std::map<double, LogMoments> known_;
};

// ln(Q(q) / q), which is 0 at a fixed point.
double log_growth(const SizeMap& map, const LayerVariances& layer, double log_q);
// Q'(q) q / Q(q), which is Q'(q*) at a fixed point.
double size_slope(const SizeMap& map, const LayerVariances& layer, double log_q);
double chi_1(const SizeMap& map, const LayerVariances& layer, double log_q);

struct FixedPoint {
  double q, chi_1, size_slope;
};

struct FixedPoints {
  bool every = false;              // Q(q) = q for every q
  std::vector<FixedPoint> points;  // ascending; without q = 0
  bool zero = false;               // whether Q(0) = 0
  double zero_slope = 0;           // Q'(0)
};
// Where ln(Q(q) / q) changes its sign, of q from e^-80 to e^80 (10^6 if f oscillates); two fixed
// points within a factor of e^0.5 of each other can hide from the search.
FixedPoints fixed_points(const SizeMap& map, const LayerVariances& layer);

// Of one fixed point that is known, 0 and infinity included.
FixedPoint fixed_point_at(const SizeMap& map, const LayerVariances& layer, double q);

// Where sizes go that start at some q: Q grows with q for every activation of the table, so they
// move one way, to the next fixed point.
enum class Fate { stays, fixed_point, vanishes, grows };
struct Limit {
  Fate fate;
  double q;  // of the fixed point; 0 and infinity otherwise
};
Limit limit_from(const SizeMap& map, const LayerVariances& layer, double log_q);

// Layers over which a factor e is gained or lost where a layer multiplies by `slope`: 1/|ln slope|.
double depth_scale(double slope);

struct EdgePoint {
  double biases, weights, q, size_slope;
};
struct Edge {
  bool every = false;  // biases are 0, and any q is a fixed point
  double weights = 0;  // of that case
  std::vector<EdgePoint> points;
};
// The variances of weights at which chi_1(q*) = 1, given that of the biases: sw2 = 1 / E f'(z)^2
// and q* - sw2 E f(z)^2 = sb2. None, one or several; q* = 0 only where biases are 0.
// Accuracy: 11 digits of q*, fewer where the edge nearly has two roots.
Edge edge_of_chaos(const SizeMap& map, double biases);

}  // namespace sigstab
