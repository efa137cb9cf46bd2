#pragma once
// Columns of the depth experiment that theory fills: what it predicts of the always measured
// columns, and how far in standard deviations of ln RMS a draw is from the middle of its band.

#include <span>
#include <string>
#include <string_view>

#include "kinds/kind.hpp"
#include "model/model_config.hpp"
#include "result/result.hpp"
#include "theory/theory.hpp"

namespace sigstab {

struct TheoryColumn {
  std::string_view name, help;
  ColumnRole role;
  bool gradient;  // of gradient_rms, else of forward_rms
  std::string_view input_scalar, output_scalar;
};
std::span<const TheoryColumn> theory_column_table();
// The scalars of these columns, as measures.
std::span<const Measure> theory_scalars();

// Adds the columns to a result's shape.
void add_theory_shape(std::span<const TheoryColumn* const> columns, CaseResult& shape);
// Fills them in a result whose measured columns are filled.
void fill_theory(std::span<const TheoryColumn* const> columns, const Theory& theory,
                 CaseResult& result);

}  // namespace sigstab
