#pragma once
// What a config will do at its depth, by theory, and the single change that would hold its sizes.
//
// A size holds if it stays within kHoldingFactors.advice of where it starts: forward from layer 1
// to the last, the gradient from the last layer to layer 1.

#include <optional>
#include <string>
#include <vector>

#include "run/run.hpp"

namespace sigstab {

// Natural logarithms of RMS by layer; 0 is the input.
struct PredictedSizes {
  std::vector<double> forward, gradient;  // no gradient: empty
};

// The largest change on the way, of logarithms.
struct SizeChange {
  double forward = 0, gradient = 0;
  double worst() const;
  // Both stay within kHoldingFactors.advice, beside an allowance for one draw's luck.
  bool holds(double allowance = 0) const;
};
SizeChange change_of(const PredictedSizes& sizes);

struct Advice {
  std::string refusal;  // why theory says nothing; empty: it does
  PredictedSizes sizes;
  std::vector<std::string> notes;   // what theory leaves out
  std::string change;               // "init.gain = 1.4"; empty: none is needed, or none helps
  std::string changed;              // the config with it, JSON text
  std::optional<SizeChange> after;  // as predicted
  std::string nearest;              // where no single change holds both: the best of them
};

// For one config without cases, sweep and seeds: as case_configs gives them.
Advice advise(const std::string& text, const std::string& file);

// The largest changes that runs over a few seeds show, as geometric means, and by how much theory
// lets them differ from what it predicts.
struct Confirmation {
  SizeChange measured;
  double allowance = 0;  // of logarithms: three standard errors
  std::size_t seeds = 0;
};
Confirmation confirm(const std::string& config, const std::string& file, const Limits& limits);

}  // namespace sigstab
