#include "checkpoint/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_set>

#include "base/error.hpp"
#include "base/named_table.hpp"
#include "base/printable.hpp"

namespace sigstab {
namespace {

constexpr const char* kWhatItIs =
    "is it a safetensors file, and complete? .bin, .pt and .gguf files are not";

// The parser's events of one object; what an object may hold is known at every level, so that no
// depth of nesting and no number of keys cost more than the text is long.
class StrictEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  StrictEvents(const std::string& file, const char* hint) : file_(file), hint_(hint) {}

  bool null() override { return unexpected("null"); }
  bool boolean(bool value) override { return unexpected(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) override { return unexpected(fmt::format("{}", value)); }
  bool number_unsigned(std::uint64_t value) override {
    return unexpected(fmt::format("{}", value));
  }
  bool number_float(double /*value*/, const std::string& text) override {
    return unexpected(printable(text));
  }
  bool string(std::string& text) override { return unexpected(in_quotes(text)); }
  bool binary(nlohmann::json::binary_t& /*bytes*/) override { return unexpected("bytes"); }
  bool start_object(std::size_t /*size*/) override { return unexpected("an object"); }
  bool start_array(std::size_t /*size*/) override { return unexpected("a list"); }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& /*error*/) override {
    throw Error(file_, fmt::format("no JSON at byte {}, near {}", position, in_quotes(token)),
                hint_);
  }

 protected:
  // Throws an Error.
  virtual bool unexpected(const std::string& got) const = 0;
  const std::string& file_;
  const char* hint_;
};

class HeaderEvents final : public StrictEvents {
 public:
  explicit HeaderEvents(const std::string& file) : StrictEvents(file, kWhatItIs) {}
  std::vector<StoredTensor> tensors;

  bool number_unsigned(std::uint64_t value) override {
    const bool in_list = level_ == Level::shape || level_ == Level::offsets;
    const bool too_many = level_ == Level::offsets && offsets_.size() == 2;
    if (!in_list || too_many || value > std::uint64_t{1} << 62) {
      return unexpected(fmt::format("{}", value));
    }
    level_ == Level::shape ? shape_.push_back(static_cast<std::int64_t>(value))
                           : offsets_.push_back(value);
    return true;
  }
  bool string(std::string& text) override {
    if (level_ == Level::metadata) return true;
    if (level_ != Level::entry || key_ != "dtype") return unexpected(in_quotes(text));
    format_ = find_row(stored_format_table(), text);
    if (format_ != nullptr) return true;
    throw Error(place(), fmt::format("unknown dtype {}", in_quotes(text)),
                name_hint(text, row_names(stored_format_table())));
  }
  bool start_object(std::size_t /*size*/) override {
    if (level_ == Level::start) {
      level_ = Level::names;
    } else if (level_ == Level::names) {
      level_ = name_ == kMetadata ? Level::metadata : Level::entry;
      keys_.clear();
      shape_.clear();
      offsets_.clear();
    } else {
      return unexpected("an object");
    }
    return true;
  }
  bool key(std::string& text) override {
    if (level_ == Level::names) {
      name_ = text;
      if (names_.insert(text).second) return true;
      throw Error(file_, fmt::format("{} is there twice", in_quotes(text)), kWhatItIs);
    }
    if (!keys_.insert(text).second) {
      throw Error(place(), fmt::format("{} is there twice", in_quotes(text)), kWhatItIs);
    }
    key_ = text;
    if (level_ == Level::metadata || std::ranges::count(kKeys, text) > 0) return true;
    throw Error(place(), fmt::format("unknown key {}", in_quotes(text)),
                fmt::format("the format knows {}", fmt::join(kKeys, ", ")));
  }
  bool end_object() override {
    if (level_ == Level::entry) add_tensor();
    level_ = level_ == Level::names ? Level::start : Level::names;
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    if (level_ != Level::entry || key_ == "dtype") return unexpected("a list");
    level_ = key_ == "shape" ? Level::shape : Level::offsets;
    return true;
  }
  bool end_array() override {
    level_ = Level::entry;
    return true;
  }

 private:
  enum class Level { start, names, metadata, entry, shape, offsets };
  static constexpr std::array<std::string_view, 3> kKeys = {"dtype", "shape", "data_offsets"};
  static constexpr std::string_view kMetadata = "__metadata__";

