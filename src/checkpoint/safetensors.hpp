#pragma once
// The safetensors format: 8 bytes of header length, a JSON header, then the data.
//
// A file is untrusted: everything that its header says is checked before anything else reads it.
// The header is {"name": {"dtype", "shape", "data_offsets": [begin, end]}, ...}, offsets counted
// from the end of the header, beside a "__metadata__" of texts. The data is tiled: no overlap, no
// hole, nothing behind the last tensor.
// Source: https://github.com/huggingface/safetensors, README and src/tensor.rs.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/input_file.hpp"
#include "math/stored_format.hpp"

namespace sigstab {

struct StoredTensor {
  std::string name;
  const StoredFormat* format;
  std::vector<std::int64_t> shape;  // empty: a scalar
  std::uint64_t begin, bytes;       // of its data within the file

  std::uint64_t count() const;  // of its numbers
};

// In the order of their data. Errors: whatever breaks the format, with file, tensor, value and
// rule.
std::vector<StoredTensor> read_safetensors(const InputFile& file);

// The same of a header's text, with so many bytes of data behind it; `begin` counts from there.
std::vector<StoredTensor> parse_tensor_header(std::string_view text, std::uint64_t data_bytes,
                                              const std::string& file);

// The `weight_map` of a sharded model's index: which tensor is in which file, in the index's order.
// Errors: not {"weight_map": {"tensor": "file"}}; a file that is no plain name.
using WeightMap = std::vector<std::pair<std::string, std::string>>;
WeightMap parse_weight_map(std::string_view text, const std::string& file);

// No header and no index may be larger.
inline constexpr std::uint64_t kLargestHeader = 100'000'000;

// "2048x512", "scalar".
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace sigstab
