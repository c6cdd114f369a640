// SPDX-License-Identifier: Apache-2.0
//
// The functions with which the constructors of programs built by nvcc and clang register device code, kernels
// and variables. Texture and surface references of old programs are accepted; using one is not.

#include <cstring>

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/code/registry.h"
#include "evolution/emulate/runtime/fat_binary.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

constexpr std::uint32_t kLinked = 2;  ///< the wrapper's version that lists further containers

/// Behind the handle a constructor gets.
struct Registration {
  std::shared_ptr<cupilot::emulate::runtime::Image> image;
};

std::vector<const void *> containers_of(const void *address) {
  cupilot::emulate::runtime::abi::FatWrapper wrapper;
  if (cupilot::emulate::runtime::readable_bytes(address) < sizeof wrapper) return {address};
  std::memcpy(&wrapper, address, sizeof wrapper);
  if (wrapper.magic != cupilot::emulate::runtime::kWrapperMagic)
    return {address};  // reading it says what is wrong
  std::vector<const void *> containers{wrapper.container};
  if (wrapper.version >= kLinked && wrapper.names)
    for (const auto *const *more = wrapper.names; *more; ++more) containers.push_back(*more);
  return containers;
}

const std::shared_ptr<cupilot::emulate::runtime::Image> &image_of(void **handle) {
  return reinterpret_cast<Registration *>(handle)->image;
}

}  // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *wrapper) {
  auto *const made =
      new Registration{std::make_shared<cupilot::emulate::runtime::Image>(containers_of(wrapper))};
  return reinterpret_cast<void **>(made);
}
void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaUnregisterFatBinary(void **handle) {
  const std::lock_guard lock(cupilot::emulate::runtime::call_mutex());
  const std::unique_ptr<Registration> gone(reinterpret_cast<Registration *>(handle));
  if (gone) cupilot::emulate::runtime::forget(gone->image);
}

char __cudaInitModule(void **handle) {
  const std::lock_guard lock(cupilot::emulate::runtime::call_mutex());
  return cupilot::emulate::runtime::place_managed(image_of(handle)) ==
                 cupilot::emulate::runtime::abi::kSuccess
             ? 1
             : 0;
}

void __cudaRegisterFunction(void **handle, const char *host, char *, const char *name, int, void *, void *,
                            void *, void *, int *) {
  const std::lock_guard lock(cupilot::emulate::runtime::call_mutex());
  cupilot::emulate::runtime::register_kernel(host, image_of(handle), name);
}

void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int, std::size_t bytes, int,
                       int) {
  const std::lock_guard lock(cupilot::emulate::runtime::call_mutex());
  cupilot::emulate::runtime::register_variable(host, {image_of(handle), name, bytes, nullptr});
}

void __cudaRegisterManagedVar(void **handle, void **host, char *, const char *name, int, std::size_t bytes,
                              int, int) {
  const std::lock_guard lock(cupilot::emulate::runtime::call_mutex());
  cupilot::emulate::runtime::register_variable(host, {image_of(handle), name, bytes, host});
}

void __cudaRegisterHostVar(void **, const char *, char *, std::size_t) {}
void __cudaRegisterTexture(void **, const void *, const void **, const char *, int, int, int) {}
void __cudaRegisterSurface(void **, const void *, const void **, const char *, int, int) {}
void __cudaRegisterUnifiedTable(void **, void *) {}

}  // extern "C"