  std::string place() const { return fmt::format("{}: tensor {}", file_, in_quotes(name_)); }

  bool unexpected(const std::string& got) const override {
    std::string where = place(), what;
    switch (level_) {
      case Level::start:
        where = file_;
        what = "an object of tensors";
        break;
      case Level::names:
        what = "an object with dtype, shape and data_offsets";
        break;
      case Level::metadata:
        what = "texts";
        break;
      case Level::entry:
        where += ": " + key_;
        what = key_ == "dtype" ? "a dtype's name" : "a list of whole numbers";
        break;
      case Level::shape:
        where += ": shape";
        what = "whole numbers from 0 to 2^62";
        break;
      case Level::offsets:
        where += ": data_offsets";
        what = "two whole numbers from 0 to 2^62";
        break;
    }
    throw Error(where, fmt::format("expected {}, got {}", what, got), kWhatItIs);
  }

  void add_tensor() {
    for (std::string_view key : kKeys) {
      if (keys_.contains(std::string(key))) continue;
      throw Error(place(), fmt::format("it has no {}", key), kWhatItIs);
    }
    if (offsets_.size() != 2 || offsets_[0] > offsets_[1]) {
      throw Error(place() + ": data_offsets",
                  fmt::format("expected [begin, end] with begin <= end, got [{}]",
                              fmt::join(offsets_, ", ")),
                  kWhatItIs);
    }
    StoredTensor tensor{name_, format_, shape_, offsets_[0], offsets_[1] - offsets_[0]};
    std::uint64_t bits = format_->bits;
    bool fits = true;
    for (std::int64_t side : shape_) {
      fits = fits && !__builtin_mul_overflow(bits, static_cast<std::uint64_t>(side), &bits);
    }
    if (!fits) {
      throw Error(
          place() + ": shape",
          fmt::format("{} {} is more than any file holds", shape_text(shape_), format_->name),
          kWhatItIs);
    }
    if (bits % 8 != 0 || bits / 8 != tensor.bytes) {
      throw Error(place(),
                  fmt::format("{} {} takes {} bits, and its data_offsets span {} bytes",
                              shape_text(shape_), format_->name, bits, tensor.bytes),
                  kWhatItIs);
    }
    tensors.push_back(std::move(tensor));
  }

  Level level_ = Level::start;
  std::string name_, key_;
  std::unordered_set<std::string> names_, keys_;
  const StoredFormat* format_ = nullptr;
  std::vector<std::int64_t> shape_;
  std::vector<std::uint64_t> offsets_;
};

class IndexEvents final : public StrictEvents {
 public:
  explicit IndexEvents(const std::string& file) : StrictEvents(file, kForm) {}
  WeightMap map;
  bool found = false;  // a weight_map

  bool null() override { return scalar("null"); }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) override { return scalar(fmt::format("{}", value)); }
  bool number_unsigned(std::uint64_t value) override { return scalar(fmt::format("{}", value)); }
  bool number_float(double /*value*/, const std::string& text) override {
    return scalar(printable(text));
  }
  bool string(std::string& text) override {
    if (!in_map_) return scalar(in_quotes(text));
    const bool plain = !text.empty() && text != "." && text != ".." && printable(text) == text &&
                       text.find_first_of("/\\") == std::string::npos;
    if (!plain) {
      throw Error(place(), fmt::format("expected a file's plain name, got {}", in_quotes(text)),
                  "shards lie in the folder of their index");
    }
    map.emplace_back(name_, text);
    return true;
  }
  bool key(std::string& text) override {
    if (depth_ == 1) top_ = text;
    if (!in_map_ && depth_ > 1) return true;
    if (!names_.insert(fmt::format("{}/{}", depth_, text)).second) {
      throw Error(file_, fmt::format("{} is there twice", in_quotes(text)), kForm);
    }
    name_ = text;
    return true;
  }
  bool start_object(std::size_t /*size*/) override {
    if (in_map_) return unexpected("an object");
    deeper();
    if (depth_ == 2 && top_ == kMap) in_map_ = found = true;
    return true;
  }
  bool end_object() override {
    in_map_ = false;
    --depth_;
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    if (depth_ == 0 || in_map_ || (depth_ == 1 && top_ == kMap)) {
      return unexpected("a list");
    }
    deeper();
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }

