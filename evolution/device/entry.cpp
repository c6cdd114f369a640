// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/entry.h"

#include <dlfcn.h>

#include <cstring>

#include "evolution/device/cuda_call.h"

namespace cupilot {

namespace {
constexpr int kDeclined = 1;  ///< also cudaErrorInvalidValue's number: entries never return that one
}

Result<Arguments> Arguments::make(const std::vector<Parameter> &parameters, const Case &which,
                                  const CaseLayout &layout, char *arena) {
  Arguments arguments;
  arguments.values_.resize(parameters.size());
  for (const PlacedBuffer &buffer : layout.buffers) {
    char *address = arena + buffer.offset;
    auto &value = arguments.values_[buffer.parameter];
    value.resize(sizeof address);
    std::memcpy(value.data(), &address, sizeof address);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].pointer) continue;
    CUPILOT_TRY(value, scalar_argument(parameters[i], which));
    arguments.values_[i] = std::move(value);
  }
  for (auto &value : arguments.values_) arguments.pointers_.push_back(value.data());
  return arguments;
}

Result<std::shared_ptr<Entry>> Entry::load(const std::filesystem::path &library) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return fail(std::string("loading the built entry: ") + dlerror());
  std::shared_ptr<Entry> entry(new Entry(handle));
  entry->function_ = reinterpret_cast<int (*)(CupilotCall *)>(dlsym(handle, "cupilot_entry"));
  if (!entry->function_) return fail(library.string() + " has no function cupilot_entry");
  return entry;
}

/// Not closed: kernels of a library that goes away while the runtime still knows them end the process at
/// exit.
Entry::~Entry() = default;

Result<Entry::Answer> Entry::call(const Case &which, Arguments &arguments, cudaStream_t stream) {
  CupilotCall call{};
  for (int i = 0; i < 3; ++i) call.grid[i] = which.grid[i], call.block[i] = which.block[i];
  call.shared_bytes = which.shared_bytes;
  call.stream = stream;
  call.args = arguments.pointers();
  const int code = function_(&call);
  scratch_bytes_ = call.scratch_bytes;
  if (code == kDeclined) return Answer::declined;
  CUPILOT_CUDA("launching", static_cast<cudaError_t>(code));
  CUPILOT_CUDA("launching", cudaPeekAtLastError());
  return Answer::launched;
}

}  // namespace cupilot
