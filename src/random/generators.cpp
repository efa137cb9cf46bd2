// What each row of the generator table starts.
//
// Seeds that a generator does not take are the config layer's error; here they are a broken
// promise, hence assertions.

#include "random/generators.hpp"

#include "base/error.hpp"
#include "random/native_stream.hpp"
#include "random/numpy_stream.hpp"
#include "random/torch_stream.hpp"

namespace sigstab {

std::unique_ptr<Stream> make_numpy_stream(const Seed& seed, std::string_view /*case_name*/,
                                          std::string_view /*grid_point*/) {
  return std::make_unique<NumpyStream>(seed);
}

std::unique_ptr<Stream> make_torch_stream(const Seed& seed, std::string_view /*case_name*/,
                                          std::string_view /*grid_point*/) {
  SIGSTAB_ASSERT(seed.as_uint64().has_value());
  return std::make_unique<TorchStream>(*seed.as_uint64());
}

std::unique_ptr<Stream> make_native_stream(const Seed& seed, std::string_view case_name,
                                           std::string_view grid_point) {
  SIGSTAB_ASSERT(seed.as_uint64().has_value());
  return std::make_unique<NativeStream>(stream_key(seed.text(), case_name, grid_point));
}

}  // namespace sigstab
