#pragma once
// One case of the depth experiment on its way: draws, a forward and a backward pass, a result.
//
// Either `draw` runs the forward pass as soon as input and weights are there, or the blocks are run
// one by one, so that cases on the same weights can take turns.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinds/depth_case.hpp"
#include "model/draw_model.hpp"
#include "net/dense_stack.hpp"

namespace sigstab {

// Fills one column a measure, and the sizes at the stream's ends.
template <class T>
class ColumnProbe final : public Probe<T> {
 public:
  ColumnProbe(const DepthCase& planned, const Resources& resources)
      : model_(planned.model()), columns_(planned.columns()), resources_(resources) {
    const auto layers = static_cast<std::size_t>(planned.model().stack.depth);
    values_.assign(columns_.size(), std::vector<double>(layers + 1));
  }

  bool wants(Site site) const override;
  void see(Site site, const Seen<T>& seen) override;
  void norm_state(std::int64_t layer, NormState state) override {
    if (state == norm_state_ || layer_of_state_ != 0) return;
    norm_state_ = state;
    layer_of_state_ = layer;
  }

  // Fills a result of the case's shape.
  void report(CaseResult& result) const;

 private:
  std::string norm_text() const;

  const ModelConfig& model_;
  const std::vector<DepthColumn>& columns_;
  const Resources& resources_;
  std::vector<std::vector<double>> values_;  // of each column, by layer; 0 is the input
  double output_ = 0;
  NormState norm_state_ = NormState::defined;  // of the first layer where it is another
  std::int64_t layer_of_state_ = 0;
};

template <class T>
class DepthPass {
 public:
  // The case and the resources must outlive the pass.
  DepthPass(const DepthCase& planned, const Resources& resources);

  // Draws what the case needs and runs the forward pass.
  void run_forward(DrawSource& source);
  // From the loss to the input, if the case has a gradient.
  void run_backward();

  // The same in steps. `last` is what the cases that take turns share.
  void draw(DrawSource& source, std::shared_ptr<LastDraws<T>> last);
  void forward_block(std::int64_t layer) { stack_->forward_block(layer, probe_); }
  void turn();  // after the last block
  void backward_block(std::int64_t layer) { stack_->backward_block(layer, probe_); }
  void end() {  // after the first block
    if (has_gradient()) stack_->end_backward(probe_);
  }

  CaseResult result();

 private:
  bool has_gradient() const { return planned_.model().has_gradient(); }
  // The loss gradient at the output.
  Matrix<T> upstream(const Matrix<T>& output);

  const DepthCase& planned_;
  CaseResult result_;
  ColumnProbe<T> probe_;
  Drawn<T> drawn_;
  std::optional<DenseStack<T>> stack_;
  Matrix<T> output_;
};

}  // namespace sigstab
