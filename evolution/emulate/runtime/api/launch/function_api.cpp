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
namespace ptx = cupilot::emulate::ptx;

template <class Use>
int with_kernel(const void *function, Use &&use) {
  auto *const kernel = cupilot::emulate::runtime::find_kernel(function);
  if (!kernel) return cupilot::emulate::runtime::abi::kInvalidDeviceFunction;
  if (const int code = kernel->resolve()) return code;
  return use(*kernel);
}

const cupilot::emulate::runtime::DeviceModel &model() {
  return cupilot::emulate::runtime::current_device().model();
}

int threads_most(const cupilot::emulate::ptx::Function &source) {
  std::uint64_t most = 1;
  for (const auto size : source.max_threads) most *= size ? size : 1;
  const bool limited = source.max_threads[0] != 0;
  return limited
             ? static_cast<int>(std::min<std::uint64_t>(most, cupilot::emulate::runtime::kThreadsPerBlock))
             : cupilot::emulate::runtime::kThreadsPerBlock;
}

int registers_of(const cupilot::emulate::ptx::Function &source) {
  return source.max_registers
             ? std::min<int>(source.max_registers, cupilot::emulate::runtime::kAssumedRegisters)
             : cupilot::emulate::runtime::kAssumedRegisters;
}

void describe_kernel(const cupilot::emulate::runtime::Kernel &kernel,
                     cupilot::emulate::runtime::abi::FunctionAttributes &to) {
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

int set_attribute(cupilot::emulate::runtime::Kernel &kernel, int attribute, int value) {
  if (attribute == cupilot::emulate::runtime::abi::kFuncAttributeMaxDynamicSharedMemorySize) {
    const auto most = static_cast<int>(model().shared_per_block_most - kernel.code().shared_bytes);
    if (value < 0 || value > most) return cupilot::emulate::runtime::abi::kInvalidValue;
    kernel.dynamic_shared_most = value;
  }
  if (attribute == cupilot::emulate::runtime::abi::kFuncAttributePreferredSharedMemoryCarveout)
    kernel.carveout = value;
  return cupilot::emulate::runtime::abi::kSuccess;
}

int blocks_of(const cupilot::emulate::runtime::Kernel &kernel, int threads, std::size_t dynamic_shared) {
  if (threads > threads_most(*kernel.code().source)) return 0;
  return cupilot::emulate::runtime::resident_blocks(
      model(), {threads, registers_of(*kernel.code().source), kernel.code().shared_bytes + dynamic_shared});
}

}  // namespace

extern "C" {

int cudaFuncGetAttributes(cupilot::emulate::runtime::abi::FunctionAttributes *attributes,
                          const void *function) {
  return cupilot::emulate::runtime::call([&] {
    return with_kernel(function, [&](const cupilot::emulate::runtime::Kernel &kernel) {
      describe_kernel(kernel, *attributes);
      return cupilot::emulate::runtime::abi::kSuccess;
    });
  });
}
int cudaFuncSetAttribute(const void *function, int attribute, int value) {
  return cupilot::emulate::runtime::call([&] {
    return with_kernel(function, [&](cupilot::emulate::runtime::Kernel &kernel) {
      return set_attribute(kernel, attribute, value);
    });
  });
}
int cudaKernelSetAttributeForDevice(void *kernel, int attribute, int value, int) {
  return cudaFuncSetAttribute(kernel, attribute, value);
}
int cudaFuncGetName(const char **name, const void *function) {
  return cupilot::emulate::runtime::call([&] {
    return with_kernel(function, [&](const cupilot::emulate::runtime::Kernel &kernel) {
      *name = kernel.name.c_str();
      return cupilot::emulate::runtime::abi::kSuccess;
    });
  });
}
int cudaFuncGetParamInfo(const void *function, std::size_t index, std::size_t *offset, std::size_t *bytes) {
  return cupilot::emulate::runtime::call([&] {
    return with_kernel(function, [&](const cupilot::emulate::runtime::Kernel &kernel) -> int {
      const auto &parameters = kernel.code().parameters;
      if (index >= parameters.size()) return cupilot::emulate::runtime::abi::kInvalidValue;
      *offset = parameters[index].offset;
      if (bytes) *bytes = parameters[index].bytes;
      return cupilot::emulate::runtime::abi::kSuccess;
    });
  });
}

// preferences without an effect on results
int cudaFuncSetCacheConfig(const void *function, int) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::find_kernel(function)
               ? cupilot::emulate::runtime::abi::kSuccess
               : cupilot::emulate::runtime::abi::kInvalidDeviceFunction;
  });
}
int cudaFuncSetSharedMemConfig(const void *function, int) {
  return cudaFuncSetCacheConfig(function, 0);
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                           std::size_t dynamic_shared, unsigned) {
  return cupilot::emulate::runtime::call([&] {
    return with_kernel(function, [&](const cupilot::emulate::runtime::Kernel &kernel) -> int {
      if (threads < 1) return cupilot::emulate::runtime::abi::kInvalidValue;
      *blocks = blocks_of(kernel, threads, dynamic_shared);
      return cupilot::emulate::runtime::abi::kSuccess;
    });
  });
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                  std::size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_shared, 0);
}
int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t *bytes, const void *function, int blocks,
                                              int threads) {
  return cupilot::emulate::runtime::call([&] {
    return with_kernel(function, [&](const cupilot::emulate::runtime::Kernel &kernel) -> int {
      if (blocks < 1 || blocks > blocks_of(kernel, threads, 0))
        return cupilot::emulate::runtime::abi::kInvalidValue;
      const auto share = model().shared_per_processor / static_cast<unsigned>(blocks) / 128 * 128;
      *bytes = share - cupilot::emulate::runtime::kSharedReserved - kernel.code().shared_bytes;
      return cupilot::emulate::runtime::abi::kSuccess;
    });
  });
}

}  // extern "C"
