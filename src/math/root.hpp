#pragma once
// A root of a function of one variable, from two points where its signs differ.

#include <functional>

namespace sigstab {

// A point between low and high where f changes its sign, by Brent's method: to the last digits of
// the argument, or to where f is 0. f(low) and f(high) must not have the same sign.
// Source: Brent 1973, Algorithms for Minimization without Derivatives, chapter 4.
double root_between(const std::function<double(double)>& f, double low, double high);

}  // namespace sigstab
