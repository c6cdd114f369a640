// SPDX-License-Identifier: Apache-2.0
//
// main of tests that need a GPU: without one they say so and return 77, which CTest shows as skipped.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace {

/// Asks the driver itself, without linking it.
const char *why_no_gpu() {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return "the CUDA driver (libcuda.so.1) is not installed";
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto count = reinterpret_cast<int (*)(int *)>(dlsym(driver, "cuDeviceGetCount"));
  int devices = 0;
  if (!init || !count || init(0) != 0 || count(&devices) != 0 || devices == 0)
    return "the CUDA driver finds no GPU";
  return nullptr;
}

}  // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const char *reason = why_no_gpu()) {
    std::printf("skipped: %s\n", reason);
    return 77;
  }
  return RUN_ALL_TESTS();
}
