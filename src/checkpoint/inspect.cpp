#include "checkpoint/inspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace sigstab {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::optional<Fans> fans_of(TensorRole role, const std::vector<std::int64_t>& shape,
                            Layout layout) {
  if (role != TensorRole::matrix && role != TensorRole::kernel) return std::nullopt;
  const auto side = [&](std::size_t i) { return static_cast<double>(shape[i]); };
  const std::size_t last = shape.size() - 1;
  const bool out_in = layout == Layout::out_in;
  double covered = 1;  // PyTorch's kernels are out x in x points, others points x in x out
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) covered *= side(out_in ? i + 2 : i);
  const double in = side(out_in ? 1 : last - 1), out = side(out_in ? 0 : last);
  if (in * out * covered == 0) return std::nullopt;
  return Fans{in * covered, out * covered};
}

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;  // read at once, then still in cache
constexpr std::size_t kPart = 4096;                        // numbers measured at once

struct Block {
  const Checkpoint::Tensor* tensor;
  Tally* whole;  // the tensor's
  std::uint64_t first, count;
  Tally tally;
};

template <class T>
Tally tally_block(const StoredFormat& format, std::span<const std::byte> bytes,
                  std::uint64_t count) {
  alignas(64) T part[kPart];
  const std::size_t each = format.bits / 8;
  Tally tally;
  for (std::size_t done = 0; done < count; done += kPart) {
    const std::size_t now = std::min<std::size_t>(kPart, count - done);
    const std::span<T> numbers(part, now);
    decode(format, bytes.subspan(done * each, now * each), numbers);
    tally.add(tally_of(std::span<const T>(numbers)));
  }
  return tally;
}

}  // namespace

double InspectedTensors::smallest(double (Tally::*size)() const) const {
  double least = kNone;
  for (const Tally& tally : tallies) least = std::fmin(least, (tally.*size)());
  return least;
}
double InspectedTensors::largest(double (Tally::*size)() const) const {
  double most = kNone;
  for (const Tally& tally : tallies) most = std::fmax(most, (tally.*size)());
  return most;
}

std::vector<InspectedTensors> list_tensors(const Checkpoint& checkpoint,
                                           const InspectOptions& options) {
  const auto wanted = [&](const std::string& name) {
    return options.filters.empty() ||
           std::ranges::any_of(options.filters,
                               [&](const std::string& filter) { return matches(filter, name); });
  };
  std::vector<const Checkpoint::Tensor*> sorted;
  for (const Checkpoint::Tensor& tensor : checkpoint.tensors()) {
    if (wanted(tensor.stored.name)) sorted.push_back(&tensor);
  }
  if (sorted.empty() && !options.filters.empty()) {
    throw Error("--filter", fmt::format("none of {} tensors matches", checkpoint.tensors().size()),
                "* is any text, ? any character, {layer} a number; without it all are shown");
  }
  std::ranges::sort(sorted, [](const auto* a, const auto* b) {
    return natural_less(a->stored.name, b->stored.name);
  });
  std::vector<InspectedTensors> rows;
  std::map<std::string, std::size_t> row_of;
  for (const Checkpoint::Tensor* tensor : sorted) {
    const StoredTensor& stored = tensor->stored;
    const std::string name = options.group ? layer_pattern(stored.name) : stored.name;
    const std::string key =
        fmt::format("{} {} {}", name, shape_text(stored.shape), stored.format->name);
    const auto [known, fresh] = row_of.try_emplace(key, rows.size());
    if (fresh) {
      const TensorRole role =
          stored.format->is_real() ? tensor_role(stored.name, stored.shape) : TensorRole::other;
      rows.push_back({name,
                      stored.format,
                      stored.shape,
                      role,
                      fans_of(role, stored.shape, options.layout),
                      {},
                      {}});
    }
    rows[known->second].tensors.push_back(tensor);
  }
  return rows;
}

std::uint64_t measure_tensors(Team& team, std::vector<InspectedTensors>& rows) {
  std::vector<Block> blocks;
  std::uint64_t bytes = 0;
  for (InspectedTensors& row : rows) {
    if (!row.format->is_real()) continue;
    row.tallies.assign(row.tensors.size(), {});
    const std::uint64_t together = kBlockBytes * 8 / row.format->bits;
    for (std::size_t i = 0; i < row.tensors.size(); ++i) {
      const Checkpoint::Tensor* tensor = row.tensors[i];
      const std::uint64_t count = tensor->stored.count();
      bytes += tensor->stored.bytes;
      for (std::uint64_t first = 0; first < count; first += together) {
        blocks.push_back({tensor, &row.tallies[i], first, std::min(together, count - first), {}});
      }
    }
  }
  std::atomic<std::size_t> next{0};
  team.run([&](int) {
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(kBlockBytes);
    for (std::size_t i = next++; i < blocks.size(); i = next++) {
      Block& block = blocks[i];
      const StoredFormat& format = *block.tensor->stored.format;
      const std::span read(memory.get(), block.count * format.bits / 8);
      block.tensor->read(block.first, read);
      block.tally = format.bits == 64 ? tally_block<double>(format, read, block.count)
                                      : tally_block<float>(format, read, block.count);
    }
  });
  for (const Block& block : blocks) block.whole->add(block.tally);
  return bytes;
}

}  // namespace sigstab
