// Writes what a generator draws to stdout, raw and little-endian, for scripts/compare_draws.py.
//
//   draw_dump [--target NAME] GENERATOR SEED CALL...
//   draw_dump torch 42 normal:float32:1000 uniform:float64:8:-1:1 integers:int64:5:100x3
// A CALL draws one tensor: KIND:DTYPE:COUNT with KIND normal, uniform or integers and DTYPE
// float32, float64 or int64. For uniform :LOW:HIGH follows, for integers :BOUND. xN at the end
// repeats it. Calls are made one after another on one stream; for philox the n-th has layer n.
// NAME forces one of the vector targets: random/vector_targets.hpp.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "random/generators.hpp"
#include "random/vector_targets.hpp"

static_assert(std::endian::native == std::endian::little);

namespace sigstab {
namespace {

struct Call {
  std::string kind, dtype;
  std::size_t count = 0;
  double low = 0.0, high = 1.0;
  std::uint32_t bound = 0;
  std::size_t repeats = 1;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end; (end = text.find(separator, start)) != std::string::npos; start = end + 1) {
    parts.push_back(text.substr(start, end - start));
  }
  parts.push_back(text.substr(start));
  return parts;
}

Call parse_call(const std::string& text) {
  Call call;
  const std::vector<std::string> repeated = split(text, 'x');
  if (repeated.size() == 2) call.repeats = std::stoull(repeated[1]);
  const std::vector<std::string> parts = split(repeated[0], ':');
  if (repeated.size() > 2 || parts.size() < 3) throw std::invalid_argument(text);
  call.kind = parts[0];
  call.dtype = parts[1];
  call.count = std::stoull(parts[2]);
  const std::size_t parameters = parts.size() - 3;
  const bool real = call.dtype == "float32" || call.dtype == "float64";
  if (call.kind == "normal" && real && parameters == 0) return call;
  if (call.kind == "uniform" && real && parameters == 2) {
    call.low = std::stod(parts[3]);
    call.high = std::stod(parts[4]);
    return call;
  }
  if (call.kind == "integers" && call.dtype == "int64" && parameters == 1) {
    const unsigned long long bound = std::stoull(parts[3]);
    if (bound < 1 || bound > std::numeric_limits<std::uint32_t>::max()) {
      throw std::invalid_argument(text);
    }
    call.bound = static_cast<std::uint32_t>(bound);
    return call;
  }
  throw std::invalid_argument(text);
}

template <typename Value>
void write(const std::vector<Value>& values) {
  if (std::fwrite(values.data(), sizeof(Value), values.size(), stdout) != values.size()) {
    throw std::runtime_error("cannot write to stdout");
  }
}

template <typename Real>
void draw_reals(Stream& stream, TensorId id, const Call& call) {
  std::vector<Real> values(call.count);
  if (call.kind == "normal") {
    stream.normal(id, std::span<Real>(values));
  } else {
    stream.uniform(id, std::span<Real>(values), call.low, call.high);
  }
  write(values);
}

void draw(Stream& stream, TensorId id, const Call& call) {
  if (call.dtype == "float32") {
    draw_reals<float>(stream, id, call);
  } else if (call.dtype == "float64") {
    draw_reals<double>(stream, id, call);
  } else {
    std::vector<std::int64_t> values(call.count);
    stream.integers(id, values, call.bound);
    write(values);
  }
}

void dump(std::string_view name, std::string_view seed_text, std::span<char*> calls) {
  const std::optional<Seed> seed = Seed::parse(seed_text);
  for (const Generator& generator : kGenerators) {
    if (generator.name != name || !seed || !accepts_seed(generator, *seed)) continue;
    const std::unique_ptr<Stream> stream = generator.make(*seed, "", "");
    TensorId id{.role = TensorId::kWeights, .layer = 0};
    for (const char* text : calls) {
      const Call call = parse_call(text);
      for (std::size_t i = 0; i < call.repeats; ++i) {
        ++id.layer;
        draw(*stream, id, call);
      }
    }
    if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write to stdout");
    return;
  }
  throw std::invalid_argument("generator or seed");
}

}  // namespace
}  // namespace sigstab

int main(int argc, char** argv) {
  try {
    std::span<char*> words = std::span(argv, static_cast<std::size_t>(argc)).subspan(1);
    if (words.size() >= 2 && std::string_view(words[0]) == "--target") {
      if (!sigstab::force_vector_target(words[1])) throw std::invalid_argument("target");
      words = words.subspan(2);
    }
    if (words.size() < 3) throw std::invalid_argument("expected GENERATOR SEED CALL...");
    sigstab::dump(words[0], words[1], words.subspan(2));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "draw_dump: error: %s\n", error.what());
    return 2;
  }
  return 0;
}
