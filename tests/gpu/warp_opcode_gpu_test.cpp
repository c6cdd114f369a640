// SPDX-License-Identifier: Apache-2.0
//
// The cases of tests/emulate/warp_opcodes on a real GPU: do the references, which the CPU executor is held
// to, say what the hardware does? Prints a table of counts. A case whose PTX this driver refuses is listed,
// not failed.

#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "tests/emulate/warp_opcodes/warp_case.h"

namespace {

using cupilot::opcodes::WarpCase;

std::string text_of(CUresult result) {
  const char *name = nullptr;
  cuGetErrorName(result, &name);
  return name ? name : "unknown error";
}

class DeviceBuffer {
public:
  DeviceBuffer(const void *from, std::size_t bytes) : bytes_(bytes) {
    cuMemAlloc(&address, std::max<std::size_t>(bytes, 16));
    cuMemsetD8(address, 0, std::max<std::size_t>(bytes, 16));
    if (from && bytes) cuMemcpyHtoD(address, from, bytes);
  }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() { cuMemFree(address); }
  CUresult read(void *to) const { return bytes_ ? cuMemcpyDtoH(to, address, bytes_) : CUDA_SUCCESS; }
  CUdeviceptr address = 0;

private:
  std::size_t bytes_;
};

/// Empty, or what differs.
std::string launch(const WarpCase &one, CUmodule module) {
  CUfunction function = nullptr;
  if (const CUresult result = cuModuleGetFunction(&function, module, "test"); result != CUDA_SUCCESS)
    return text_of(result);
  DeviceBuffer input(one.input.data(), one.input.size() * 8), output(nullptr, one.expected.size() * 8),
      memory(one.memory.data(), one.memory.size());
  void *arguments[] = {&input.address, &output.address, &memory.address};
  CUresult result = cuLaunchKernel(function, 1, 1, 1, one.threads, 1, 1, 0, nullptr, arguments, nullptr);
  if (result == CUDA_SUCCESS) result = cuCtxSynchronize();
  if (result != CUDA_SUCCESS) return text_of(result);
  std::vector<std::uint64_t> out(one.expected.size());
  std::vector<std::byte> after(one.memory.size());
  if (output.read(out.data()) != CUDA_SUCCESS || memory.read(after.data()) != CUDA_SUCCESS)
    return "cannot read results";
  return cupilot::opcodes::compare(one, out, after);
}

struct Counts {
  int same = 0, close = 0, different = 0, refused = 0, elsewhere = 0;
};

void run(const WarpCase &one, Counts &counts) {
  if (!one.gpu) {
    ++counts.elsewhere;
    return;
  }
  CUmodule module = nullptr;
  if (const CUresult result = cuModuleLoadData(&module, one.ptx.c_str()); result != CUDA_SUCCESS) {
    ++counts.refused;
    std::printf("refused (%s): %s\n", text_of(result).c_str(), one.name.c_str());
    return;
  }
  WarpCase strict = one;
  strict.tolerance = 0;
  if (launch(strict, module).empty()) {
    ++counts.same;
  } else if (const std::string problem = launch(one, module); problem.empty()) {
    ++counts.close;
  } else {
    ++counts.different;
    std::printf("DIFFERENT %s: %s\n", one.name.c_str(), problem.c_str());
  }
  cuModuleUnload(module);
}

}  // namespace

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
      cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS ||
      cuCtxSetCurrent(context) != CUDA_SUCCESS) {
    std::puts("skipped: no GPU");
    return 77;
  }
  int major = 0;
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (major != 9) {
    std::puts("skipped: the cases are for sm_90");
    return 77;
  }
  using namespace cupilot::opcodes;
  const std::pair<const char *, std::vector<WarpCase>> families[] = {{"exchange", exchange_cases()},
                                                                     {"atomic", atomic_cases()},
                                                                     {"matrix", matrix_cases()},
                                                                     {"tile", tile_cases()},
                                                                     {"async", async_cases()}};
  int different = 0;
  std::string table = "family    bit-equal  within tolerance  different  refused  not for sm_90\n";
  for (const auto &[name, cases] : families) {
    Counts counts;
    for (const WarpCase &one : cases) run(one, counts);
    char line[160];
    std::snprintf(line, sizeof line, "%-9s %9d  %16d  %9d  %7d  %13d\n", name, counts.same, counts.close,
                  counts.different, counts.refused, counts.elsewhere);
    table += line;
    different += counts.different;
  }
  std::fputs(table.c_str(), stdout);
  return different == 0 ? 0 : 1;
}
