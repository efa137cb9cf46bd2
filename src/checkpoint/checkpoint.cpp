#include "checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace sigstab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".safetensors", kIndexEnd = ".safetensors.index.json";

// The one file in a folder that stands for the model: an index before what it is an index of.
std::string model_in(const std::string& folder) {
  std::vector<std::string> indices, files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    const std::string path = at->path().string();
    if (path.ends_with(kIndexEnd)) indices.push_back(path);
    if (path.ends_with(kExtension)) files.push_back(path);
  }
  if (failed) throw Error(folder, "cannot read it: " + failed.message());
  const std::vector<std::string>& found = indices.empty() ? files : indices;
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    throw Error(folder, "no safetensors file is in it", "name a folder with model.safetensors");
  }
  std::set<std::string> names;
  for (const std::string& path : found) names.insert(printable(fs::path(path).filename().string()));
  throw Error(folder, fmt::format("{} models are in it", found.size()),
              fmt::format("name one: {}", fmt::join(names, ", ")));
}

std::string text_of(const InputFile& file) {
  if (file.size() > kLargestHeader) {
    throw Error(file.path(),
                fmt::format("an index of {} bytes; the most is {}", file.size(), kLargestHeader));
  }
  std::string text(file.size(), '\0');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

void Checkpoint::Tensor::read(std::uint64_t first, std::span<std::byte> into) const {
  file->read(stored.begin + first * stored.format->bits / 8, into);
}

Checkpoint::Checkpoint(const std::string& path) : path_(path) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) path_ = model_in(path_);
  path_.ends_with(".json") ? add_index(path_) : add_file(path_);
  for (std::size_t i = 0; i < tensors_.size(); ++i) index_of_[tensors_[i].stored.name] = i;
}

const Checkpoint::Tensor* Checkpoint::find(std::string_view name) const {
  const auto found = index_of_.find(name);
  return found == index_of_.end() ? nullptr : &tensors_[found->second];
}

void Checkpoint::add_file(const std::string& path) {
  files_.push_back(std::make_unique<InputFile>(path));
  for (StoredTensor& stored : read_safetensors(*files_.back())) {
    tensors_.push_back({std::move(stored), files_.back().get()});
  }
}

void Checkpoint::add_index(const std::string& path) {
  const WeightMap map = parse_weight_map(text_of(InputFile(path)), printable(path));
  std::map<std::string, std::set<std::string_view>> wanted;  // by shard
  for (const auto& [tensor, shard] : map) wanted[shard].insert(tensor);
  for (auto& [shard, names] : wanted) {
    const std::size_t before = tensors_.size();
    add_file((fs::path(path).parent_path() / shard).string());
    std::size_t unnamed = 0;
    std::string example;
    const auto first = tensors_.begin() + static_cast<std::ptrdiff_t>(before);
    const auto kept = std::remove_if(first, tensors_.end(), [&](const Tensor& tensor) {
      if (names.erase(tensor.stored.name) == 1) return false;
      if (unnamed++ == 0) example = tensor.stored.name;
      return true;
    });
    tensors_.erase(kept, tensors_.end());
    if (!names.empty()) {
      throw Error(printable(path),
                  fmt::format("it has tensor {} in {}, and that file has not",
                              in_quotes(*names.begin()), in_quotes(shard)),
                  "the index and its files are of different models: copy both again");
    }
    if (unnamed == 0) continue;
    notes_.push_back(fmt::format("{}: {} tensor{} that the index does not have there: {}{}",
                                 in_quotes(shard), unnamed, unnamed == 1 ? "" : "s",
                                 in_quotes(example), unnamed == 1 ? "" : ", ..."));
  }
}

std::shared_ptr<const Checkpoint> open_checkpoint(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const Checkpoint>> open;
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const Checkpoint> checkpoint = open[path].lock();
  if (checkpoint == nullptr) open[path] = checkpoint = std::make_shared<Checkpoint>(path);
  return checkpoint;
}

}  // namespace sigstab
