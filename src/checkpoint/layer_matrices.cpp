#include "checkpoint/layer_matrices.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace sigstab {

std::string LayerMatrices::text() const {
  const std::string file = std::filesystem::path(checkpoint_->path()).filename().string();
  return printable(pattern_ + " of " + file);
}

template <class T>
void LayerMatrices::read_rows(std::int64_t layer, std::int64_t first, View<T> rows) const {
  const Checkpoint::Tensor& tensor = *tensors_.at(static_cast<std::size_t>(layer - 1));
  const StoredFormat& format = *tensor.stored.format;
  const std::size_t each = format.bits / 8;
  if (!transposed_) {
    const std::size_t size = static_cast<std::size_t>(rows.size()) * each;
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(size);
    const std::span<std::byte> bytes(memory.get(), size);
    tensor.read(static_cast<std::uint64_t>(first * rows.cols), bytes);
    return decode(format, bytes, rows.all());
  }
  SIGSTAB_ASSERT(first == 0);  // a column of the file is everywhere in it
  // A few rows of the file at a time, each a column of the matrix.
  constexpr std::int64_t kTogether = 16;
  std::vector<std::byte> bytes(static_cast<std::size_t>(kTogether * rows.rows) * each);
  Matrix<T> lines(kTogether, rows.rows);
  for (std::int64_t col = 0; col < rows.cols; col += kTogether) {
    const std::int64_t count = std::min(kTogether, rows.cols - col);
    const View<T> part = lines.view().row_block(0, count);
    const auto read = std::span(bytes).first(static_cast<std::size_t>(count * rows.rows) * each);
    tensor.read(static_cast<std::uint64_t>(col * rows.rows), read);
    decode(format, read, part.all());
    for (std::int64_t row = 0; row < rows.rows; ++row) {
      for (std::int64_t i = 0; i < count; ++i) rows(row, col + i) = part(i, row);
    }
  }
}

void LayerMatrices::read(std::int64_t layer, std::int64_t first, View<float> rows) const {
  read_rows(layer, first, rows);
}
void LayerMatrices::read(std::int64_t layer, std::int64_t first, View<double> rows) const {
  read_rows(layer, first, rows);
}

}  // namespace sigstab
