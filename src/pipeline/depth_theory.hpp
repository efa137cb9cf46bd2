#pragma once
// Columns of the depth experiment that theory fills: what it predicts of the always measured
// columns, and how far in standard deviations of ln RMS a draw is from the middle of its band.

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/kind.hpp"
#include "pipeline/model_config.hpp"
#include "pipeline/result.hpp"
#include "pipeline/theory.hpp"

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

// A case's theory, computed when it is first asked for, by whichever thread asks.
class CaseTheory {
 public:
  const Theory& of(const ModelConfig& model, bool with_bands);

 private:
  std::mutex mutex_;
  std::optional<Theory> theory_;
  bool has_bands_ = false;
};

// Adds the columns to a result's shape.
void add_theory_shape(std::span<const TheoryColumn* const> columns, CaseResult& shape);
// Fills them in a result whose measured columns are filled.
void fill_theory(std::span<const TheoryColumn* const> columns, const Theory& theory,
                 CaseResult& result);

}  // namespace sigstab
