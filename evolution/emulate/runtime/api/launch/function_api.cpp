// SPDX-License-Identifier: Apache-2.0
//
// Attributes of kernels, and occupancy. PTX does not say how many registers a kernel will use:
// kAssumedRegisters are assumed where the program does not limit them to fewer.

#include <algorithm>

#include "evolution/emulate/runtime/api/attributes.h"
#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/code/registry.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;
namespace ptx = cupilot::ptx;

template <class Use>
int with_kernel(const void *function, Use &&use) {
  auto *const kernel = find_kernel(function);
  if (!kernel) return abi::kInvalidDeviceFunction;
  if (const int code = kernel->resolve()) return code;
  return use(*kernel);
}

const DeviceModel &model() {
  return current_device().model();
}

int threads_most(const ptx::Function &source) {
  std::uint64_t most = 1;
  for (const auto size : source.max_threads) most *= size ? size : 1;
  const bool limited = source.max_threads[0] != 0;
  return limited ? static_cast<int>(std::min<std::uint64_t>(most, kThreadsPerBlock)) : kThreadsPerBlock;
}

int registers_of(const ptx::Function &source) {
  return source.max_registers ? std::min<int>(source.max_registers, kAssumedRegisters) : kAssumedRegisters;
}

void describe_kernel(const Kernel &kernel, abi::FunctionAttributes &to) {
  const auto &code = kernel.code();
  const auto architecture = static_cast<int>(model().architecture);
  to = {};
  to.shared_bytes = code.shared_bytes;
  to.local_bytes = code.local_bytes;
  to.threads_most = threads_most(*code.source);
  to.registers = registers_of(*code.source);
  to.ptx_version = to.binary_version = architecture;
  to.dynamic_shared_most = kernel.dynamic_shared_most;
  to.carveout = kernel.carveout;
}

int set_attribute(Kernel &kernel, int attribute, int value) {
  if (attribute == abi::kFuncAttributeMaxDynamicSharedMemorySize) {
    const auto most = static_cast<int>(model().shared_per_block_most - kernel.code().shared_bytes);
    if (value < 0 || value > most) return abi::kInvalidValue;
    kernel.dynamic_shared_most = value;
  }
  if (attribute == abi::kFuncAttributePreferredSharedMemoryCarveout) kernel.carveout = value;
  return abi::kSuccess;
}

int blocks_of(const Kernel &kernel, int threads, std::size_t dynamic_shared) {
  if (threads > threads_most(*kernel.code().source)) return 0;
  return resident_blocks(
      model(), {threads, registers_of(*kernel.code().source), kernel.code().shared_bytes + dynamic_shared});
}

}  // namespace

extern "C" {

int cudaFuncGetAttributes(abi::FunctionAttributes *attributes, const void *function) {
  return call([&] {
    return with_kernel(function, [&](const Kernel &kernel) {
      describe_kernel(kernel, *attributes);
      return abi::kSuccess;
    });
  });
}
int cudaFuncSetAttribute(const void *function, int attribute, int value) {
  return call([&] {
    return with_kernel(function, [&](Kernel &kernel) { return set_attribute(kernel, attribute, value); });
  });
}
int cudaKernelSetAttributeForDevice(void *kernel, int attribute, int value, int) {
  return cudaFuncSetAttribute(kernel, attribute, value);
}
int cudaFuncGetName(const char **name, const void *function) {
  return call([&] {
    return with_kernel(function, [&](const Kernel &kernel) {
      *name = kernel.name.c_str();
      return abi::kSuccess;
    });
  });
}
int cudaFuncGetParamInfo(const void *function, std::size_t index, std::size_t *offset, std::size_t *bytes) {
  return call([&] {
    return with_kernel(function, [&](const Kernel &kernel) -> int {
      const auto &parameters = kernel.code().parameters;
      if (index >= parameters.size()) return abi::kInvalidValue;
      *offset = parameters[index].offset;
      if (bytes) *bytes = parameters[index].bytes;
      return abi::kSuccess;
    });
  });
}

// preferences without an effect on results
int cudaFuncSetCacheConfig(const void *function, int) {
  return call([&] { return find_kernel(function) ? abi::kSuccess : abi::kInvalidDeviceFunction; });
}
int cudaFuncSetSharedMemConfig(const void *function, int) {
  return cudaFuncSetCacheConfig(function, 0);
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                           std::size_t dynamic_shared, unsigned) {
  return call([&] {
    return with_kernel(function, [&](const Kernel &kernel) -> int {
      if (threads < 1) return abi::kInvalidValue;
      *blocks = blocks_of(kernel, threads, dynamic_shared);
      return abi::kSuccess;
    });
  });
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                  std::size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_shared, 0);
}
int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t *bytes, const void *function, int blocks,
                                              int threads) {
  return call([&] {
    return with_kernel(function, [&](const Kernel &kernel) -> int {
      if (blocks < 1 || blocks > blocks_of(kernel, threads, 0)) return abi::kInvalidValue;
      const auto share = model().shared_per_processor / static_cast<unsigned>(blocks) / 128 * 128;
      *bytes = share - kSharedReserved - kernel.code().shared_bytes;
      return abi::kSuccess;
    });
  });
}

}  // extern "C"
