#pragma once
// A case of the depth experiment: a model, and the columns that are measured of it.

#include <memory>
#include <string>
#include <vector>

#include "net/measure.hpp"
#include "pipeline/depth_theory.hpp"
#include "pipeline/kind.hpp"
#include "pipeline/model_config.hpp"

namespace sigstab {

// A measure at every layer, of one matrix if it is each matrix's.
struct DepthColumn {
  const MeasureRow* measure;
  std::size_t matrix;
  std::string name;
};

// The columns that are always measured, for the verdicts.
inline constexpr const char* kForwardColumn = "forward_rms";
inline constexpr const char* kGradientColumn = "gradient_rms";

class DepthCase final : public KindCase {
 public:
  explicit DepthCase(ModelConfig model);

  const ModelConfig& model() const { return model_; }
  const std::vector<DepthColumn>& columns() const { return columns_; }
  std::int64_t rows() const override { return model_.stack.depth; }
  CaseResult shape() const override;
  std::string why_no_column(const std::string& name) const override;
  void ask(const std::vector<std::string>& columns) override;
  std::vector<std::string> default_columns() const override;
  Cost cost() const override;
  double steps() const override;
  // Theory's columns of a result whose measured ones are filled.
  void add_theory(CaseResult& result) const;
  const Theory& theory(bool with_bands) const { return theory_->of(model_, with_bands); }
  const Seed* seed() const override { return &model_.random.seed; }
  std::string stream() const override;

 private:
  ModelConfig model_;
  std::vector<DepthColumn> columns_;
  std::vector<const TheoryColumn*> theory_columns_;
  std::unique_ptr<CaseTheory> theory_ = std::make_unique<CaseTheory>();
};

}  // namespace sigstab
