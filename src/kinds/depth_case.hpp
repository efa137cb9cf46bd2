#pragma once
// A case of the depth experiment: a model, and the columns that are measured of it.

#include <memory>
#include <string>
#include <vector>

#include "kinds/kind.hpp"
#include "kinds/theory_columns.hpp"
#include "model/model_config.hpp"
#include "net/measure.hpp"

namespace sigstab {

// A measure at every layer, of one matrix if it is each matrix's.
struct DepthColumn {
  const MeasureRow* measure;
  std::size_t matrix;
  std::string name;
};

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
  const CaseTheory* theory() const override { return &theory_; }
  const Seed* seed() const override { return &model_.random.seed; }
  std::string stream() const override;

 private:
  ModelConfig model_;
  std::vector<DepthColumn> columns_;
  std::vector<const TheoryColumn*> theory_columns_;
  CaseTheory theory_;  // of model_
};

}  // namespace sigstab
