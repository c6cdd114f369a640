// SPDX-License-Identifier: Apache-2.0

#include "tests/gpu/opcodes_driver.h"

#include <dlfcn.h>

#include <array>

namespace cupilot::opcodes {
namespace {

// Numbers of the driver's interface (cuda.h).
constexpr int kComputeMajor = 75, kComputeMinor = 76, kErrorLog = 5, kErrorLogBytes = 6;

}  // namespace

struct Driver::Functions {
  void *library = nullptr;
  int (*init)(unsigned) = nullptr;
  int (*version)(int *) = nullptr;
  int (*device)(int *, int) = nullptr;
  int (*device_name)(char *, int, int) = nullptr;
  int (*attribute)(int *, int, int) = nullptr;
  int (*retain)(void **, int) = nullptr;
  int (*make_current)(void *) = nullptr;
  int (*error_name)(int, const char **) = nullptr;
  int (*load)(void **, const void *, unsigned, int *, void **) = nullptr;
  int (*unload)(void *) = nullptr;
  int (*function)(void **, void *, const char *) = nullptr;
  int (*allocate)(std::uint64_t *, std::size_t) = nullptr;
  int (*to_device)(std::uint64_t, const void *, std::size_t) = nullptr;
  int (*from_device)(void *, std::uint64_t, std::size_t) = nullptr;
  int (*fill)(std::uint64_t, unsigned char, std::size_t) = nullptr;
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                void **) = nullptr;
  int (*synchronize)() = nullptr;

  template <class F>
  bool find(F &function_pointer, const char *symbol) {
    function_pointer = reinterpret_cast<F>(dlsym(library, symbol));
    return function_pointer != nullptr;
  }
  bool find_all() {
    return find(init, "cuInit") && find(version, "cuDriverGetVersion") && find(device, "cuDeviceGet") &&
           find(device_name, "cuDeviceGetName") && find(attribute, "cuDeviceGetAttribute") &&
           find(retain, "cuDevicePrimaryCtxRetain") && find(make_current, "cuCtxSetCurrent") &&
           find(error_name, "cuGetErrorName") && find(load, "cuModuleLoadDataEx") &&
           find(unload, "cuModuleUnload") && find(function, "cuModuleGetFunction") &&
           find(allocate, "cuMemAlloc_v2") && find(to_device, "cuMemcpyHtoD_v2") &&
           find(from_device, "cuMemcpyDtoH_v2") && find(fill, "cuMemsetD8_v2") &&
           find(launch, "cuLaunchKernel") && find(synchronize, "cuCtxSynchronize");
  }
};

Driver::~Driver() = default;

Result<> Driver::check(int code, const char *doing) const {
  if (code == 0) return {};
  const char *name = nullptr;
  functions_->error_name(code, &name);
  return fail(std::string(doing) + ": " + (name != nullptr ? name : std::to_string(code).c_str()));
}

Result<std::unique_ptr<Driver>> Driver::open() {
  std::unique_ptr<Driver> driver(new Driver);
  driver->functions_ = std::make_unique<Functions>();
  Functions &f = *driver->functions_;
  f.library = dlopen("libcuda.so.1", RTLD_NOW);
  if (f.library == nullptr) return fail("no CUDA driver here (libcuda.so.1)");
  if (!f.find_all()) return fail("libcuda.so.1 lacks a function this test needs");
  int device = 0, major = 0, minor = 0;
  void *context = nullptr;
  std::array<char, 256> name{};
  CUPILOT_CHECKED(driver->check(f.init(0), "starting the CUDA driver"));
  CUPILOT_CHECKED(driver->check(f.version(&driver->version_), "asking for the driver's version"));
  CUPILOT_CHECKED(driver->check(f.device(&device, 0), "finding a GPU"));
  CUPILOT_CHECKED(driver->check(f.device_name(name.data(), name.size(), device), "naming the GPU"));
  CUPILOT_CHECKED(driver->check(f.attribute(&major, kComputeMajor, device), "asking for the architecture"));
  CUPILOT_CHECKED(driver->check(f.attribute(&minor, kComputeMinor, device), "asking for the architecture"));
  CUPILOT_CHECKED(driver->check(f.retain(&context, device), "making a context"));
  CUPILOT_CHECKED(driver->check(f.make_current(context), "using the context"));
  driver->name_ = name.data();
  driver->architecture_ = static_cast<unsigned>(10 * major + minor);
  return driver;
}

std::string Driver::ptx_version() const {
  struct Known {
    int driver;
    const char *ptx;
  };
  static constexpr Known kKnown[] = {
      {13000, "9.0"}, {12090, "8.8"}, {12080, "8.7"}, {12050, "8.5"}, {12040, "8.4"}};
  for (const Known &known : kKnown) {
    if (version_ >= known.driver) return known.ptx;
  }
  return "8.0";
}

Result<std::uint64_t> Driver::allocate(std::size_t bytes) {
  std::uint64_t address = 0;
  CUPILOT_CHECKED(check(functions_->allocate(&address, bytes), "allocating device memory"));
  return address;
}
Result<> Driver::to_device(std::uint64_t to, const void *from, std::size_t bytes) {
  return check(functions_->to_device(to, from, bytes), "copying to the GPU");
}
Result<> Driver::from_device(void *to, std::uint64_t from, std::size_t bytes) {
  return check(functions_->from_device(to, from, bytes), "copying from the GPU");
}
Result<> Driver::clear(std::uint64_t at, std::size_t bytes) {
  return check(functions_->fill(at, 0, bytes), "clearing device memory");
}

Result<void *> Driver::load(const std::string &ptx) {
  std::array<char, 4096> log{};
  int options[] = {kErrorLog, kErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  void *module = nullptr;
  const int code = functions_->load(&module, ptx.c_str(), 2, options, values);
  if (code != 0) return fail(log[0] != 0 ? std::string(log.data()) : check(code, "loading").error().message);
  return module;
}
void Driver::unload(void *module) {
  (void)functions_->unload(module);
}

Result<> Driver::launch(void *module, unsigned blocks, void **parameters, unsigned threads) {
  void *function = nullptr;
  CUPILOT_CHECKED(check(functions_->function(&function, module, "form"), "finding the kernel"));
  CUPILOT_CHECKED(
      check(functions_->launch(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr),
            "launching"));
  return check(functions_->synchronize(), "running");
}

}  // namespace cupilot::opcodes