 private:
  static constexpr std::string_view kMap = "weight_map";
  static constexpr const char* kForm =
      "an index is {\"weight_map\": {\"tensor\": \"model-00001-of-00002.safetensors\", ...}}";
  static constexpr std::size_t kDeepest = 64;

  std::string place() const { return fmt::format("{}: {}: {}", file_, kMap, in_quotes(name_)); }
  bool unexpected(const std::string& got) const override {
    throw Error(in_map_ ? place() : file_, fmt::format("expected an index, got {}", got), kForm);
  }
  bool scalar(const std::string& got) {
    if (depth_ == 0 || in_map_ || (depth_ == 1 && top_ == kMap)) {
      return unexpected(got);
    }
    return true;
  }
  void deeper() {
    if (++depth_ > kDeepest) {
      throw Error(file_, fmt::format("nested deeper than {} levels", kDeepest), kForm);
    }
  }

  std::size_t depth_ = 0;
  bool in_map_ = false;
  std::string top_, name_;
  std::unordered_set<std::string> names_;
};

// The tensors tile the data, in this order.
void check_tiling(const std::vector<StoredTensor>& tensors, std::uint64_t data_bytes,
                  const std::string& file) {
  std::uint64_t end = 0;
  for (const StoredTensor& tensor : tensors) {
    const std::string place = fmt::format("{}: tensor {}", file, in_quotes(tensor.name));
    if (tensor.begin != end) {
      throw Error(
          place,
          fmt::format("its data begins at byte {}, {} what is before it, which ends at {}",
                      tensor.begin, tensor.begin < end ? "within" : "with a hole behind", end),
          kWhatItIs);
    }
    end = tensor.begin + tensor.bytes;
    if (end <= data_bytes) continue;
    throw Error(
        place,
        fmt::format("its data ends at byte {}, and the file has {} bytes of data", end, data_bytes),
        "the file was cut: copy it again");
  }
  if (end == data_bytes) return;
  throw Error(file,
              fmt::format("{} bytes of data, and the last tensor ends at {}", data_bytes, end),
              kWhatItIs);
}

}  // namespace

std::uint64_t StoredTensor::count() const { return bytes * 8 / format->bits; }

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

std::vector<StoredTensor> parse_tensor_header(std::string_view text, std::uint64_t data_bytes,
                                              const std::string& file) {
  HeaderEvents events(file);
  nlohmann::json::sax_parse(text, &events);
  std::ranges::sort(events.tensors, [](const StoredTensor& a, const StoredTensor& b) {
    return std::tie(a.begin, a.bytes, a.name) < std::tie(b.begin, b.bytes, b.name);
  });
  check_tiling(events.tensors, data_bytes, file);
  return std::move(events.tensors);
}

std::vector<StoredTensor> read_safetensors(const InputFile& file) {
  constexpr std::uint64_t kPrefix = 8;
  if (file.size() < kPrefix) {
    throw Error(file.path(), fmt::format("{} bytes are no safetensors file", file.size()),
                kWhatItIs);
  }
  std::uint64_t length = 0;
  file.read(0, std::as_writable_bytes(std::span(&length, 1)));
  if (length > kLargestHeader || length > file.size() - kPrefix) {
    throw Error(file.path(),
                fmt::format("its header would be {} bytes, and {}", length,
                            length > kLargestHeader ? fmt::format("the most is {}", kLargestHeader)
                                                    : fmt::format("the file has {}", file.size())),
                kWhatItIs);
  }
  std::string text(length, '\0');
  file.read(kPrefix, std::as_writable_bytes(std::span(text)));
  const std::uint64_t start = kPrefix + length;
  std::vector<StoredTensor> tensors =
      parse_tensor_header(text, file.size() - start, printable(file.path()));
  for (StoredTensor& tensor : tensors) tensor.begin += start;
  return tensors;
}

WeightMap parse_weight_map(std::string_view text, const std::string& file) {
  IndexEvents events(file);
  nlohmann::json::sax_parse(text, &events);
  if (!events.found || events.map.empty()) {
    throw Error(file, "it has no weight_map, or an empty one",
                "an index is model.safetensors.index.json");
  }
  return std::move(events.map);
}

}  // namespace sigstab
