#pragma once
// A model's tensors, in one safetensors file or in several behind an index.
//
// Only headers are read when it is opened; data is read where it is asked for.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/safetensors.hpp"

namespace sigstab {

class Checkpoint {
 public:
  // `path` is a safetensors file, an index (*.json), or a folder that holds one of them. A shard
  // must be a plain name in its index's folder; links there are followed, since the Hugging Face
  // cache is made of them.
  // Errors: as read_safetensors and parse_weight_map; a folder with no such file, or several; a
  // tensor that is not in the file where the index has it.
  explicit Checkpoint(const std::string& path);

  struct Tensor {
    StoredTensor stored;
    const InputFile* file;

    // `into` is from number `first` on. Errors: the file has shrunk.
    void read(std::uint64_t first, std::span<std::byte> into) const;
  };
  const std::string& path() const { return path_; }  // of the file or the index
  const std::vector<Tensor>& tensors() const { return tensors_; }
  const Tensor* find(std::string_view name) const;  // null without one
  // What is odd and no error: tensors that an index does not name.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void add_file(const std::string& path);
  void add_index(const std::string& path);

  std::string path_;
  std::vector<std::unique_ptr<InputFile>> files_;
  std::vector<Tensor> tensors_;
  std::map<std::string, std::size_t, std::less<>> index_of_;
  std::vector<std::string> notes_;
};

// One that is open already, by this path, is shared: the cases of a sweep read the same file.
std::shared_ptr<const Checkpoint> open_checkpoint(const std::string& path);

}  // namespace sigstab
