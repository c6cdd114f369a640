// SPDX-License-Identifier: Apache-2.0

#include "driver/watcher/cupti_library.h"

#include <string>

namespace cupilot::watcher {
namespace {

/// The soname first (LD_LIBRARY_PATH, ld.so.conf), then the toolkit that this library was built with.
constexpr const char *kPlaces[] = {("libcupti.so." CUPILOT_CUDA_MAJOR), CUPILOT_CUPTI_LIBRARY, "libcupti.so"};

}  // namespace

Result<CuptiLibrary> CuptiLibrary::load() {
  CuptiLibrary library;
  for (const char *place : kPlaces)
    if (!library.handle_) library.handle_ = dlopen(place, RTLD_NOW | RTLD_LOCAL);
  if (!library.handle_) return fail(std::string("CUPTI could not be loaded: ") + dlerror());
  return library;
}

}  // namespace cupilot::watcher
