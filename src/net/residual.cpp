#include "net/residual.hpp"

#include <cmath>

namespace sigstab {
namespace {

double one(double) { return 1; }
double inverse_sqrt(double depth) { return 1 / std::sqrt(depth); }

constexpr ResidualRow kTable[] = {
    {"none", "x -> f(x)", "", false, one},
    {"plain", "x -> skip x + branch f(x)", "He et al. 2015, arXiv 1512.03385", true, one},
    {"gpt2", "plain, with the branch's last weight matrix times 1/sqrt(depth)",
     "Radford et al. 2019, section 2.3", true, inverse_sqrt},
};

}  // namespace

std::span<const ResidualRow> residual_table() { return kTable; }

}  // namespace sigstab
