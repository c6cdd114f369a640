// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/entry.h"

#include <dlfcn.h>

#include <cstring>

namespace cupilot {

Result<Arguments> Arguments::make(const std::vector<Parameter> &parameters, const Case &which,
                                  const CaseLayout &layout, const std::vector<std::uint64_t> &addresses) {
  Arguments arguments;
  arguments.values_.resize(parameters.size());
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    auto &value = arguments.values_[layout.buffers[i].parameter];
    value.resize(sizeof addresses[i]);
    std::memcpy(value.data(), &addresses[i], sizeof addresses[i]);
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

int Entry::call(const Case &which, Arguments &arguments, void *stream) {
  CupilotCall call{};
  for (int i = 0; i < 3; ++i) call.grid[i] = which.grid[i], call.block[i] = which.block[i];
  call.shared_bytes = which.shared_bytes;
  call.stream = stream;
  call.args = arguments.pointers();
  const int code = function_(&call);
  scratch_bytes_ = call.scratch_bytes;
  return code;
}

}  // namespace cupilot
