// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/counters/cupti_library.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <string>

namespace cupilot::device::counters {

namespace {

/// Looks for the soname first (LD_LIBRARY_PATH, ld.so.conf), then in the toolkit that this program was built
/// with.
constexpr const char *kPlaces[] = {("libcupti.so." CUPILOT_CUDA_MAJOR), CUPILOT_CUPTI_LIBRARY, "libcupti.so"};

void *open_library() {
  for (const char *place : kPlaces)
    if (void *handle = dlopen(place, RTLD_NOW | RTLD_LOCAL)) return handle;
  return nullptr;
}

Result<CuptiLibrary> load() {
  void *handle = open_library();
  if (!handle) return fail(fmt::format("no hardware counters: CUPTI could not be loaded ({})", dlerror()));
  CuptiLibrary library;
#define CUPILOT_CUPTI_LOOKUP(name)                                          \
  library.name = reinterpret_cast<decltype(&::name)>(dlsym(handle, #name)); \
  if (!library.name) return fail("no hardware counters: this CUPTI has no " #name);
  CUPILOT_CUPTI_FUNCTIONS(CUPILOT_CUPTI_LOOKUP)
#undef CUPILOT_CUPTI_LOOKUP
  return library;
}

}  // namespace

Result<const CuptiLibrary *> CuptiLibrary::get() {
  static const Result<CuptiLibrary> library = load();
  if (!library) return std::unexpected(library.error());
  return &*library;
}

Result<> CuptiLibrary::check(CUptiResult code, const char *doing) const {
  if (code == CUPTI_SUCCESS) return {};
  const char *text = nullptr;
  (void)cuptiGetResultString(code, &text);
  return fail(fmt::format("no hardware counters: {}: {}", doing, text ? text : "unknown CUPTI error"));
}

}  // namespace cupilot::device::counters
