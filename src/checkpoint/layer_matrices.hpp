#pragma once
// One matrix a layer out of a checkpoint, read where it is multiplied.

#include <memory>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "net/init.hpp"

namespace sigstab {

class LayerMatrices final : public StoredMatrices {
 public:
  // A tensor a layer, all of one shape; `transposed` if rows of the model are columns of the file.
  LayerMatrices(std::shared_ptr<const Checkpoint> checkpoint, std::string pattern,
                std::vector<const Checkpoint::Tensor*> tensors, bool transposed)
      : checkpoint_(std::move(checkpoint)),
        pattern_(std::move(pattern)),
        tensors_(std::move(tensors)),
        transposed_(transposed) {}

  std::string text() const override;
  void read(std::int64_t layer, std::int64_t first, View<float> rows) const override;
  void read(std::int64_t layer, std::int64_t first, View<double> rows) const override;
  bool has_rows() const override { return !transposed_; }

 private:
  template <class T>
  void read_rows(std::int64_t layer, std::int64_t first, View<T> rows) const;

  std::shared_ptr<const Checkpoint> checkpoint_;
  std::string pattern_;
  std::vector<const Checkpoint::Tensor*> tensors_;
  bool transposed_;
};

}  // namespace sigstab
