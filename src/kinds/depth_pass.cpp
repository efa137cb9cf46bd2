#include "kinds/depth_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "math/moments.hpp"
#include "net/cross_entropy.hpp"
#include "result/size_verdict.hpp"

namespace sigstab {
template <class T>
bool ColumnProbe<T>::wants(Site site) const {
  return std::ranges::any_of(columns_,
                             [&](const DepthColumn& c) { return c.measure->site == site; });
}

template <class T>
void ColumnProbe<T>::see(Site site, const Seen<T>& seen) {
  resources_.check_interrupt();
  if (site == Site::stream || site == Site::stream_gradient) resources_.step();
  if (site == Site::output) output_ = root_mean_square(seen.value.all());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const DepthColumn& column = columns_[i];
    if (column.measure->site != site || column.matrix != seen.matrix) continue;
    values_[i][static_cast<std::size_t>(seen.layer)] = column.measure->of(seen);
  }
}

template <class T>
std::string ColumnProbe<T>::norm_text() const {
  const Norm& norm = model_.stack.norm;
  const std::string_view moment = norm.row->centred ? "variance" : "mean square";
  if (norm_state_ == NormState::divided_by_zero) {
    return fmt::format("the norm of layer {} divides 0 by 0: its input's {} is 0, and so is eps{}",
                       layer_of_state_, moment,
                       norm.eps == 0 ? "" : fmt::format(" in {}", norm.steps->name));
  }
  return fmt::format(
      "the norm of layer {} stores its input's {} as 0 or inf in {}; \"compute\": \"float32\" "
      "keeps it",
      layer_of_state_, moment, norm.steps->name);
}

template <class T>
void ColumnProbe<T>::report(CaseResult& result) const {
  result.set_scalar("output_rms", output_);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::vector<double>& values = values_[i];
    Column& column = result.columns[i];
    column.values.assign(values.begin() + 1, values.end());
    if (!column.input_scalar.empty()) result.set_scalar(column.input_scalar, values.front());
    if (!column.told) continue;
    const auto [what, direction] = *column.told;
    for (std::string& line : tell_lines(what, values, model_.dtype->format(), direction)) {
      result.verdicts.push_back(std::move(line));
    }
    if (direction == Direction::forward && layer_of_state_ > 0) {
      result.verdicts.push_back(norm_text());
    }
  }
}

template <class T>
DepthPass<T>::DepthPass(const DepthCase& planned, const Resources& resources)
    : planned_(planned), result_(planned.shape()), probe_(planned, resources) {}

template <class T>
void DepthPass<T>::run_forward(DrawSource& source) {
  source.draw(planned_.model(), drawn_, [&] {
    stack_.emplace(planned_.model().stack, *drawn_.weights);
    output_ = stack_->forward(std::move(drawn_.input), probe_, has_gradient());
  });
}

template <class T>
Matrix<T> DepthPass<T>::upstream(const Matrix<T>& output) {
  if (planned_.model().upstream != Upstream::cross_entropy) return std::move(drawn_.upstream);
  auto [loss, gradient] =
      cross_entropy(output.view(), std::as_const(drawn_.head).view(), drawn_.targets);
  result_.set_scalar("loss", loss);
  return std::move(gradient);
}

template <class T>
void DepthPass<T>::run_backward() {
  if (has_gradient()) stack_->backward(upstream(output_), probe_);
}

template <class T>
void DepthPass<T>::draw(DrawSource& source, std::shared_ptr<LastDraws<T>> last) {
  source.draw(planned_.model(), drawn_, [] {});
  drawn_.weights->share(std::move(last));
  stack_.emplace(planned_.model().stack, *drawn_.weights);
  stack_->start_forward(std::move(drawn_.input), probe_, has_gradient());
}

template <class T>
void DepthPass<T>::turn() {
  output_ = stack_->end_forward(probe_);
  if (has_gradient()) stack_->start_backward(upstream(output_));
}

template <class T>
CaseResult DepthPass<T>::result() {
  probe_.report(result_);
  planned_.add_theory(result_);
  return std::move(result_);
}

template class ColumnProbe<float>;
template class ColumnProbe<double>;
template class DepthPass<float>;
template class DepthPass<double>;

}  // namespace sigstab
