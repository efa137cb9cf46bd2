#include "math/quadrature.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.hpp"

namespace sigstab {
namespace {

// Kronrod's 15 nodes and weights on [-1, 1], the positive half (QUADPACK, qk15).
constexpr double kNodes[] = {
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691258345, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0};
constexpr double kWeights[] = {
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
constexpr std::size_t kHalf = std::size(kNodes) - 1;

constexpr double kRelative = 1e-15;            // of the whole, for one panel's change
constexpr int kDeepest = 60;                   // halvings of one panel
constexpr std::int64_t kMostPanels = 1 << 20;  // of all: a function without end to its detail

struct Estimate {
  double value, magnitude;  // integrals of f and |f|
};

struct Panel {
  double low, high;
  Estimate estimate;
  int depth;
};

Estimate kronrod(const std::function<double(double)>& f, double low, double high) {
  const double centre = low + (high - low) / 2, half = (high - low) / 2;
  Estimate sum{0, 0};
  const auto add = [&](double weight, double y) {
    sum.value += weight * y;
    sum.magnitude += weight * std::fabs(y);
  };
  for (std::size_t i = 0; i < kHalf; ++i) {
    add(kWeights[i], f(centre - half * kNodes[i]));
    add(kWeights[i], f(centre + half * kNodes[i]));
  }
  add(kWeights[kHalf], f(centre));
  return {sum.value * half, sum.magnitude * half};
}

}  // namespace

double integrate(const std::function<double(double)>& f, std::span<const double> breaks) {
  SIGSTAB_ASSERT(breaks.size() >= 2);
  std::vector<Panel> open;
  double magnitude = 0;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    SIGSTAB_ASSERT(breaks[i] <= breaks[i + 1]);
    const Estimate estimate = kronrod(f, breaks[i], breaks[i + 1]);
    magnitude += estimate.magnitude;
    open.push_back({breaks[i], breaks[i + 1], estimate, 0});
  }
  double total = 0;
  std::int64_t panels = 0;
  while (!open.empty()) {
    const Panel panel = open.back();
    open.pop_back();
    const double middle = panel.low + (panel.high - panel.low) / 2;
    const Estimate left = kronrod(f, panel.low, middle), right = kronrod(f, middle, panel.high);
    const double change = std::fabs(left.value + right.value - panel.estimate.value);
    // Written so that NaN ends it too.
    const bool goes_on = change > kRelative * magnitude && panel.depth < kDeepest;
    if (!goes_on || ++panels > kMostPanels) {
      total += left.value + right.value;
      continue;
    }
    open.push_back({panel.low, middle, left, panel.depth + 1});
    open.push_back({middle, panel.high, right, panel.depth + 1});
  }
  return total;
}

}  // namespace sigstab
